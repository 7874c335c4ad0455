//! Lines of files on disk that fit a pattern, in all that is text, whatever the index knows of it.
//!
//! The engine is ripgrep's; what differs from it is where the product is stricter or knows more: files are
//! reached through the root's handle alone, what keeps secrets is left out, a lone CR ends a line, and bytes
//! are decoded as everywhere else.

mod engine;
mod pattern;
mod rows;
mod source;
mod walk;

use std::collections::HashMap;
use std::time::Instant;

use globset::GlobBuilder;
use orangery_domain::text::Encoding;
use orangery_domain::{FileKind, KbId, KbPath, TextFile, TextPage, TextQuery, TextRow};
use orangery_store::root::{CheckedPath, Root};
use tokio_util::sync::CancellationToken;

use crate::{Error, Library, Result};

pub use rows::FIRST as FIRST_LINES;

use engine::Searchers;
use pattern::Reading;
use rows::Rows;
use source::{Buffer, Hints};
use walk::{Asked, Found, Hit, Plan};

/// Says of a file that it must not answer.
pub type Hides = Box<dyn Fn(Option<KbId>, &Root, &KbPath) -> bool + Send + Sync>;

/// A search for lines.
pub struct LineSearch {
    /// At most [`LINE_QUERIES`].
    pub queries: Vec<LineQuery>,
    /// Patterns are the very text.
    pub literal: bool,
    pub whole_words: bool,
    pub ignore_case: bool,
    /// Patterns may go over ends of lines, and `.` does.
    pub multiline: bool,
    /// Empty means every kind.
    pub kinds: Vec<FileKind>,
    pub take: Take,
    pub offset: u64,
    pub limit: u64,
    pub hidden: Hides,
}

/// One of several questions that are answered together: what two of them find is found once.
#[derive(Debug)]
pub struct LineQuery {
    pub kb: Option<KbId>,
    /// A folder, or one file. Who names it means it, be it hidden or ignored.
    pub at: CheckedPath,
    pub pattern: String,
    /// Over the path below the folder, or the name; with `!` before it, only other files.
    pub glob: Option<String>,
    pub recursive: bool,
}

/// What is counted and paged, and what comes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// Files, with the numbers of their first lines that fit.
    Files,
    /// Lines, each with so many before and after it, of so many bytes together.
    Lines { context: u32, bytes: usize },
}

/// One page.
#[derive(Debug, Default)]
pub struct LinePage {
    pub files: Vec<LineFile>,
    pub total_files: u64,
    pub total_lines: u64,
    /// Where the next page begins; absent on the last.
    pub next: Option<u64>,
    /// Files and folders that could not be read.
    pub unread: u64,
}

/// The lines of one file.
#[derive(Debug)]
pub struct LineFile {
    pub kb: Option<KbId>,
    pub root: Root,
    pub path: KbPath,
    /// How many lines fit in all.
    pub count: u64,
    /// The numbers of the first [`FIRST_LINES`].
    pub first: Vec<u64>,
    /// Of this page; empty where files are taken.
    pub rows: Vec<TextRow>,
}

/// More questions than this are not asked together.
pub const LINE_QUERIES: usize = 32;
/// Lines that stand around one that fits.
pub const CONTEXT_LIMIT: u32 = 20;
/// Lines of one page, for people, and the most of them.
const LIMIT: u32 = 256;
const LIMIT_MOST: u32 = 10_000;
/// Bytes of one page, for people.
const BYTES: usize = 4 << 20;

/// A folder whose files are asked, and what is known of them.
struct Tree {
    kb: Option<KbId>,
    root: Root,
    own_data: Option<KbPath>,
    /// Encodings that the user chose.
    chosen: HashMap<KbPath, Encoding>,
    /// Encodings of the others that are not UTF-8, most frequent first.
    prior: Vec<Encoding>,
}

impl Tree {
    fn chosen(&self, folder: &KbPath, name: &str) -> Option<Encoding> {
        if self.chosen.is_empty() {
            return None;
        }
        self.chosen.get(&folder.join(name).ok()?).copied()
    }
}

