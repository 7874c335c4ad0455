//! From a page's elements to blocks.

use orangery_domain::{BlockKind, Spot};

use super::Added;
use super::tree::Page;
use crate::document::{Builder, Inline};
use crate::office::number;

/// Goes through a page and adds its blocks.
pub(super) struct Walker<'w> {
    pub page: &'w Page,
    builder: &'w mut Builder,
    spot: Spot,
    /// Leave out what leads around a site.
    main_only: bool,
    added: Added,
    /// The block at work.
    inline: Inline,
    kind: BlockKind,
    /// A number or bullet for the next block.
    marker: Option<String>,
    /// A blank is due before the next word.
    gap: bool,
    /// Within `<pre>`: blanks count.
    verbatim: usize,
    /// Within a cell or a heading: blocks are words of one line.
    joined: usize,
    /// Ids whose block is still to come.
    ids: Vec<String>,
    lists: Vec<List>,
}

struct List {
    ordered: bool,
    next: i64,
    step: i64,
    format: &'static str,
}

impl<'w> Walker<'w> {
    pub(super) fn new(page: &'w Page, builder: &'w mut Builder, spot: Spot, main_only: bool) -> Self {
        Self {
            page,
            builder,
            spot,
            main_only,
            added: Added::default(),
            inline: Inline::default(),
            kind: BlockKind::Paragraph,
            marker: None,
            gap: false,
            verbatim: 0,
            joined: 0,
            ids: Vec::new(),
            lists: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, root: usize) {
        self.children(root);
        self.flush();
    }

    pub(super) fn into_added(self) -> Added {
        self.added
    }

    pub(super) fn children(&mut self, at: usize) {
        for child in self.page.children(at) {
            match self.page.own_text(child) {
                Some(text) => self.words(text),
                None => self.element(child),
            }
        }
    }

    fn element(&mut self, at: usize) {
        let page = self.page;
        let name = page.name(at);
        if name.is_empty() || self.builder.is_full() || self.is_left_out(at, name) {
            return;
        }
        if let Some(id) = page.attribute(at, "id").filter(|_| self.joined == 0) {
            self.ids.push(id.to_owned());
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name.as_bytes()[1] - b'0';
                self.block(BlockKind::Heading { level }, |walker| {
                    walker.joined += 1;
                    walker.children(at);
                    walker.joined -= 1;
                });
            }
            "p" | "div" | "section" | "article" | "main" | "header" | "footer" | "aside" | "nav"
            | "address" | "figure" | "form" | "fieldset" | "legend" | "details" | "summary" | "dl" | "dt"
            | "dd" | "center" | "body" | "html" | "hgroup" | "search" | "hr" | "tr" | "td" | "th"
            | "tbody" | "thead" | "tfoot" => {
                let kind = self.kind;
                self.block(kind, |walker| walker.children(at));
            }
            "blockquote" => self.block(BlockKind::Quote, |walker| walker.children(at)),
            "figcaption" | "caption" => self.block(BlockKind::Caption, |walker| walker.children(at)),
            "pre" | "listing" | "xmp" | "plaintext" => self.block(BlockKind::Code, |walker| {
                walker.verbatim += 1;
                walker.children(at);
                walker.verbatim -= 1;
            }),
            "ul" | "ol" | "menu" | "dir" => self.list(at, name == "ol"),
            "li" => self.item(at),
            "table" => self.table(at),
            "br" => self.line_end(),
            "wbr" => {}
            "a" => {
                let start = self.start_of_link();
                self.children(at);
                if let Some(target) = page.attribute(at, "href").map(str::trim).filter(|href| leads(href)) {
                    self.inline.link(start, target);
                }
            }
            "img" | "image" => self.picture(at),
            "q" => {
                self.words("“");
                self.children(at);
                self.words("”");
            }
            "rt" => {
                self.words("(");
                self.children(at);
                self.words(")");
            }
            "annotation" | "annotation-xml" => {}
            "textarea" | "input" | "select" | "button" | "datalist" | "meter" | "progress" => {}
            _ => self.children(at),
        }
    }

    fn is_left_out(&self, at: usize, name: &str) -> bool {
        let page = self.page;
        let never = [
            "script", "style", "noscript", "template", "head", "iframe", "object", "embed", "canvas", "svg",
            "audio", "video", "rp", "noembed", "noframes", "frameset", "map", "title", "link", "meta",
        ];
        if never.contains(&name) || page.attribute(at, "hidden").is_some_and(|value| value != "until-found") {
            return true;
        }
        if name == "dialog" && page.attribute(at, "open").is_none() {
            return true;
        }
        if page.attribute(at, "aria-hidden").is_some_and(|value| value == "true") {
            return true;
        }
        if let Some(style) = page.attribute(at, "style") {
            let style: String =
                style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
            if style.contains("display:none") || style.contains("visibility:hidden") {
                return true;
            }
        }
        if !self.main_only {
            return false;
        }
        let role = page.attribute(at, "role").unwrap_or_default();
        matches!(name, "nav" | "aside" | "footer")
            || matches!(role, "navigation" | "complementary" | "contentinfo" | "search")
    }

    /// A block of its own, with what `fill` puts in it.
    pub(super) fn block(&mut self, kind: BlockKind, fill: impl FnOnce(&mut Self)) {
        self.flush();
        let before = std::mem::replace(&mut self.kind, kind);
        fill(self);
        self.flush();
        self.kind = before;
    }

