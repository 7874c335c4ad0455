//! Links as they stand in a text: where their targets are, and how another target would be written there.

use std::ops::Range;

use orangery_domain::{BlockKind, KbPath, LinkKind, percent};
use orangery_extract::markdown;

use super::NOTE_EXTENSIONS;

/// A target that a note names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub kind: LinkKind,
    /// As [`orangery_domain::Link::target`] has it.
    pub target: String,
    /// Bytes of the text that name the file, without fragment, brackets and title.
    pub range: Range<usize>,
    pub form: Form,
    /// Bytes of the text that are the link as a whole; of a definition, all of it.
    pub whole: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `[[target]]`
    Wiki,
    /// `(target)`, where what would end it is escaped with percent signs.
    Bare,
    /// `(<target>)`
    Angle,
}

/// Every target in `text`, the definitions of references included. What stands in code is none.
pub fn targets(text: &str) -> Vec<Written> {
    let mut out = Vec::new();
    for link in markdown::note(text).links {
        let Some(source) = text.get(link.range.clone()) else { continue };
        let found = match link.kind {
            LinkKind::Wiki | LinkKind::Embed => wiki(source),
            LinkKind::Inline | LinkKind::Image => inline(source),
        };
        if let Some((range, form)) = found {
            let range = link.range.start + range.start..link.range.start + range.end;
            out.push(Written { kind: link.kind, target: link.target, range, form, whole: link.range });
        }
    }
    for definition in markdown::definitions(text) {
        let Some(source) = text.get(definition.range.clone()) else { continue };
        if let Some((range, form)) = defined(source) {
            let range = definition.range.start + range.start..definition.range.start + range.end;
            let kind = LinkKind::Inline;
            out.push(Written { kind, target: definition.target, range, form, whole: definition.range });
        }
    }
    out
}

/// In `[[target#fragment|alias]]`.
fn wiki(source: &str) -> Option<(Range<usize>, Form)> {
    let start = source.find("[[")? + 2;
    let inner = source.get(start..)?;
    let end = inner.find(['#', '|', ']'])?;
    let raw = inner.get(..end)?.trim_end_matches('\\');
    let lead = raw.len() - raw.trim_start().len();
    let target = raw.trim();
    (!target.is_empty()).then_some((start + lead..start + lead + target.len(), Form::Wiki))
}

/// In `[text](target "title")`; a use of a reference has no target of its own.
fn inline(source: &str) -> Option<(Range<usize>, Form)> {
    let open = source.find('[')?;
    let close = closing(source, open)?;
    source.get(close + 1..)?.strip_prefix('(')?;
    destination(source, close + 2)
}

/// In `[label]: target "title"`.
fn defined(source: &str) -> Option<(Range<usize>, Form)> {
    let open = source.find('[')?;
    let close = closing(source, open)?;
    source.get(close + 1..)?.strip_prefix(':')?;
    destination(source, close + 2)
}

