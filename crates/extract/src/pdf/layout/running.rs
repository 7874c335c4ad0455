//! What pages repeat above and below their text: running heads, page numbers.

use std::collections::{HashMap, HashSet};

use super::frame::Frame;
use super::word::Word;
use super::{Context, PageGlyphs, Role, Style, line};

/// How much of a page, from its edge, can hold such lines.
const MARGIN: f32 = 0.14;
/// Lines looked at from each edge.
const LINES: usize = 3;
/// How far, in points, a line may stand from where it stands on other pages.
const SHIFT: f32 = 4.0;

/// What is set aside on a page.
#[derive(Debug, Default)]
pub struct Repeated {
    words: HashSet<u32>,
    rows: Vec<(Role, Vec<u32>)>,
}

impl Repeated {
    pub fn holds(&self, word: u32) -> bool {
        self.words.contains(&word)
    }

    pub fn rows(&self) -> impl Iterator<Item = (Role, &[u32])> {
        self.rows.iter().map(|(role, words)| (*role, &words[..]))
    }
}

/// A line near the edge of a page.
struct Candidate {
    words: Vec<u32>,
    /// Distance from the edge.
    from_edge: f32,
    /// Its text with every number as `#`.
    shape: String,
    numbers: Vec<i64>,
    /// White space to the next line towards the text, in sizes.
    apart: f32,
}

/// Where else a line stands.
struct Place<'a> {
    page: usize,
    from_edge: f32,
    numbers: &'a [i64],
}

pub fn find(pages: &[PageGlyphs], frames: &[Vec<Frame>], words: &[Vec<Vec<Word>>]) -> Vec<Repeated> {
    let mut result: Vec<Repeated> = pages.iter().map(|_| Repeated::default()).collect();
    for role in [Role::Header, Role::Footer] {
        let candidates: Vec<Vec<Candidate>> = pages
            .iter()
            .enumerate()
            .map(|(index, page)| {
                let upright = frames[index].iter().position(Frame::is_upright);
                upright.map_or_else(Vec::new, |frame| {
                    candidates(page, &frames[index][frame], &words[index][frame], role)
                })
            })
            .collect();
        let mut places: HashMap<&str, Vec<Place<'_>>> = HashMap::new();
        for (index, page) in candidates.iter().enumerate() {
            for candidate in page {
                let place =
                    Place { page: index, from_edge: candidate.from_edge, numbers: &candidate.numbers };
                places.entry(&candidate.shape).or_default().push(place);
            }
        }
        for (index, page) in candidates.iter().enumerate() {
            for candidate in page {
                let others = &places[candidate.shape.as_str()];
                if !repeats(candidate, index, others) && !stands_alone(candidate, index, pages.len(), role) {
                    // What is nearer to the text is text.
                    break;
                }
                result[index].words.extend(&candidate.words);
                result[index].rows.push((role, candidate.words.clone()));
            }
        }
    }
    result
}

/// Lines from the edge inwards.
fn candidates(page: &PageGlyphs, frame: &Frame, words: &[Word], role: Role) -> Vec<Candidate> {
    let style = Style { body: 10.0, bold: false, mono: false, compounds: Default::default() };
    let context = Context { glyphs: &page.glyphs, frame, words, style: &style };
    let at_top = role == Role::Header;
    let edge = |word: &Word| if at_top { word.base } else { page.height - word.base };
    let mut near: Vec<u32> =
        (0..words.len() as u32).filter(|word| edge(&words[*word as usize]) < page.height * MARGIN).collect();
    near.sort_by(|a, b| edge(&words[*a as usize]).total_cmp(&edge(&words[*b as usize])));
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for word in near {
        let this = &words[word as usize];
        let enough = rows.len() > LINES;
        match rows.last_mut() {
            Some(row) if (words[row[0] as usize].base - this.base).abs() < this.size * 0.4 => row.push(word),
            _ if enough => break,
            _ => rows.push(vec![word]),
        }
    }
    let mut found = Vec::new();
    for index in 0..rows.len().min(LINES) {
        let mut row = rows[index].clone();
        row.sort_by(|a, b| words[*a as usize].left.total_cmp(&words[*b as usize].left));
        let first = &words[row[0] as usize];
        let text = line::text(&context, &row);
        let apart = rows.get(index + 1).map_or(f32::INFINITY, |next| {
            (words[next[0] as usize].base - first.base).abs() / first.size.max(1.0)
        });
        let (shape, numbers) = shape(&text);
        found.push(Candidate { from_edge: edge(first), words: row, shape, numbers, apart });
    }
    found
}

/// A text with every number as `#`, and the numbers.
fn shape(text: &str) -> (String, Vec<i64>) {
    let mut shape = String::with_capacity(text.len());
    let mut numbers = Vec::new();
    let mut digits = String::new();
    let mut end = |digits: &mut String, shape: &mut String| {
        if !digits.is_empty() {
            numbers.push(digits.parse().unwrap_or(-1));
            shape.push('#');
            digits.clear();
        }
    };
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
        } else {
            end(&mut digits, &mut shape);
            if !letter.is_whitespace() {
                shape.extend(letter.to_lowercase());
            }
        }
    }
    end(&mut digits, &mut shape);
    // Pages before the first are counted in letters.
    if !shape.is_empty() && shape.chars().all(|letter| matches!(letter, 'i' | 'v' | 'x' | 'l' | 'c')) {
        return ("roman".to_owned(), Vec::new());
    }
    (shape, numbers)
}

/// Whether another page has the same at the same place. Its numbers are the same or as far on as the page
/// is; where there is nothing but numbers, one of them counts pages.
fn repeats(candidate: &Candidate, page: usize, others: &[Place<'_>]) -> bool {
    let bare = !candidate.shape.chars().any(char::is_alphabetic);
    others.iter().any(|other| {
        let counts = |a: i64, b: i64| a - b == page as i64 - other.page as i64;
        let numbers = || candidate.numbers.iter().copied().zip(other.numbers.iter().copied());
        other.page != page
            && (other.from_edge - candidate.from_edge).abs() < SHIFT
            && numbers().all(|(a, b)| a == b || counts(a, b))
            && (!bare || numbers().any(|(a, b)| counts(a, b)))
    })
}

/// Whether a line of a document with too few pages to compare can only be a page number.
fn stands_alone(candidate: &Candidate, page: usize, pages: usize, role: Role) -> bool {
    let numbered = candidate.numbers.first().is_some_and(|number| *number == page as i64 + 1 || pages == 1);
    let shaped =
        matches!(candidate.shape.as_str(), "#" | "-#-" | "–#–" | "page#" | "page#of#" | "#/#" | "第#页");
    role == Role::Footer && shaped && numbered && candidate.apart > 2.0
}
