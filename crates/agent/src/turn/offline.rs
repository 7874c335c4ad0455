//! The offline assistant: no model, only search and read, through the same gate and tools.
//!
//! It says nothing of its own: notices, which the UI words in the user's language, and passages quoted
//! from notes with their numbers.

use std::collections::BTreeMap;

use orangery_domain::Warning;
use orangery_model::{ChatMessage, ToolCall};
use serde_json::{Value, json};

use super::Turn;
use super::transcript::Answer;
use crate::Result;
use crate::call::Outcome;

/// Passages of one answer.
const PASSAGES: u32 = 6;
/// Files looked into.
const FILES: usize = 4;
/// Lines of a passage, and lines around it, of which those of its own paragraph are quoted.
const LINES: u64 = 30;
const CONTEXT: u32 = 4;
/// Characters of one quotation.
const QUOTE: usize = 700;
/// Characters of one streamed piece.
const PIECE: usize = 24;

/// A passage that search found.
struct Found {
    citation: u64,
    title: String,
    heading: Vec<String>,
    lines: (u64, u64),
    text: String,
}

pub(super) async fn answer(turn: &Turn) -> Result<()> {
    // Numbers go on from those of earlier turns.
    turn.history().await?;
    turn.notice(Warning::new("offlineNoModel", "")).await?;
    let mut number = 0;
    let mut call = |name: &str, arguments: Value| {
        number += 1;
        let id = format!("offline-{}-{number}", turn.bench.turn_id);
        ToolCall { id, name: name.into(), arguments: arguments.to_string(), signature: None }
    };
    // By file, in the order in which search found them.
    let mut found: Vec<(Value, Vec<Found>)> = Vec::new();
    let mut searched = false;
    for arguments in searches(turn) {
        if let (Outcome::Done { output, .. }, _) = turn.step(&call("search", arguments), vec![]).await? {
            searched = true;
            for passage in output["passages"].as_array().into_iter().flatten() {
                // By its path: this is what the step shows.
                let mut file = json!({ "path": passage["path"] });
                if !passage["knowledgeBaseId"].is_null() {
                    file["knowledgeBaseId"] = passage["knowledgeBaseId"].clone();
                }
                let full = found.len() == FILES;
                match found.iter_mut().find(|(known, _)| *known == file) {
                    Some((_, passages)) => passages.push(Found::of(passage)),
                    None if full => {}
                    None => found.push((file, vec![Found::of(passage)])),
                }
            }
        }
        if turn.stopped() {
            return Ok(());
        }
    }
    if found.is_empty() {
        // A search that was not let through found nothing because it did not look: its step says so.
        return if searched { turn.notice(Warning::new("offlineNothingFound", "")).await } else { Ok(()) };
    }
    let mut quotations = Vec::new();
    for (mut file, passages) in found {
        let lines = |passage: &Found| passage.lines.0..=passage.lines.1.min(passage.lines.0 + LINES);
        let around: Vec<u64> = passages.iter().flat_map(lines).collect();
        (file["around"], file["context"]) = (json!(around), json!(CONTEXT));
        let rows = match turn.step(&call("read", file), vec![]).await?.0 {
            Outcome::Done { output, .. } => rows(&output),
            _ => BTreeMap::new(),
        };
        if turn.stopped() {
            return Ok(());
        }
        quotations.extend(passages.iter().map(|passage| (passage.heading(), passage.quotation(&rows))));
    }
    let mut answer = Answer::new(turn, None);
    for (heading, quotation) in quotations {
        answer.push(&heading).await?;
        for piece in pieces(&quotation) {
            answer.quote(&piece).await?;
        }
        if turn.stopped() {
            break;
        }
    }
    let said = ChatMessage::Assistant { text: answer.raw().to_owned(), reasoning: None, calls: vec![] };
    answer.finish(turn.stopped(), &[said]).await
}

/// The question as searches: in the files that the user pointed at, or everywhere.
fn searches(turn: &Turn) -> Vec<Value> {
    let query = turn.bench.goal.trim();
    if turn.mentions.is_empty() {
        return vec![json!({ "query": query, "limit": PASSAGES })];
    }
    let within = |place: &orangery_domain::FilePlace| {
        json!({
            "query": query,
            "limit": PASSAGES,
            "knowledgeBaseIds": [place.kb_id],
            "pathPrefix": place.path,
        })
    };
    turn.mentions.iter().take(FILES).map(within).collect()
}

/// Streams like a model does, so that one UI serves both.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

/// Numbered rows of a read, by their numbers.
fn rows(output: &Value) -> BTreeMap<u64, String> {
    let rows = output["rows"].as_str().unwrap_or_default().lines();
    rows.filter_map(|row| {
        let (number, line) = row.split_once('\t')?;
        Some((number.parse().ok()?, line.to_owned()))
    })
    .collect()
}