impl Library {
    /// Searches files as they are on disk now. Ends early when nobody waits for the answer.
    ///
    /// # Errors
    /// `Invalid` for a malformed pattern or glob.
    pub async fn lines(&self, asked: LineSearch) -> Result<LinePage> {
        let library = self.clone();
        let gone = CancellationToken::new();
        let _waits = gone.clone().drop_guard();
        let searched = tokio::task::spawn_blocking(move || {
            let plan = library.plan(&asked)?;
            // Malformed ones are told before anything is read.
            for at in 0..plan.asked.len() {
                plan.pattern(1 << at)?;
            }
            let mut found = plan.run(&gone);
            found.hits.retain(|hit| {
                let tree = &plan.trees[hit.tree];
                !(asked.hidden)(tree.kb, &tree.root, &hit.path)
            });
            page(&plan, found, &asked)
        });
        searched.await.map_err(|_| Error::Closed)?
    }

    /// The same, as people ask for it.
    pub async fn text(&self, asked: &TextQuery) -> Result<TextPage> {
        let started = Instant::now();
        let folder = asked.folder.clone().unwrap_or_else(KbPath::root);
        let kbs = if asked.kb_ids.is_empty() { self.0.kb_ids() } else { asked.kb_ids.clone() };
        let mut queries = Vec::with_capacity(kbs.len());
        for kb in kbs.into_iter().filter(|_| !asked.pattern.is_empty()) {
            let root = match self.reached(kb).await {
                Ok(root) => root,
                // One that is offline has no lines now; the others do.
                Err(Error::Offline(_)) if asked.kb_ids.len() != 1 => continue,
                Err(error) => return Err(error),
            };
            let wanted = folder.clone();
            let resolved = tokio::task::spawn_blocking(move || root.resolve(&wanted));
            let at = match resolved.await.map_err(|_| Error::Closed)? {
                Ok(at) => at,
                Err(error) if error.kind() == orangery_domain::ErrorKind::NotFound => continue,
                Err(error) => return Err(error.into()),
            };
            let (pattern, glob) = (asked.pattern.clone(), asked.glob.clone().filter(|glob| !glob.is_empty()));
            queries.push(LineQuery { kb: Some(kb), at, pattern, glob, recursive: true });
        }
        queries.truncate(LINE_QUERIES);
        let limit = if asked.limit == 0 { LIMIT } else { asked.limit.min(LIMIT_MOST) };
        let page = self.lines(LineSearch {
            queries,
            literal: asked.literal,
            whole_words: asked.whole_words,
            ignore_case: asked.ignore_case,
            multiline: asked.multiline,
            kinds: asked.file_types.clone(),
            take: Take::Lines { context: asked.context.min(CONTEXT_LIMIT), bytes: BYTES },
            offset: asked.offset,
            limit: limit.into(),
            hidden: Box::new(|_, _, _| false),
        });
        let page = page.await?;
        let files = self.catalog().read();
        let described = page.files.into_iter().filter_map(|file| {
            let kb = file.kb?;
            Some(TextFile {
                kb_name: self.kb_name(kb),
                file_id: files.at(kb, &file.path).map(|row| row.id),
                kind: FileKind::of_name(file.path.name()),
                place: orangery_domain::FilePlace { kb_id: kb, path: file.path },
                count: file.count,
                rows: file.rows,
            })
        });
        Ok(TextPage {
            files: described.collect(),
            total_files: page.total_files,
            total_lines: page.total_lines,
            next_offset: page.next,
            unread: page.unread,
            took_us: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        })
    }

    fn plan(&self, search: &LineSearch) -> Result<Plan> {
        let mut trees: Vec<Tree> = Vec::new();
        let mut asked: Vec<Asked> = Vec::new();
        for query in search.queries.iter().take(LINE_QUERIES) {
            let root = query.at.root();
            let known = trees.iter().position(|tree| tree.kb == query.kb && tree.root.path() == root.path());
            let tree = known.unwrap_or_else(|| {
                trees.push(self.tree(query.kb, root));
                trees.len() - 1
            });
            let glob = query.glob.as_deref().map(glob).transpose()?;
            let place = query.at.place().clone();
            asked.push(Asked {
                pattern: query.pattern.clone(),
                tree,
                place,
                recursive: query.recursive,
                glob,
            });
        }
        let reading = Reading {
            literal: search.literal,
            whole_words: search.whole_words,
            ignore_case: search.ignore_case,
            multiline: search.multiline,
        };
        Ok(Plan { trees, asked, reading, kinds: search.kinds.clone() })
    }

