//! Finds out how a table is written: what separates its cells, what quotes them.

use super::record::Records;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// An ASCII character.
    pub separator: u8,
    /// `"` or `'`.
    pub quote: u8,
    /// A backslash makes the next character ordinary.
    pub backslash: bool,
    /// The first line only names the separator (`sep=;`), as Excel writes it.
    pub declared: bool,
}

pub(super) const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// Bytes and records that are looked at.
const SAMPLE: usize = 64 << 10;
const RECORDS: usize = 200;

pub(super) fn sniff(text: &str, name: &str) -> Dialect {
    let mut dialect = Dialect { separator: b',', quote: b'"', backslash: false, declared: false };
    if let Some(separator) = declared(text) {
        return Dialect { separator, declared: true, ..dialect };
    }
    let sample = sample(text);
    let tabs = name.to_ascii_lowercase().ends_with(".tsv");
    if tabs {
        dialect.separator = b'\t';
    }
    dialect.quote = quote(sample);
    dialect.backslash = is_backslashed(sample, dialect);
    let mut best = 0.0;
    for separator in SEPARATORS {
        let candidate = Dialect { separator, ..dialect };
        let favour = if tabs && separator == b'\t' { 1.5 } else { 1.0 };
        let score = plausible(sample, candidate) * favour;
        if score > best + 1e-6 {
            (best, dialect.separator) = (score, separator);
        }
    }
    dialect
}

fn declared(text: &str) -> Option<u8> {
    let line = text.lines().next()?;
    let value = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).map(|_| &line[4..])?;
    match value.as_bytes() {
        [separator] if separator.is_ascii() && !matches!(separator, b'"' | b'\'') => Some(*separator),
        _ => None,
    }
}

/// Whole lines of the beginning.
fn sample(text: &str) -> &str {
    if text.len() <= SAMPLE {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(SAMPLE)];
    cut.rfind('\n').map_or(cut, |end| &cut[..end])
}

/// Single quotes count only where cells are wrapped in them and none in double ones.
fn quote(sample: &str) -> u8 {
    if sample.contains('"') || !sample.contains('\'') {
        return b'"';
    }
    let is_edge = |c: Option<char>| {
        c.is_none_or(|c| c == '\n' || c == '\r' || SEPARATORS.contains(&(c as u32 as u8)) && c.is_ascii())
    };
    let (mut opens, mut closes, mut all) = (0, 0, 0);
    let mut before = None;
    let mut characters = sample.chars().peekable();
    while let Some(c) = characters.next() {
        if c == '\'' {
            all += 1;
            opens += usize::from(is_edge(before));
            closes += usize::from(is_edge(characters.peek().copied()));
        }
        before = Some(c);
    }
    if opens >= 2 && opens == closes && opens * 2 * 10 >= all * 8 { b'\'' } else { b'"' }
}

/// Whether quotes within cells are written with a backslash: they are, and never doubled.
fn is_backslashed(sample: &str, dialect: Dialect) -> bool {
    let quote = char::from(dialect.quote);
    let escaped = format!("\\{quote}");
    if !sample.contains(&escaped) {
        return false;
    }
    let bytes = sample.as_bytes();
    // A doubled quote between letters is an escape; between separators it is an empty cell.
    let doubled = bytes.windows(4).any(|four| {
        four[1] == dialect.quote
            && four[2] == dialect.quote
            && four[0] != b'\\'
            && four[0].is_ascii_alphanumeric()
            && four[3].is_ascii_alphanumeric()
    });
    // `"C:\"` ends a cell with a backslash: then the quote is followed by an edge everywhere.
    let within = sample.match_indices(&escaped).any(|(at, _)| {
        let after = bytes.get(at + 2).copied();
        after.is_some_and(|byte| !SEPARATORS.contains(&byte) && byte != b'\n' && byte != b'\r')
    });
    within && !doubled
}

/// How much like a table `sample` is with this separator: its records have the same number of cells,
/// and no cell looks as if it held several.
fn plausible(sample: &str, dialect: Dialect) -> f64 {
    let mut counts: Vec<usize> = Vec::new();
    let (mut cells, mut clean) = (0_usize, 0_usize);
    let mut records = Records::new(sample, dialect);
    for record in records.by_ref().take(RECORDS) {
        if record.len() == 1 && record[0].trim().is_empty() {
            continue;
        }
        counts.push(record.len());
        for cell in &record {
            cells += 1;
            clean += usize::from(is_number(cell) || !cell.contains([';', '\t', '|']));
        }
    }
    let mut sorted = counts.clone();
    sorted.sort_unstable();
    let usual = sorted
        .chunk_by(|a, b| a == b)
        .max_by_key(|group| (group.len(), group[0]))
        .map_or(1, |group| group[0]);
    if usual < 2 || counts.is_empty() {
        return 0.0;
    }
    let same = counts.iter().filter(|count| **count == usual).count() as f64 / counts.len() as f64;
    let clean = clean.saturating_sub(4 * records.odd) as f64 / cells as f64;
    // Another separator that leaves every quote in its place is to be preferred.
    let placed = if records.odd == 0 { 1.0 } else { 0.5 };
    same * same * (1.0 - 0.5 / usual as f64) * (0.3 + 0.7 * clean) * placed
}

fn is_number(cell: &str) -> bool {
    let cell = cell.trim();
    !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit() || b".,+-%".contains(&byte))
}
