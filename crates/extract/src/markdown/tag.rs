//! Tags: `#word`, `#outer/inner`.

use std::collections::HashSet;

/// Tags in order of first use, each once whatever its case.
#[derive(Debug, Default)]
pub(super) struct Tags {
    list: Vec<String>,
    seen: HashSet<String>,
}

impl Tags {
    pub(super) fn add(&mut self, tag: &str) {
        if self.seen.insert(tag.to_lowercase()) {
            self.list.push(tag.into());
        }
    }

    pub(super) fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// The tags in `run`, a piece of plain text; `before` is the character that stands before it.
pub(super) fn find<'a>(run: &'a str, before: Option<char>, mut found: impl FnMut(&'a str)) {
    let mut url = false;
    let mut rest = 0;
    while let Some(at) = run[rest..].find(|c: char| c == '#' || c == ':' || c.is_whitespace()) {
        let at = rest + at;
        let mut behind = run[at..].chars();
        match behind.next() {
            Some('#') => {}
            Some(':') => {
                url |= behind.as_str().starts_with("//");
                rest = at + 1;
                continue;
            }
            _ => {
                url = false;
                rest = run.len() - behind.as_str().len();
                continue;
            }
        }
        let name = behind.as_str();
        let name = &name[..name.find(|c| !is_tag_character(c)).unwrap_or(name.len())];
        let last = run[..at].chars().next_back().or(before);
        rest = at + 1 + name.len();
        let name = name.trim_end_matches('/');
        if !url && last.is_none_or(may_stand_before) && is_tag(name) {
            found(name);
        }
    }
}

/// Whether `name` can be a tag: not empty, not a number, not a path of nothing.
pub(super) fn is_tag(name: &str) -> bool {
    name.chars().all(is_tag_character)
        && !name.starts_with('/')
        && name.chars().any(|c| !c.is_numeric() && !"/-_".contains(c))
}

fn may_stand_before(c: char) -> bool {
    c.is_whitespace() || "([{（【「『《〈，。、；：！？“‘…—".contains(c)
}

/// Letters and digits of every script with their marks, `_`, `-`, `/`, and pictures such as 🍊.
/// White space and punctuation end a tag, full-width punctuation too.
fn is_tag_character(c: char) -> bool {
    match c {
        '_' | '-' | '/' | '\u{200D}' => true,
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        '\u{2000}'..='\u{206F}' | '\u{2E00}'..='\u{2E7F}' => false,
        '々' | '〆' | '〇' => true,
        '\u{3000}'..='\u{303F}' | '\u{FE10}'..='\u{FE1F}' | '\u{FE30}'..='\u{FE6F}' => false,
        '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' => false,
        '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}' => false,
        '\u{80}'..='\u{BF}' => c.is_alphanumeric(),
        _ => !c.is_whitespace() && !c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(run: &str, expected: &[&str]) {
        let mut tags = Vec::new();
        super::find(run, None, |tag| tags.push(tag));
        assert_eq!(tags, expected, "{run}");
    }

    #[test]
    fn tags_are_words_behind_a_hash() {
        check("#a and #b-c_d, (#e).", &["a", "b-c_d", "e"]);
        check("#读书 #读书/笔记，#标签。中文#不是", &["读书", "读书/笔记", "标签"]);
        check("#123 #1a #2024/10 #2024-q1", &["1a", "2024-q1"]);
        check("a#b ##c # d #/ #e/", &["e"]);
        check("https://x.org/#f (https://x.org/(#g) #h", &["h"]);
        check("#🍊 #café #한국어 #naïve’s", &["🍊", "café", "한국어", "naïve"]);
        check("#a#b", &["a"]);
    }
}
