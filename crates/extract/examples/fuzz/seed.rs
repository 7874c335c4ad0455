//! What the changes start from: one document of each kind that uses much of its vocabulary.

/// File name extensions.
pub const TARGETS: &[&str] = &["docx", "pptx", "xlsx", "csv", "html", "epub", "svg", "jpg"];

pub const NUMBERS: &[&str] =
    &["0", "-1", "9", "255", "65536", "4294967295", "-9223372036854775808", "1e308", "99999999999999999999"];

pub const WORDS: &[&str] = &[
    "<",
    ">",
    "/>",
    "</",
    "&",
    "&amp;",
    "&#0;",
    "&#x10FFFF;",
    "&unknown;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml version='1.0'?>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "\"",
    "'",
    "=",
    " ",
    "\n",
    "\r",
    "\0",
    "\u{feff}",
    "中",
    "\u{5b5}",
    "<w:p>",
    "</w:p>",
    "<w:tbl>",
    "</w:tbl>",
    "<w:tc>",
    "<w:r>",
    "<w:t>",
    "<w:del>",
    "<w:txbxContent>",
    "<mc:AlternateContent>",
    "<mc:Choice>",
    "<mc:Fallback>",
    "<w:fldChar w:fldCharType='begin'/>",
    "<w:fldChar w:fldCharType='end'/>",
    "<p:grpSp>",
    "</p:grpSp>",
    "<a:tbl>",
    "<row>",
    "</row>",
    "<c>",
    "</c>",
    "<table>",
    "</table>",
    "<td rowspan=9 colspan=9>",
    "<select>",
    "<template>",
    "<plaintext>",
    "<b>",
    "<a href=x>",
    "<ol start=9 reversed>",
    "<li>",
    "sep=;",
    "\"\"",
    "\\\"",
    ";",
    "\t",
    "|",
];

const WORD: &str = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships' xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math' xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006' xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' xmlns:wp='http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing' xmlns:v='urn:schemas-microsoft-com:vml'";
const SLIDE: &str = "xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main' xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships' xmlns:dgm='http://schemas.openxmlformats.org/drawingml/2006/diagram' xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart'";
const SHEET: &str = "xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'";

pub fn parts(target: &str) -> Vec<(String, Vec<u8>)> {
    let parts: Vec<(&str, String)> = match target {
        "docx" => docx(),
        "pptx" => pptx(),
        "xlsx" => xlsx(),
        "epub" => epub(),
        "html" => vec![("", HTML.into())],
        "csv" => {
            vec![("", "id;name;note\n1;\"a \"\"b\"\"\";'c'\n2;\"two\nlines\";值\n\n3;x,y;C:\\\"z\n".into())]
        }
        "svg" => vec![(
            "",
            "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' width='20px' viewBox='0 0 4 3'/>"
                .into(),
        )],
        _ => return vec![(String::new(), JPEG.to_vec())],
    };
    parts.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect()
}

const JPEG: &[u8] = b"\xff\xd8\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0\xff\xc0\0\x0b\x08\x01\xe0\x02\x80\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0\0\xff\xd9";

const HTML: &str = "<!doctype html><html><head><meta charset=utf-8><title>t</title><style>x</style></head><body><nav>n</nav><main><h1 id=a>One <b>two</b></h1><p>three<br>four <a href='https://example.org/#x'>five</a> <ruby>六<rt>ろく</rt></ruby></p><ul><li>a<ol start=3 type=i><li>b</ol></ul><table><caption>c</caption><tr><th colspan=2>d<td rowspan=2>e<tr><td>f<td>g</table><pre>  h\n i</pre><blockquote>j</blockquote><figure><img src=k alt=l><figcaption>m</figcaption></figure><p hidden>n</p><svg><text>o</text></svg><math><mi>p</mi></math></main><script>q</script>";

fn relations(lines: &[(&str, &str, &str)]) -> String {
    let line = |(id, kind, target): &(&str, &str, &str)| {
        format!(
            "<Relationship Id='{id}' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}' Target='{target}'/>"
        )
    };
    let lines: String = lines.iter().map(line).collect();
    format!(
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>{lines}</Relationships>"
    )
}

