//! The headings above a line of Markdown, for the head of a hunk.

use super::lines::Lines;

/// ATX headings by row; those inside fences and front matter do not count.
#[derive(Debug, Default)]
pub struct Headings {
    /// Row from 0, level from 1, text.
    found: Vec<(usize, usize, String)>,
}

impl Headings {
    pub fn of(lines: &Lines<'_>) -> Self {
        let mut found = Vec::new();
        let mut fence: Option<&str> = None;
        let front_matter_end = front_matter(lines);
        for row in front_matter_end..lines.count() {
            let body = lines.body(row);
            let trimmed = body.trim_start_matches(' ');
            let marker = ["```", "~~~"].into_iter().find(|marker| trimmed.starts_with(marker));
            match (fence, marker) {
                (None, Some(marker)) => fence = Some(marker),
                (Some(open), Some(marker)) if open == marker => fence = None,
                (None, None) if body.len() - trimmed.len() < 4 => {
                    let level = trimmed.bytes().take_while(|byte| *byte == b'#').count();
                    let rest = trimmed.get(level..).unwrap_or_default();
                    if (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t'])) {
                        let text = rest.trim();
                        let bare = text.trim_end_matches('#');
                        let text = if bare.ends_with([' ', '\t']) || bare.is_empty() {
                            bare.trim_end()
                        } else {
                            text
                        };
                        found.push((row, level, text.to_owned()));
                    }
                }
                _ => {}
            }
        }
        Self { found }
    }

    /// From the outermost heading to the one nearest above `row`, that row included.
    pub fn above(&self, row: usize) -> Vec<String> {
        let count = self.found.partition_point(|(at, ..)| *at <= row);
        let mut path = Vec::new();
        let mut level = usize::MAX;
        for (_, own, text) in self.found.get(..count).unwrap_or_default().iter().rev() {
            if *own < level {
                level = *own;
                path.push(text.clone());
            }
        }
        path.reverse();
        path
    }
}

fn front_matter(lines: &Lines<'_>) -> usize {
    let fence = match (lines.count() > 0).then(|| lines.body(0)) {
        Some(fence @ ("---" | "+++")) => fence,
        _ => return 0,
    };
    (1..lines.count()).find(|&row| lines.body(row) == fence).map_or(0, |row| row + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_what_stands_above() {
        let lines =
            Lines::of("---\n# no\n---\n# One\ntext\n## Two ##\n```\n# no\n```\n### Three\n## Four\nx\n");
        let headings = Headings::of(&lines);
        assert_eq!(headings.above(2), Vec::<String>::new());
        assert_eq!(headings.above(4), ["One"]);
        assert_eq!(headings.above(9), ["One", "Two", "Three"]);
        assert_eq!(headings.above(11), ["One", "Four"]);
    }
}
