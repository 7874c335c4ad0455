//! Streams over the parts that grow with a table: its rows, and the strings that cells share.

use std::io::{BufRead, BufReader};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::format::Formats;
use crate::package::Part;
use crate::xml::{character, decode, unescape};

/// Bytes that shared strings may take; what is beyond reads as empty.
const STRINGS: usize = 256 << 20;
/// As many columns and rows as a sheet can have.
const COLUMNS: u32 = 16_384;
const ROWS: u32 = 1_048_576;

type Source<'a> = Reader<Box<dyn BufRead + 'a>>;

/// A reader over a part, whatever its encoding. Names are compared without their prefixes: a sheet has
/// only one vocabulary.
fn reader(part: Part<'_>) -> Source<'_> {
    let mut buffered = BufReader::with_capacity(64 << 10, part);
    let head = buffered.fill_buf().map(|head| head.get(..2).map(<[u8]>::to_vec)).ok().flatten();
    let wide = matches!(head.as_deref(), Some([0xFF, 0xFE] | [0xFE, 0xFF] | [b'<', 0] | [0, b'<']));
    let source: Box<dyn BufRead> = if wide {
        let mut bytes = Vec::new();
        let _ = std::io::Read::read_to_end(&mut buffered, &mut bytes);
        Box::new(std::io::Cursor::new(decode(bytes)))
    } else {
        Box::new(buffered)
    };
    let mut reader = Reader::from_reader(source);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    attributes
        .with_checks(false)
        .filter_map(Result::ok)
        .find(|attribute| attribute.key.0 == name)
        .map(|attribute| unescape(&attribute.value).into_owned())
}

/// Adds the text of an event, if it is one.
fn add_text(event: &Event<'_>, out: &mut String) {
    match event {
        Event::Text(text) => out.push_str(text),
        Event::CData(text) => out.push_str(text),
        Event::GeneralRef(reference) => {
            out.extend(character(reference));
        }
        _ => {}
    }
}

/// The strings that cells name by number, and whether these are all.
pub(super) fn shared_strings(part: Part<'_>) -> (Vec<Box<str>>, bool) {
    let mut reader = reader(part);
    let mut buffer = Vec::new();
    let mut strings = Vec::new();
    let mut current = String::new();
    let (mut in_text, mut in_reading, mut bytes) = (false, false, 0_usize);
    loop {
        buffer.clear();
        let Ok(event) = reader.read_event_into(&mut buffer) else { break };
        match &event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "si" => current.clear(),
                "t" => in_text = !in_reading,
                // How a word is pronounced stands beside it, not in it.
                "rPh" => in_reading = true,
                _ => {}
            },
            Event::Empty(tag) if tag.local_name().as_ref() == "si" => strings.push(Box::default()),
            Event::End(tag) => match tag.local_name().as_ref() {
                "t" => in_text = false,
                "rPh" => in_reading = false,
                "si" => {
                    bytes = bytes.saturating_add(current.len() + size_of::<Box<str>>());
                    if bytes > STRINGS {
                        return (strings, false);
                    }
                    strings.push(unescape_controls(&current).into());
                }
                _ => {}
            },
            Event::Eof => break,
            event if in_text => add_text(event, &mut current),
            _ => {}
        }
    }
    (strings, true)
}