fn docx() -> Vec<(&'static str, String)> {
    let part = |name: &str, content: &str| format!("<w:{name} {WORD}>{content}</w:{name}>");
    let p = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let body = [
        "<w:p><w:pPr><w:pStyle w:val='H'/></w:pPr><w:r><w:t>Heading</w:t></w:r></w:p>",
        "<w:p><w:pPr><w:numPr><w:ilvl w:val='1'/><w:numId w:val='1'/></w:numPr><w:rPr><w:del/></w:rPr></w:pPr><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>",
        "<w:p><w:hyperlink r:id='l'><w:r><w:t>link</w:t></w:r></w:hyperlink><w:r><w:fldChar w:fldCharType='begin'/><w:instrText>HYPERLINK \"x\" \\l \"y\"</w:instrText><w:fldChar w:fldCharType='separate'/><w:t>field</w:t><w:fldChar w:fldCharType='end'/><w:footnoteReference w:id='2'/></w:r></w:p>",
        "<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>",
        "<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:inline><wp:docPr descr='d'/><a:blip r:embed='i'/><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox/></w:pict></mc:Fallback></mc:AlternateContent><w:ruby><w:rt><w:r><w:t>r</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>b</w:t></w:r></w:rubyBase></w:ruby><w:sym w:font='Symbol' w:char='F061'/></w:r><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>",
        "<w:sectPr><w:headerReference r:id='h'/></w:sectPr>",
    ];
    vec![
        ("word/document.xml", part("document", &format!("<w:body>{}</w:body>", body.concat()))),
        (
            "word/_rels/document.xml.rels",
            relations(&[
                ("h", "header", "header1.xml"),
                ("i", "image", "media/i.png"),
                ("l", "hyperlink", "x"),
            ]),
        ),
        (
            "word/styles.xml",
            part(
                "styles",
                "<w:style w:type='paragraph' w:styleId='H'><w:name w:val='heading 1'/><w:basedOn w:val='H'/><w:pPr><w:outlineLvl w:val='0'/><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>",
            ),
        ),
        (
            "word/numbering.xml",
            part(
                "numbering",
                "<w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='lowerRoman'/><w:lvlText w:val='%1.%2'/><w:lvlRestart w:val='1'/></w:lvl><w:numStyleLink w:val='s'/></w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='1'><w:startOverride w:val='3'/></w:lvlOverride></w:num>",
            ),
        ),
        (
            "word/footnotes.xml",
            part("footnotes", &format!("<w:footnote w:id='2'>{}</w:footnote>", p("note"))),
        ),
        (
            "word/comments.xml",
            part("comments", &format!("<w:comment w:author='A'>{}</w:comment>", p("said"))),
        ),
        ("word/header1.xml", part("hdr", &p("head"))),
        ("word/media/i.png", "\u{89}PNG".into()),
    ]
}

fn pptx() -> Vec<(&'static str, String)> {
    let shape = "<p:sp><p:nvSpPr><p:cNvPr id='1' name='x'/><p:nvPr><p:ph type='title' idx='1'/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x='1' y='2'/><a:ext cx='3' cy='4'/></a:xfrm></p:spPr><p:txBody><a:p><a:pPr lvl='2'><a:buAutoNum type='romanLcPeriod' startAt='4'/></a:pPr><a:r><a:rPr><a:hlinkClick r:id='n'/></a:rPr><a:t>text</a:t></a:r><a:br/></a:p></p:txBody></p:sp>";
    let group = format!(
        "<p:grpSp><p:grpSpPr><a:xfrm><a:off x='1' y='2'/><a:ext cx='3' cy='4'/><a:chOff x='0' y='0'/><a:chExt cx='5' cy='0'/></a:xfrm></p:grpSpPr>{shape}</p:grpSp>"
    );
    let frame = "<p:graphicFrame><p:xfrm><a:off x='1' y='9'/><a:ext cx='3' cy='4'/></p:xfrm><a:tbl><a:tr><a:tc gridSpan='2'><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc hMerge='1'/></a:tr></a:tbl></p:graphicFrame><p:graphicFrame><dgm:relIds r:dm='d'/></p:graphicFrame><p:graphicFrame><c:chart r:id='c'/></p:graphicFrame>";
    let slide = |shapes: &str| {
        format!("<p:sld {SLIDE} show='0'><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>")
    };
    vec![
        (
            "ppt/presentation.xml",
            format!(
                "<p:presentation {SLIDE}><p:sldIdLst><p:sldId r:id='s'/></p:sldIdLst><p:sldSz cx='9144000' cy='6858000'/></p:presentation>"
            ),
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            relations(&[("s", "slide", "slides/slide1.xml"), ("a", "commentAuthors", "authors.xml")]),
        ),
        ("ppt/slides/slide1.xml", slide(&format!("{shape}{group}{frame}"))),
        (
            "ppt/slides/_rels/slide1.xml.rels",
            relations(&[
                ("l", "slideLayout", "../layout.xml"),
                ("n", "notesSlide", "../notes.xml"),
                ("k", "comments", "../comments.xml"),
                ("d", "diagramData", "../data.xml"),
                ("c", "chart", "../chart.xml"),
            ]),
        ),
        ("ppt/layout.xml", slide(shape)),
        ("ppt/notes.xml", slide(shape)),
        (
            "ppt/comments.xml",
            format!("<p:cmLst {SLIDE}><p:cm authorId='0'><p:text>said</p:text></p:cm></p:cmLst>"),
        ),
        ("ppt/authors.xml", format!("<p:cmAuthorLst {SLIDE}><p:cmAuthor id='0' name='A'/></p:cmAuthorLst>")),
        (
            "ppt/data.xml",
            format!(
                "<dgm:dataModel {SLIDE}><dgm:pt modelId='0' type='doc'/><dgm:pt modelId='1'><dgm:t><a:p><a:r><a:t>d</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:cxn srcId='0' destId='1' srcOrd='0'/></dgm:dataModel>"
            ),
        ),
        (
            "ppt/chart.xml",
            format!(
                "<c:chartSpace {SLIDE}><c:ser><c:tx><c:v>n</c:v></c:tx><c:cat><c:v>a</c:v></c:cat><c:val><c:v>1</c:v></c:val></c:ser></c:chartSpace>"
            ),
        ),
    ]
}

