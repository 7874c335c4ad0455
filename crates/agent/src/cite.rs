//! Numbers for passages, and the list at the end of an answer.
//!
//! Every passage that a tool shows gets a number that is never used again in its session; the model
//! cites `[n]`. In what people read, the numbers are those of the answer's own list, from 1.

use orangery_domain::Citation;
use serde::{Deserialize, Serialize};

/// The passages that a session's tools have shown.
#[derive(Debug, Clone, Default)]
pub struct Passages {
    known: Vec<Numbered>,
}

/// A passage under its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Numbered {
    pub number: u32,
    pub citation: Citation,
}

impl Passages {
    /// Takes up what an earlier call numbered.
    pub fn extend(&mut self, passages: Vec<Numbered>) {
        self.known.extend(passages);
    }

    /// The number of a passage; the same lines of the same file keep theirs.
    pub fn number(&mut self, citation: Citation) -> u32 {
        let same = |known: &&Numbered| {
            known.citation.file_id == citation.file_id
                && known.citation.lines == citation.lines
                && known.citation.spot == citation.spot
                && known.citation.snippet == citation.snippet
        };
        if let Some(known) = self.known.iter().find(same) {
            return known.number;
        }
        let number = self.known.iter().map(|known| known.number).max().unwrap_or(0) + 1;
        self.known.push(Numbered { number, citation });
        number
    }

    pub fn get(&self, number: u32) -> Option<&Citation> {
        self.known.iter().find(|known| known.number == number).map(|known| &known.citation)
    }

    /// How many there are; what is numbered after this is [`Passages::since`] it.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Passages numbered after the first `len`.
    pub fn since(&self, len: usize) -> &[Numbered] {
        self.known.get(len..).unwrap_or_default()
    }
}

/// Turns the session's numbers in a streamed answer into those of the answer's own list.
#[derive(Debug, Default)]
pub struct Citer {
    /// Session numbers in the order of their first appearance.
    cited: Vec<u32>,
    /// An unfinished marker or run of backticks at the end of what came so far.
    held: String,
    /// The run of backticks that opened a code span or fence, outside which markers count.
    code: Option<usize>,
}

/// Longer than any marker: `[1234567, 1234567]`.
const MARKER_LIMIT: usize = 40;

impl Citer {
    /// Takes a piece of the model's text and gives what can be shown of it.
    pub fn push(&mut self, piece: &str, passages: &Passages) -> String {
        let mut shown = String::new();
        for character in piece.chars() {
            self.step(character, passages, &mut shown);
        }
        shown
    }

    /// What was held back, at the end of the text.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// The list that the shown numbers refer to.
    pub fn citations(&self, passages: &Passages) -> Vec<Citation> {
        self.cited.iter().filter_map(|number| passages.get(*number).cloned()).collect()
    }

    fn step(&mut self, character: char, passages: &Passages, shown: &mut String) {
        if self.held.starts_with('`') && character != '`' {
            let run = self.held.len();
            self.code = match self.code {
                None => Some(run),
                Some(open) if open == run => None,
                open => open,
            };
            shown.push_str(&std::mem::take(&mut self.held));
        }
        if character == '`' {
            if !self.held.starts_with('`') {
                shown.push_str(&std::mem::take(&mut self.held));
            }
            self.held.push('`');
            return;
        }
        if let Some(run) = self.code {
            // A lone backtick opens nothing; without its partner it must not swallow the rest.
            if character == '\n' && run < 3 {
                self.code = None;
            }
            shown.push(character);
            return;
        }
        if character == '[' && self.held == "[" {
            // `[[` opens a wiki link, whatever its name is.
            shown.push_str("[[");
            self.held.clear();
            return;
        }
        if character == '[' {
            shown.push_str(&std::mem::replace(&mut self.held, "[".into()));
            return;
        }
        if self.held.is_empty() {
            shown.push(character);
            return;
        }
        self.held.push(character);
        if character == ']' {
            let marker = std::mem::take(&mut self.held);
            shown.push_str(&self.marker(marker, passages));
        } else if !(character.is_ascii_digit() || matches!(character, ',' | ' '))
            || self.held.len() > MARKER_LIMIT
        {
            shown.push_str(&std::mem::take(&mut self.held));
        }
    }

    /// `[3]` or `[3, 5]` in the numbers of the answer. A number that no passage has must not come to
    /// stand for another one, so its brackets are escaped.
    fn marker(&mut self, marker: String, passages: &Passages) -> String {
        let inner = &marker[1..marker.len() - 1];
        let numbers: Option<Vec<u32>> = inner.split(',').map(|part| part.trim().parse().ok()).collect();
        let Some(numbers) = numbers else { return marker };
        let mut shown = String::new();
        for number in numbers {
            if passages.get(number).is_none() {
                shown.push_str(&format!("\\[{number}\\]"));
                continue;
            }
            let place = self.cited.iter().position(|cited| *cited == number).unwrap_or_else(|| {
                self.cited.push(number);
                self.cited.len() - 1
            });
            shown.push_str(&format!("[{}]", place + 1));
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use orangery_domain::{FileId, FilePlace, KbId, KbPath, LineRange};

    use super::*;

    fn passages(count: i64) -> Passages {
        let mut passages = Passages::default();
        for id in 1..=count {
            let number = passages.number(Citation {
                file_id: FileId(id),
                place: FilePlace { kb_id: KbId(1), path: KbPath::root() },
                title: id.to_string(),
                heading_path: vec![],
                lines: LineRange { start: 1, end: 1 },
                blocks: None,
                spot: None,
                spot_end: None,
                snippet: String::new(),
                marks: vec![],
            });
            assert_eq!(i64::from(number), id);
        }
        passages
    }

    /// However the text is cut into pieces, what is shown is the same.
    fn check(text: &str, expected: &str, titles: &[&str]) {
        let passages = passages(9);
        for size in [1, 2, 3, 7, text.len().max(1)] {
            let mut citer = Citer::default();
            let characters: Vec<char> = text.chars().collect();
            let mut shown = String::new();
            for piece in characters.chunks(size) {
                shown += &citer.push(&piece.iter().collect::<String>(), &passages);
            }
            shown += &citer.finish();
            assert_eq!(shown, expected, "in pieces of {size}");
            let cited = citer.citations(&passages);
            assert_eq!(cited.iter().map(|citation| citation.title.as_str()).collect::<Vec<_>>(), titles);
        }
    }

    #[test]
    fn only_what_is_cited_is_listed_and_numbered_anew() {
        check("甲[7]，乙[2]，丙[7]。", "甲[1]，乙[2]，丙[1]。", &["7", "2"]);
        check("both [3, 1] and [3][1]", "both [1][2] and [1][2]", &["3", "1"]);
    }

    #[test]
    fn a_number_without_passage_never_points_at_another() {
        check("a [99] b [4]", "a \\[99\\] b [1]", &["4"]);
    }

    #[test]
    fn other_brackets_stay() {
        check("[ ] task, [x], [link](u), [[wiki]], [", "[ ] task, [x], [link](u), [[wiki]], [", &[]);
        check("`a[1]` and ```\nb[2]\n``` then [5]", "`a[1]` and ```\nb[2]\n``` then [1]", &["5"]);
        check("[1", "[1", &[]);
        check("[[2]] and [2]", "[[2]] and [1]", &["2"]);
        check("a ` b [2]\nc [3]", "a ` b [2]\nc [1]", &["3"]);
    }
}
