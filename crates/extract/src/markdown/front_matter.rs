//! Front matter: a YAML block between `---` lines or a TOML block between `+++` lines at the very
//! start. It is kept verbatim; only the title and the tags are read, by a reader that knows just the
//! shapes in which these two are written.

use std::ops::Range;

use orangery_domain::{Link, LinkKind};

use super::{tag, walk};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrontMatter {
    /// From the first byte to the end of the closing line, its ending left out.
    pub(super) range: Range<usize>,
    /// What stands between the fences.
    pub(super) body: String,
    pub(super) title: Option<String>,
    pub(super) tags: Vec<String>,
}

pub(super) fn read(text: &str) -> Option<FrontMatter> {
    let toml = text.starts_with("+++");
    let fence = if toml { "+++" } else { "---" };
    let mut lines = Lines { text, at: 0 };
    let first = lines.next()?;
    if text[first].trim_end() != fence {
        return None;
    }
    let start = lines.at;
    let close = lines.find(|line| {
        let line = text[line.clone()].trim_end();
        line == fence || (!toml && line == "...")
    })?;
    let body = &text[start..close.start];
    let mut front =
        FrontMatter { range: 0..close.end, body: body.trim().into(), title: None, tags: Vec::new() };
    front.read_keys(body, if toml { '=' } else { ':' });
    Some(front)
}

/// Wiki links inside properties.
pub(super) fn links(text: &str, range: &Range<usize>) -> Vec<Link> {
    let mut links = Vec::new();
    let mut at = range.start;
    while let Some(open) = text[at..range.end].find("[[").map(|open| open + at) {
        let inner = open + 2;
        let stop = text[inner..range.end].find(['[', ']', '\r', '\n']).map_or(range.end, |stop| stop + inner);
        at = stop;
        if stop == inner || !text[stop..range.end].starts_with("]]") {
            at = at.max(inner);
            continue;
        }
        let (name, alias) = match text[inner..stop].split_once('|') {
            Some((name, alias)) => (name, Some(alias)),
            None => (&text[inner..stop], None),
        };
        links.push(walk::link(LinkKind::Wiki, name, alias.map(Into::into), open..stop + 2));
        at = stop + 2;
    }
    links
}

/// Byte ranges of lines without their endings.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let end = rest.find(['\r', '\n']).map_or(self.text.len(), |end| start + end);
        let ending = match &self.text[end..] {
            rest if rest.starts_with("\r\n") => 2,
            "" => 0,
            _ => 1,
        };
        self.at = end + ending;
        Some(start..end)
    }
}

impl FrontMatter {
    /// Reads `title` and `tags` from lines of `key SEPARATOR value`.
    fn read_keys(&mut self, body: &str, separator: char) {
        let lines: Vec<&str> = Lines { text: body, at: 0 }.map(|line| &body[line]).collect();
        for (at, line) in lines.iter().enumerate() {
            if line.starts_with([' ', '\t', '#', '-']) {
                continue;
            }
            let Some((key, value)) = line.split_once(separator) else {
                continue;
            };
            // A value goes on over the indented lines (and, in YAML, the `-` lines) below its key.
            let more = lines[at + 1..]
                .iter()
                .take_while(|line| line.is_empty() || line.starts_with([' ', '\t', '-', ']', '"']));
            let value = value.trim();
            match key.trim().trim_matches('"').to_lowercase().as_str() {
                "title" => self.title = self.title.take().or_else(|| title(value, more)),
                "tags" | "tag" => {
                    let all: Vec<&str> = std::iter::once(value).chain(more.copied()).collect();
                    self.tags.extend(tags(&all));
                }
                _ => {}
            }
        }
    }
}

fn title<'a>(value: &str, more: impl Iterator<Item = &'a &'a str>) -> Option<String> {
    let folded = value.starts_with(['>', '|']);
    let text = if folded {
        more.map(|line| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    } else {
        scalar(value).into_owned()
    };
    let text = text.trim();
    (!text.is_empty()).then(|| text.into())
}

/// One value without quotes and without a comment behind it.
fn scalar(value: &str) -> std::borrow::Cow<'_, str> {
    let value = value.trim();
    if let Some(inner) = value.strip_prefix('\'') {
        // `''` is a quote; the first single one ends.
        let mut out = String::new();
        let mut characters = inner.chars().peekable();
        while let Some(c) = characters.next() {
            if c == '\'' && characters.next_if_eq(&'\'').is_none() {
                break;
            }
            out.push(c);
        }
        return out.into();
    }
    if let Some(inner) = value.strip_prefix('"') {
        let mut out = String::new();
        let mut characters = inner.chars();
        while let Some(c) = characters.next() {
            match c {
                '"' => break,
                '\\' => out.extend(characters.next()),
                c => out.push(c),
            }
        }
        return out.into();
    }
    let end = if value.starts_with('#') { 0 } else { value.find(" #").unwrap_or(value.len()) };
    value[..end].trim_end().into()
}

/// `[a, "b"]`, `a, b`, `a b` or a list of `- a` lines.
fn tags(lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .map(|line| line.split(" # ").next().unwrap_or_default().trim().trim_start_matches("- "))
        .flat_map(|line| line.split([',', '[', ']', ' ']))
        .map(|tag| {
            tag.trim_matches(['"', '\'', ' ', '\t', '-']).trim_start_matches('#').trim_end_matches('/')
        })
        .filter(|tag| !tag.is_empty() && tag::is_tag(tag))
        .map(Into::into)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, title: Option<&str>, tags: &[&str]) {
        let front = read(text).unwrap();
        assert_eq!(
            (front.title.as_deref(), front.tags),
            (title, tags.iter().map(|tag| (*tag).into()).collect())
        );
    }

    #[test]
    fn title_and_tags_are_read_in_the_shapes_they_have() {
        check("---\ntitle: 读书 # note\ntags: [a, \"b/c\", '#d']\n---\n", Some("读书"), &["a", "b/c", "d"]);
        check(
            "---\r\ntags:\r\n  - a\r\n  - b\r\ntitle: 'It''s: so'\r\n---\r\n",
            Some("It's: so"),
            &["a", "b"],
        );
        check("---\ntags:\n- a\n- \"标签\"\nother: - x\n---", None, &["a", "标签"]);
        check("---\rtag: a, b\rtitle: \"a \\\"b\\\"\"\r...\rtext", Some("a \"b\""), &["a", "b"]);
        check("---\ntitle: >-\n  two\n  lines\nnested:\n  title: no\n---\n", Some("two lines"), &[]);
        check("+++\ntitle = \"T\"\ntags = [\n  \"a\",\n  \"b\"\n]\n+++\n", Some("T"), &["a", "b"]);
        check("---\ntitle:\ntags: 2024\n---\n", None, &[]);
        check("---\n---\n", None, &[]);
    }

    #[test]
    fn only_a_closed_block_at_the_start_counts() {
        for text in
            ["---\ntitle: x\n", "a\n---\nb\n---\n", " ---\na\n---\n", "----\na\n----\n", "+++\na\n---\n", ""]
        {
            assert_eq!(read(text), None, "{text:?}");
        }
        assert_eq!(read("---\na: 1\n--- \nrest").unwrap().range, 0..13);
    }
}