impl Found {
    fn of(passage: &Value) -> Self {
        let text = |field: &str| passage[field].as_str().unwrap_or_default().to_owned();
        Self {
            citation: passage["citation"].as_u64().unwrap_or_default(),
            title: text("title"),
            heading: passage["headingPath"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|part| part.as_str().map(str::to_owned))
                .collect(),
            lines: (
                passage["lines"][0].as_u64().unwrap_or_default(),
                passage["lines"][1].as_u64().unwrap_or_default(),
            ),
            text: text("text"),
        }
    }

    /// Where it stands, with its number.
    fn heading(&self) -> String {
        let place = match self.heading.last() {
            Some(heading) if *heading != self.title => format!("{} › {heading}", self.title),
            _ => self.title.clone(),
        };
        format!("**{}** [{}]\n\n", place.replace(['*', '[', '`'], " ").trim(), self.citation)
    }

    /// The lines themselves.
    fn quotation(&self, rows: &BTreeMap<u64, String>) -> String {
        let paragraph = self.paragraph(rows);
        let text = if paragraph.trim().is_empty() { &self.text } else { &paragraph };
        let lines: Vec<_> = text.lines().map(|line| format!("> {}", unnumbered(line))).collect();
        format!("{}\n\n", lines.join("\n"))
    }

    /// The lines that matched, with the rest of their paragraph as far as it was read. A heading speaks of
    /// what comes below it, which is then the passage; front matter is none.
    fn paragraph(&self, rows: &BTreeMap<u64, String>) -> String {
        let full = |line: &u64| rows.get(line).is_some_and(|row| !row.trim().is_empty());
        let (first, last) = self.lines;
        let text = front_matter(rows) + 1;
        let before = (text..first).rev().take_while(full).last().unwrap_or(first.max(text));
        let is_title =
            |line: u64| rows.get(&line).is_none_or(|row| row.trim().is_empty() || row.starts_with('#'));
        let last = match (before..=last.max(before)).all(is_title) {
            // The heading, what may be blank, and a line to go on from.
            true => (last.max(before)..=last.max(before) + 2).find(|line| !is_title(*line)).unwrap_or(last),
            false => last,
        };
        let after = (last + 1..).take_while(full).last().unwrap_or(last.max(before));
        let mut quote = String::new();
        // From the match on, then what stands before it, as far as there is room.
        let first = if self.length(rows, before, after) > QUOTE { first.max(before) } else { before };
        for row in (first..=after).map_while(|line| rows.get(&line)) {
            // A line that is too long by itself is better shown as the snippet around its match.
            if quote.chars().count() + row.chars().count() > QUOTE {
                break;
            }
            quote.push_str(row);
            quote.push('\n');
        }
        quote
    }

    fn length(&self, rows: &BTreeMap<u64, String>, first: u64, last: u64) -> usize {
        rows.range(first..=last).map(|(_, row)| row.chars().count() + 1).sum()
    }
}

/// The last line of the front matter, as far as it was read; 0 where there is none.
fn front_matter(rows: &BTreeMap<u64, String>) -> u64 {
    if rows.get(&1).is_none_or(|row| row.trim_end() != "---") {
        return 0;
    }
    let end = |(line, row): (&u64, &String)| (*line > 1 && row.trim_end() == "---").then_some(*line);
    rows.iter().find_map(end).unwrap_or(0)
}

/// A note's own `[3]` must not pass for a citation.
fn unnumbered(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        let (before, bracket) = rest.split_at(at);
        shown.push_str(before);
        let number = bracket[1..].split(']').next().unwrap_or_default();
        let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        if is_number && shown.matches('`').count().is_multiple_of(2) {
            shown.push('\\');
        }
        shown.push('[');
        rest = &bracket[1..];
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: (u64, u64)) -> Found {
        Found {
            citation: 4,
            title: "Soup".into(),
            heading: vec!["Soup".into(), "Broth".into()],
            lines,
            text: "snippet".into(),
        }
    }

    fn rows(text: &str) -> BTreeMap<u64, String> {
        (1..).zip(text.lines().map(str::to_owned)).collect()
    }

    #[test]
    fn the_paragraph_around_the_match_is_quoted() {
        let rows = rows("# Soup\n\nfirst\nsecond [1]\nthird\n\nother");
        let passage = found((4, 4));
        assert_eq!(passage.heading(), "**Soup › Broth** [4]\n\n");
        assert_eq!(passage.quotation(&rows), "> first\n> second \\[1]\n> third\n\n");
        assert_eq!(found((9, 9)).quotation(&rows), "> snippet\n\n");
    }

    #[test]
    fn long_lines_give_way_to_the_snippet() {
        let rows = rows(&format!("short\n{}", "x".repeat(QUOTE + 1)));
        assert_eq!(found((2, 2)).quotation(&rows), "> snippet\n\n");
    }

    #[test]
    fn numbers_in_brackets_are_the_notes_own() {
        assert_eq!(unnumbered("a [1] `b[2]` [c](d) [[3]]"), "a \\[1] `b[2]` [c](d) [\\[3]]");
    }
}