/// The bracket that closes the one at `open`.
fn closing(source: &str, open: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let (mut depth, mut at) = (0usize, open);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'`' => {
                // Code holds no brackets that count.
                let run = bytes.get(at..)?.iter().take_while(|byte| **byte == b'`').count();
                let fence = "`".repeat(run);
                let after = at + run;
                at = match source.get(after..)?.find(&fence) {
                    Some(found) => after + found + run - 1,
                    None => after - 1,
                };
            }
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The path of the destination that begins at or after `at`.
fn destination(source: &str, at: usize) -> Option<(Range<usize>, Form)> {
    let rest = source.get(at..)?;
    let start = at + (rest.len() - rest.trim_start().len());
    let rest = source.get(start..)?;
    let (start, form, end) = match rest.strip_prefix('<') {
        Some(inner) => (start + 1, Form::Angle, unescaped(inner, |c, _| c == '>')?),
        None => {
            let ends = |c: char, depth: i32| c.is_whitespace() || c.is_control() || (c == ')' && depth == 0);
            (start, Form::Bare, unescaped(rest, ends).unwrap_or(rest.len()))
        }
    };
    let whole = source.get(start..start + end)?;
    let path = whole.find(['#', '?']).unwrap_or(whole.len());
    (path > 0).then_some((start..start + path, form))
}

/// Where the first unescaped character stands that ends a destination; parentheses inside are balanced.
fn unescaped(text: &str, ends: impl Fn(char, i32) -> bool) -> Option<usize> {
    let (mut depth, mut escaped) = (0, false);
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        if ends(c, depth) {
            return Some(at);
        }
        match c {
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// How `meant` may be written in the note at `note` in the manner of `old`, the most alike first.
pub fn spellings(form: Form, old: &str, note: &KbPath, meant: &KbPath) -> Vec<String> {
    let old_path = if form == Form::Wiki { old.trim().to_owned() } else { read(form, old) };
    let old_lower = old_path.to_lowercase();
    let named = NOTE_EXTENSIONS.iter().any(|extension| old_lower.ends_with(extension));
    let short = |path: &str| {
        let lower = path.to_lowercase();
        match NOTE_EXTENSIONS.iter().find(|extension| lower.ends_with(**extension)) {
            Some(extension) if !named => path[..path.len() - extension.len()].to_owned(),
            _ => path.to_owned(),
        }
    };
    let from_root = meant.as_str();
    let relative = relative(note, meant);
    let dotted = if relative.starts_with("../") { relative.clone() } else { format!("./{relative}") };
    let paths: Vec<String> = match form {
        Form::Wiki if old_path.starts_with("./") || old_path.starts_with("../") => {
            vec![short(&dotted), dotted, from_root.into()]
        }
        Form::Wiki if old_path.starts_with('/') => {
            vec![short(&format!("/{from_root}")), format!("/{from_root}")]
        }
        Form::Wiki if old_path.contains('/') => vec![short(from_root), from_root.into()],
        Form::Wiki => vec![short(meant.name()), short(from_root), meant.name().into(), from_root.into()],
        Form::Bare | Form::Angle if old_path.starts_with('/') => {
            vec![short(&format!("/{from_root}")), format!("/{from_root}")]
        }
        Form::Bare | Form::Angle if old_path.starts_with("./") => vec![short(&dotted), dotted],
        Form::Bare | Form::Angle => vec![short(&relative), relative, dotted, format!("/{from_root}")],
    };
    // Of a file without a folder the path from the root is its name, which may mean another.
    let paths = paths.into_iter().chain((form == Form::Wiki).then(|| format!("/{from_root}")));
    paths.filter_map(|path| write(form, &path, old)).collect()
}

/// A wiki link to what no wiki link can name, as links of Markdown that say the same, the most alike first. Only of
/// text: properties know no other links, and what is embedded has no other form.
pub fn inline_instead(wiki: &str, note: &KbPath, meant: &KbPath) -> Vec<String> {
    let Some(inner) = wiki.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) else { return vec![] };
    let (target, alias) = match inner.split_once('|') {
        Some((target, alias)) => (target.trim_end_matches('\\'), Some(alias)),
        None => (inner, None),
    };
    let fragment =
        target.split_once('#').map(|(_, fragment)| format!("#{}", encoded(fragment.trim(), ends_bare)));
    let label = alias.map_or_else(|| meant.stem().to_owned(), |alias| alias.trim().to_owned());
    let label: String = label
        .chars()
        .flat_map(|c| matches!(c, '[' | ']' | '\\' | '|').then_some('\\').into_iter().chain([c]))
        .collect();
    let paths = spellings(Form::Bare, meant.name(), note, meant).into_iter();
    paths.map(|path| format!("[{label}]({path}{})", fragment.as_deref().unwrap_or_default())).collect()
}

/// Whether a place in `text` is in its front matter.
pub fn is_property(text: &str, place: &Range<usize>) -> bool {
    let blocks = markdown::note(text).blocks;
    blocks.first().is_some_and(|first| first.kind == BlockKind::FrontMatter && place.start < first.range.end)
}

/// What a destination without angle brackets cannot hold.
fn ends_bare(c: char) -> bool {
    matches!(c, '(' | ')' | '<' | '>' | '\\' | '%' | '#' | '?' | '"') || c.is_whitespace() || c.is_control()
}

/// From the folder of `note` to `meant`.
fn relative(note: &KbPath, meant: &KbPath) -> String {
    let folder = note.parent().unwrap_or_else(KbPath::root);
    let folder: Vec<&str> = folder.components().collect();
    let target: Vec<&str> = meant.components().collect();
    let last = target.len().saturating_sub(1);
    let common = folder.iter().zip(target.iter().take(last)).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", folder.len() - common);
    up.chain(target.into_iter().skip(common)).collect::<Vec<_>>().join("/")
}

/// `path` as it stands in a link; `None` where no such link can hold it.
fn write(form: Form, path: &str, old: &str) -> Option<String> {
    match form {
        Form::Wiki => (!path.contains(['[', ']', '|', '#', '^', '\n', '\r'])).then(|| path.to_owned()),
        Form::Angle => {
            Some(encoded(path, |c| matches!(c, '<' | '>' | '\\' | '%' | '#' | '?') || c.is_control()))
        }
        Form::Bare => {
            // Who wrote other scripts in percent signs goes on to.
            let ascii = old.is_ascii() && old.contains('%') && !read(form, old).is_ascii();
            Some(encoded(path, |c| ends_bare(c) || (ascii && !c.is_ascii())))
        }
    }
}

fn encoded(path: &str, escapes: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if escapes(c) {
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The path that a written target names.
fn read(form: Form, written: &str) -> String {
    match form {
        Form::Wiki => written.to_owned(),
        Form::Bare | Form::Angle => percent::decoded(written),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn found(text: &str, expected: &[(&str, Form)]) {
        let got: Vec<(&str, Form)> =
            targets(text).into_iter().map(|written| (&text[written.range], written.form)).collect();
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn targets_are_found_in_every_form_and_not_in_code() {
        use Form::{Angle, Bare, Wiki};
        found(
            "[[a]] [[b#h|x]] ![[ p q.png |200]] [[#only]] | `[[c]]`",
            &[("a", Wiki), ("b", Wiki), ("p q.png", Wiki)],
        );
        found("| [[a\\|b]] |\n|---|\n", &[("a", Wiki)]);
        found(
            "[a](b.md#h \"T](x)\") [x](<with space.md>) [p](a_(b).md) ![i `]`](i%20j.png) [![b](b.svg)](c.md)",
            &[
                ("b.md", Bare),
                ("with space.md", Angle),
                ("a_(b).md", Bare),
                ("i%20j.png", Bare),
                ("c.md", Bare),
                ("b.svg", Bare),
            ],
        );
        found(
            "[r][ref] [ref]\n\n[ref]: <a b.md> 'T'\n[two]:\n  c.md#h\n",
            &[("a b.md", Angle), ("c.md", Bare)],
        );
        found("---\nup: \"[[u]]\"\n---\n\n```\n[[x]]\n[y](z.md)\n```\n", &[("u", Wiki)]);
    }

    #[test]
    fn new_targets_are_written_in_the_manner_of_the_old() {
        let first = |form, old: &str, note: &str, meant: &str| {
            spellings(form, old, &KbPath::parse(note).unwrap(), &KbPath::parse(meant).unwrap()).remove(0)
        };
        use Form::{Angle, Bare, Wiki};
        assert_eq!(first(Wiki, "a", "n.md", "p/b.md"), "b");
        assert_eq!(first(Wiki, "a.md", "n.md", "p/b.md"), "b.md");
        assert_eq!(first(Wiki, "x/a", "n.md", "p/b.md"), "p/b");
        assert_eq!(first(Wiki, "../a", "q/n.md", "p/b.md"), "../p/b");
        assert_eq!(first(Wiki, "i.png", "n.md", "p/j.png"), "j.png");
        assert_eq!(first(Bare, "a.md", "q/n.md", "p/b c(1).md"), "../p/b%20c%281%29.md");
        assert_eq!(first(Angle, "a.md", "n.md", "p/b c(1).md"), "p/b c(1).md");
        assert_eq!(first(Bare, "/a.md", "q/n.md", "p/b.md"), "/p/b.md");
        assert_eq!(first(Bare, "./a", "q/n.md", "q/b.md"), "./b");
        assert_eq!(first(Bare, "%E8%8C%B6.md", "n.md", "书.md"), "%E4%B9%A6.md");
        assert_eq!(first(Bare, "茶.md", "n.md", "书.md"), "书.md");
        let none = spellings(Wiki, "a", &KbPath::root(), &KbPath::parse("b#c.md").unwrap());
        assert_eq!(none, Vec::<String>::new());
    }
}