fn xlsx() -> Vec<(&'static str, String)> {
    let row = "<row r='2'><c r='A2' t='s'><v>0</v></c><c r='C2' s='1'><v>45292.5</v></c><c s='2'><v>-0.125</v></c><c t='inlineStr'><is><t>in</t></is></c><c t='b'><v>1</v></c><c s='3'><v>12345.678</v></c></row>";
    vec![
        (
            "xl/workbook.xml",
            format!(
                "<workbook {SHEET}><workbookPr date1904='0'/><sheets><sheet name='One' r:id='r'/><sheet name='Two' state='hidden' r:id='r'/></sheets></workbook>"
            ),
        ),
        ("xl/_rels/workbook.xml.rels", relations(&[("r", "worksheet", "s.xml")])),
        ("xl/s.xml", format!("<worksheet {SHEET}><sheetData>{row}</sheetData></worksheet>")),
        ("xl/_rels/s.xml.rels", relations(&[("c", "comments", "comments1.xml")])),
        (
            "xl/comments1.xml",
            format!(
                "<comments {SHEET}><authors><author>A</author></authors><comment ref='B3' authorId='0'><t>said</t></comment></comments>"
            ),
        ),
        ("xl/sharedStrings.xml", format!("<sst {SHEET}><si><t>a_x000D_</t><rPh><t>r</t></rPh></si></sst>")),
        (
            "xl/styles.xml",
            format!(
                "<styleSheet {SHEET}><numFmts><numFmt numFmtId='164' formatCode='[Red]#,##0.0#,%_);\"a\"0;;@'/><numFmt numFmtId='165' formatCode='[h]:mm:ss.000 AM/PM \\x [$€-407]yyyy'/></numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='165'/><xf numFmtId='164'/><xf numFmtId='11'/></cellXfs></styleSheet>"
            ),
        ),
    ]
}

fn epub() -> Vec<(&'static str, String)> {
    vec![
        ("META-INF/container.xml", "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfile full-path='a/b.opf'/></container>".into()),
        ("a/b.opf", "<package xmlns='http://www.idpf.org/2007/opf'><manifest><item id='c' href='c%201.xhtml' media-type='application/xhtml+xml'/><item id='n' href='n.xhtml' properties='nav'/><item id='t' href='t.ncx' media-type='application/x-dtbncx+xml'/></manifest><spine toc='t'><itemref idref='c'/><itemref idref='n'/></spine></package>".into()),
        ("a/c 1.xhtml", format!("<?xml version='1.0'?>{HTML}<title/>")),
        ("a/n.xhtml", "<nav type='toc'><ol><li><a href='c%201.xhtml#a'>One</a><ol><li><a href='../x'>Two</a></li></ol></li></ol></nav>".into()),
        ("a/t.ncx", "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap><navPoint><navLabel><text>One</text></navLabel><content src='c%201.xhtml'/></navPoint></navMap></ncx>".into()),
        ("META-INF/encryption.xml", "<e:encryption xmlns:e='http://www.w3.org/2001/04/xmlenc#'><e:EncryptedData><e:CipherReference URI='a/x'/></e:EncryptedData></e:encryption>".into()),
    ]
}
