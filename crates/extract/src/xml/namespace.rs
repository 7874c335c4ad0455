//! The vocabularies that readers know. Office has each of its own twice: transitional and strict.

macro_rules! namespaces {
    ($($(#[$doc:meta])* $variant:ident $($address:literal)*,)*) => {
        /// A namespace.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Ns {
            /// No namespace.
            None,
            /// One that no reader knows.
            Other,
            $($(#[$doc])* $variant,)*
        }

        impl Ns {
            fn of(address: &str) -> Self {
                match address {
                    "" => Self::None,
                    $($($address)|* => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

namespaces! {
    Word "http://schemas.openxmlformats.org/wordprocessingml/2006/main" "http://purl.oclc.org/ooxml/wordprocessingml/main" "http://schemas.microsoft.com/office/word/2006/wordml",
    Word2010 "http://schemas.microsoft.com/office/word/2010/wordml",
    Slides "http://schemas.openxmlformats.org/presentationml/2006/main" "http://purl.oclc.org/ooxml/presentationml/main",
    Sheets "http://schemas.openxmlformats.org/spreadsheetml/2006/main" "http://purl.oclc.org/ooxml/spreadsheetml/main",
    Drawing "http://schemas.openxmlformats.org/drawingml/2006/main" "http://purl.oclc.org/ooxml/drawingml/main",
    WordDrawing "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
    Picture "http://schemas.openxmlformats.org/drawingml/2006/picture" "http://purl.oclc.org/ooxml/drawingml/picture",
    Diagram "http://schemas.openxmlformats.org/drawingml/2006/diagram" "http://purl.oclc.org/ooxml/drawingml/diagram",
    Chart "http://schemas.openxmlformats.org/drawingml/2006/chart" "http://purl.oclc.org/ooxml/drawingml/chart",
    /// A diagram as it was last drawn.
    DrawnDiagram "http://schemas.microsoft.com/office/drawing/2008/diagram",
    Shape "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    Math "http://schemas.openxmlformats.org/officeDocument/2006/math" "http://purl.oclc.org/ooxml/officeDocument/math",
    /// Alternatives of which a reader takes one.
    Compatibility "http://schemas.openxmlformats.org/markup-compatibility/2006",
    Vml "urn:schemas-microsoft-com:vml",
    VmlOffice "urn:schemas-microsoft-com:office:office",
    Reference "http://schemas.openxmlformats.org/officeDocument/2006/relationships" "http://purl.oclc.org/ooxml/officeDocument/relationships",
    Relationships "http://schemas.openxmlformats.org/package/2006/relationships",
    Dublin "http://purl.org/dc/elements/1.1/" "http://purl.org/dc/elements/1.0/",
    Threads "http://schemas.microsoft.com/office/powerpoint/2018/8/main",
    Container "urn:oasis:names:tc:opendocument:xmlns:container",
    Book "http://www.idpf.org/2007/opf",
    Toc "http://www.daisy.org/z3986/2005/ncx/",
    Encryption "http://www.w3.org/2001/04/xmlenc#",
    Svg "http://www.w3.org/2000/svg",
}

/// Declarations in force at one time; real parts have some dozens.
const DECLARED: usize = 1000;

/// The prefixes in force.
#[derive(Debug, Default)]
pub(crate) struct Scope<'a> {
    declared: Vec<(&'a str, Ns)>,
    /// The prefix that was looked up last; nearly always the next one too.
    recent: Option<(&'a str, Ns)>,
}

impl<'a> Scope<'a> {
    pub(crate) fn mark(&self) -> usize {
        self.declared.len()
    }

    pub(crate) fn restore(&mut self, mark: usize) {
        if self.declared.len() > mark {
            self.declared.truncate(mark);
            self.recent = None;
        }
    }

    pub(crate) fn declare(&mut self, prefix: &'a str, address: &str) {
        // Every name is looked up in this list, so it must stay short.
        self.recent = None;
        if self.declared.len() < DECLARED {
            self.declared.push((prefix, Ns::of(address)));
        }
    }

    pub(crate) fn resolve(&mut self, prefix: &'a str) -> Ns {
        if let Some((recent, ns)) = self.recent
            && recent == prefix
        {
            return ns;
        }
        let ns = self.look_up(prefix);
        self.recent = Some((prefix, ns));
        ns
    }

    fn look_up(&self, prefix: &str) -> Ns {
        let found = self.declared.iter().rev().find(|(declared, _)| *declared == prefix);
        match found {
            Some((_, ns)) => *ns,
            // A part whose declarations are lost still means what everybody writes.
            None => match prefix {
                "" => Ns::None,
                "w" => Ns::Word,
                "a" => Ns::Drawing,
                "p" => Ns::Slides,
                "r" => Ns::Reference,
                _ => Ns::Other,
            },
        }
    }
}