    /// Ends the block at work.
    fn flush(&mut self) {
        if self.joined > 0 {
            self.gap = true;
            return;
        }
        self.gap = false;
        let mut inline = std::mem::take(&mut self.inline);
        if inline.is_blank() {
            return;
        }
        if let Some(marker) = self.marker.take() {
            let mut marked = Inline::default();
            marked.mark(&marker);
            inline.trim_start();
            marked.append(&inline);
            inline = marked;
        }
        self.push(self.kind, &inline);
    }

    pub(super) fn push(&mut self, kind: BlockKind, inline: &Inline) {
        if self.builder.push_inline(kind, self.spot, inline).is_some() {
            let block = self.builder.blocks();
            self.added.anchors.extend(self.ids.drain(..).map(|id| (id, block)));
        }
    }

    /// The text of one cell as a line.
    pub(super) fn line_of(&mut self, at: usize) -> Inline {
        let outer = std::mem::take(&mut self.inline);
        let (gap, verbatim) = (std::mem::take(&mut self.gap), std::mem::take(&mut self.verbatim));
        self.joined += 1;
        self.children(at);
        self.joined -= 1;
        (self.gap, self.verbatim) = (gap, verbatim);
        let mut line = std::mem::replace(&mut self.inline, outer);
        line.flatten();
        line
    }

    pub(super) fn is_joined(&self) -> bool {
        self.joined > 0
    }

    /// A table within a line.
    pub(super) fn add_line(&mut self, mut line: Inline) {
        line.flatten();
        if !self.inline.is_blank() && !line.is_blank() {
            self.inline.push(" ");
        }
        self.inline.append(&line);
        self.gap = true;
    }

    fn words(&mut self, text: &str) {
        if self.verbatim > 0 {
            self.inline.push(text);
            return;
        }
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}');
        let starts = text.starts_with(blank);
        let mut first = true;
        for word in text.split(blank).filter(|word| !word.is_empty()) {
            let due = if first { self.gap || starts } else { true };
            first = false;
            if due && !self.inline.shown().is_empty() && !self.inline.shown().ends_with(['\n', ' ']) {
                self.inline.push(" ");
            }
            self.gap = false;
            if word.contains('\u{a0}') {
                self.inline.push(&word.replace('\u{a0}', " "));
            } else {
                self.inline.push(word);
            }
        }
        self.gap |= if first { starts } else { text.ends_with(blank) };
    }

    fn line_end(&mut self) {
        if self.joined > 0 {
            self.gap = true;
        } else {
            self.inline.push("\n");
            self.gap = false;
        }
    }

    /// Puts a blank that is due before a link, so that the link does not begin with it.
    fn start_of_link(&mut self) -> usize {
        if std::mem::take(&mut self.gap)
            && !self.inline.shown().is_empty()
            && !self.inline.shown().ends_with('\n')
        {
            self.inline.push(" ");
        }
        self.inline.position()
    }

    fn list(&mut self, at: usize, ordered: bool) {
        self.flush();
        let page = self.page;
        let reversed = page.attribute(at, "reversed").is_some();
        let items = || page.children(at).filter(|child| page.is(*child, "li")).count() as i64;
        let start = page.attribute(at, "start").and_then(|start| start.trim().parse().ok());
        let next = start.unwrap_or_else(|| if reversed { items() } else { 1 });
        let format = match page.attribute(at, "type").unwrap_or_default() {
            "a" => "lowerLetter",
            "A" => "upperLetter",
            "i" => "lowerRoman",
            "I" => "upperRoman",
            _ => "decimal",
        };
        self.lists.push(List { ordered, next, step: if reversed { -1 } else { 1 }, format });
        self.children(at);
        self.flush();
        self.lists.pop();
    }

    fn item(&mut self, at: usize) {
        self.flush();
        let value = self.page.attribute(at, "value").and_then(|value| value.trim().parse::<i64>().ok());
        let marker = match self.lists.last_mut() {
            Some(list) if list.ordered => {
                let number = value.unwrap_or(list.next);
                list.next = number.saturating_add(list.step);
                format!("{}. ", number::format(list.format, number))
            }
            _ => "• ".to_owned(),
        };
        if self.joined > 0 {
            self.children(at);
            self.gap = true;
            return;
        }
        self.marker = Some(marker);
        self.block(BlockKind::ListItem, |walker| walker.children(at));
        self.marker = None;
    }

    fn picture(&mut self, at: usize) {
        let source = self.page.attribute(at, "src").or_else(|| self.page.attribute(at, "href"));
        let said = self.page.attribute(at, "alt").unwrap_or_default();
        if let Some(source) = source.filter(|source| !source.starts_with("data:")) {
            let block = self.builder.blocks() + u32::from(!self.inline.is_blank());
            self.added.pictures.push((source.to_owned(), squeezed(said), block));
        }
    }
}

/// Whether a link leads somewhere that a reader can go.
fn leads(target: &str) -> bool {
    let lower = target.get(..11).unwrap_or(target).to_ascii_lowercase();
    !target.is_empty()
        && !target.starts_with('#')
        && !lower.starts_with("javascript:")
        && !lower.starts_with("data:")
}

/// Blanks as one each, none at the ends.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