/// Excel writes characters that XML cannot hold as `_x000D_`.
fn unescape_controls(text: &str) -> String {
    if !text.contains("_x") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let code = rest
            .get(2..7)
            .and_then(|code| code.strip_suffix('_'))
            .and_then(|code| u32::from_str_radix(code, 16).ok())
            .and_then(char::from_u32);
        match code {
            Some(character) => {
                out.push(character);
                rest = &rest[7..];
            }
            None => {
                out.push_str("_x");
                rest = &rest[2..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Column and row, from 1, of a place such as `AB12`.
pub(super) fn place(text: &str) -> Option<(u32, u32)> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters == 0 || letters > 3 {
        return None;
    }
    let column = text[..letters]
        .bytes()
        .fold(0, |sum, byte| sum * 26 + u32::from(byte.to_ascii_uppercase() - b'A') + 1);
    let row = text[letters..].parse().ok()?;
    ((1..=COLUMNS).contains(&column) && (1..=ROWS).contains(&row)).then_some((column, row))
}

/// The rows of one sheet, one after the other.
pub(super) struct Cells<'a> {
    reader: Source<'a>,
    buffer: Vec<u8>,
    strings: &'a [Box<str>],
    formats: &'a Formats,
    /// Bytes that the cells of one row may take: many cells may name one long string.
    room: usize,
    row: u32,
    broken: bool,
    cut: bool,
}

#[derive(Default)]
struct Cell {
    kind: String,
    style: usize,
    value: String,
    inline: String,
    formula: String,
}

impl<'a> Cells<'a> {
    pub(super) fn new(part: Part<'a>, strings: &'a [Box<str>], formats: &'a Formats, room: usize) -> Self {
        let (reader, buffer) = (reader(part), Vec::new());
        Self { reader, buffer, strings, formats, room, row: 0, broken: false, cut: false }
    }

    /// Whether the part broke off.
    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Whether cells were left out because their row is too long.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// The next row that is written: its number, and its cells from the first column on.
    pub(super) fn next_row(&mut self) -> Option<(u32, Vec<String>)> {
        let mut values: Vec<String> = Vec::new();
        let mut cell = Cell::default();
        let (mut in_value, mut in_inline, mut in_row, mut in_reading) = (false, false, false, false);
        let mut in_formula = false;
        let (mut column, mut bytes) = (0_u32, 0_usize);
        loop {
            self.buffer.clear();
            let Ok(event) = self.reader.read_event_into(&mut self.buffer) else {
                self.broken = true;
                return (in_row && !values.is_empty()).then_some((self.row, values));
            };
            match &event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let empty = matches!(event, Event::Empty(_));
                    match tag.local_name().as_ref() {
                        "row" => {
                            let given = attribute(tag, "r").and_then(|row| row.parse().ok());
                            // Rows go down; what says otherwise is counted on.
                            self.row = given.filter(|row| *row > self.row).unwrap_or(self.row + 1);
                            if self.row > ROWS {
                                self.broken = true;
                                return None;
                            }
                            in_row = !empty;
                            (column, bytes) = (0, 0);
                        }
                        "c" if in_row => {
                            let given =
                                attribute(tag, "r").and_then(|at| place(&at)).map(|(column, _)| column);
                            column = given.unwrap_or(column + 1);
                            cell = Cell {
                                kind: attribute(tag, "t").unwrap_or_default(),
                                style: attribute(tag, "s").and_then(|style| style.parse().ok()).unwrap_or(0),
                                ..Cell::default()
                            };
                        }
                        "v" => in_value = !empty,
                        "f" => in_formula = !empty,
                        "t" => in_inline = !empty && !in_reading,
                        "rPh" => in_reading = !empty,
                        _ => {}
                    }
                }
                Event::End(tag) => match tag.local_name().as_ref() {
                    "v" => in_value = false,
                    "f" => in_formula = false,
                    "t" => in_inline = false,
                    "rPh" => in_reading = false,
                    "c" if in_row => {
                        let text = shown(&cell, self.strings, self.formats);
                        let at = column.clamp(1, COLUMNS) as usize - 1;
                        bytes = bytes.saturating_add(text.len());
                        if bytes > self.room {
                            self.cut = true;
                        } else if !text.is_empty() {
                            values.resize(values.len().max(at + 1), String::new());
                            values[at] = text;
                        }
                    }
                    "row" if in_row => return Some((self.row, values)),
                    // What follows the rows is not read as cells.
                    "sheetData" => return None,
                    _ => {}
                },
                Event::Eof => {
                    self.broken |= in_row;
                    return (in_row && !values.is_empty()).then_some((self.row, values));
                }
                event if in_value => add_text(event, &mut cell.value),
                event if in_formula => add_text(event, &mut cell.formula),
                event if in_inline => add_text(event, &mut cell.inline),
                _ => {}
            }
        }
    }
}

/// What a reader of the sheet sees in a cell.
fn shown(cell: &Cell, strings: &[Box<str>], formats: &Formats) -> String {
    let value = cell.value.trim();
    match cell.kind.as_str() {
        "s" => {
            let text = value.parse::<usize>().ok().and_then(|at| strings.get(at));
            text.map(|text| text.to_string()).unwrap_or_default()
        }
        "inlineStr" => unescape_controls(&cell.inline),
        "str" => unescape_controls(&cell.value),
        "b" => match value {
            "1" | "true" => "TRUE".into(),
            "" => String::new(),
            _ => "FALSE".into(),
        },
        "e" | "d" => value.to_owned(),
        // Written by a program that computes nothing.
        _ if value.is_empty() && !cell.formula.is_empty() => format!("={}", cell.formula),
        _ => match value.parse::<f64>() {
            Ok(number) if number.is_finite() => formats.show(cell.style, number),
            _ => value.to_owned(),
        },
    }
}