    fn tree(&self, kb: Option<KbId>, root: &Root) -> Tree {
        let mut chosen = HashMap::new();
        let mut others: HashMap<Encoding, usize> = HashMap::new();
        if let Some(kb) = kb {
            let files = self.catalog().read();
            for row in files.within(kb, &KbPath::root()) {
                if let Some(encoding) = row.chosen_encoding() {
                    chosen.insert(row.path.clone(), encoding);
                }
                let other = row.encoding.as_deref().filter(|label| *label != Encoding::Utf8.label());
                if let Some(encoding) = other.and_then(Encoding::from_label) {
                    *others.entry(encoding).or_default() += 1;
                }
            }
        }
        let mut prior: Vec<(Encoding, usize)> = others.into_iter().collect();
        prior.sort_by_key(|(encoding, count)| (std::cmp::Reverse(*count), *encoding));
        let own_data = self.0.own_data_in(root);
        let prior = prior.into_iter().map(|(encoding, _)| encoding).take(4).collect();
        Tree { kb, root: root.clone(), own_data, chosen, prior }
    }
}

fn glob(text: &str) -> Result<(globset::GlobMatcher, bool)> {
    let (text, not) = text.strip_prefix('!').map_or((text, false), |rest| (rest, true));
    // As everywhere, `/` at the beginning is the folder itself.
    let text = text.strip_prefix('/').unwrap_or(text);
    let built = GlobBuilder::new(text).literal_separator(true).backslash_escape(true).build();
    let built = built.map_err(|error| Error::Glob(text.into(), error.kind().to_string()))?;
    Ok((built.compile_matcher(), not))
}

/// What of all that was found is on the page.
fn page(plan: &Plan, found: Found, asked: &LineSearch) -> Result<LinePage> {
    let mut page = LinePage {
        total_files: found.hits.len() as u64,
        total_lines: found.hits.iter().map(|hit| hit.count).sum(),
        unread: found.unread,
        ..LinePage::default()
    };
    match asked.take {
        Take::Files => {
            let skip = usize::try_from(asked.offset).unwrap_or(usize::MAX);
            let limit = usize::try_from(asked.limit).unwrap_or(usize::MAX);
            let shown = found.hits.into_iter().skip(skip).take(limit);
            page.files = shown.map(|hit| described(plan, hit, Vec::new())).collect();
            let end = asked.offset.saturating_add(page.files.len() as u64);
            page.next = (end < page.total_files).then_some(end);
        }
        Take::Lines { context, bytes } => {
            let end = rows(plan, found, asked, context, bytes, &mut page)?;
            page.next = (end < page.total_lines).then_some(end);
        }
    }
    Ok(page)
}

/// The lines of the page, read again from the files that they are in. Says where the next page begins.
fn rows(
    plan: &Plan,
    found: Found,
    asked: &LineSearch,
    context: u32,
    mut bytes: usize,
    page: &mut LinePage,
) -> Result<u64> {
    let (mut skip, mut left) = (asked.offset, asked.limit);
    let mut end = asked.offset.min(page.total_lines);
    let mut buffer = Buffer::default();
    let mut searchers = Searchers::new(asked.multiline, context as usize);
    for hit in found.hits {
        if skip >= hit.count {
            skip -= hit.count;
            continue;
        }
        if left == 0 {
            break;
        }
        let tree = &plan.trees[hit.tree];
        let pattern = plan.pattern(hit.mask)?;
        let mut taken = Rows::new(&pattern, skip, left, bytes);
        let read = || {
            let parent = hit.path.parent().unwrap_or_else(KbPath::root);
            tree.root.resolve(&parent)?.open_folder()?.file(hit.path.name())
        };
        // What went away since it was counted has no lines; the next page begins behind it.
        if let Ok((file, size)) = read() {
            let parent = hit.path.parent().unwrap_or_else(KbPath::root);
            let chosen = tree.chosen(&parent, hit.path.name());
            let hints = Hints { chosen, prior: &|| tree.prior.as_slice() };
            let searched = buffer
                .load(file, size, &hints)
                .and_then(|source| searchers.search(source, &pattern, &mut taken));
            page.unread += u64::from(searched.is_err());
        }
        let (rows, full) = (std::mem::take(&mut taken.rows), taken.full);
        end += if full { taken.taken } else { (hit.count - skip).min(left) };
        left = left.saturating_sub(taken.taken);
        bytes = taken.bytes_left();
        skip = 0;
        if !rows.is_empty() {
            page.files.push(described(plan, hit, rows));
        }
        if full || bytes == 0 {
            break;
        }
    }
    Ok(end)
}

fn described(plan: &Plan, hit: Hit, rows: Vec<TextRow>) -> LineFile {
    let tree = &plan.trees[hit.tree];
    LineFile {
        kb: tree.kb,
        root: tree.root.clone(),
        path: hit.path,
        count: hit.count,
        first: hit.first,
        rows,
    }
}
