//! Questions to notes, answered with citations.

mod near;
mod rank;
mod texts;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use orangery_domain::{
    Citation, FileId, FileKind, Incomplete, KbId, KbPath, SearchGroup, SearchPage, SearchQuery, Warning,
};
use orangery_extract::document::code;
use orangery_store::table::chunk::{self, Chunk};
use orangery_store::table::file::FileRow;
use tokio_util::sync::CancellationToken;

use crate::chunk::spot_at;
use crate::cite::{self, Sought};
use crate::index::fold::folded;
use crate::index::writer::Order;
use crate::query::{FileTest, Query, Within, spelled_out, tag_within};
use crate::trouble;
use crate::{Error, Library, Result};

const FILES: u32 = 20;
const FILES_LIMIT: u32 = 200;
const PASSAGES: u32 = 3;
const PASSAGES_LIMIT: u32 = 20;

/// Says of a file that it must not answer.
type Hidden = Box<dyn Fn(KbId, &KbPath) -> bool + Send + Sync>;

/// Which files may answer.
struct Scope {
    kb_ids: HashSet<KbId>,
    prefix: Option<KbPath>,
    tags: Vec<String>,
    kinds: Vec<FileKind>,
    after: Option<i64>,
    before: Option<i64>,
    filters: Vec<(FileTest, bool)>,
    hidden: Hidden,
    /// Knowledge bases by folded name.
    names: Vec<(String, KbId)>,
}

impl Scope {
    fn admits(&self, row: &FileRow) -> bool {
        let modified = row.modified_ns.div_euclid(1_000_000);
        (self.kb_ids.is_empty() || self.kb_ids.contains(&row.kb_id))
            && (self.kinds.is_empty() || self.kinds.contains(&row.kind))
            && self.after.is_none_or(|after| modified >= after)
            && self.before.is_none_or(|before| modified < before)
            && self.prefix.as_ref().is_none_or(|prefix| row.path.is_within(prefix))
            && self.tags.iter().all(|tag| has_tag(row, tag))
            && self.filters.iter().all(|(test, not)| self.passes(row, test) != *not)
            && !(self.hidden)(row.kb_id, &row.path)
    }

    fn passes(&self, row: &FileRow, test: &FileTest) -> bool {
        let modified = row.modified_ns.div_euclid(1_000_000);
        match test {
            FileTest::Tag(tag) => has_tag(row, tag),
            FileTest::Path(text) => folded(row.path.as_str()).contains(text),
            FileTest::File(text) => folded(row.path.name()).contains(text),
            FileTest::Type(kind) => row.kind == *kind,
            FileTest::Scan => row.warnings.iter().any(|warning| warning.code == code::IMAGE_ONLY),
            FileTest::In(name) => self.names.iter().any(|(known, id)| known == name && *id == row.kb_id),
            FileTest::After(at) => modified >= *at,
            FileTest::Before(at) => modified < *at,
        }
    }
}

fn has_tag(row: &FileRow, wanted: &str) -> bool {
    row.tags.iter().any(|tag| tag_within(&folded(tag), wanted))
}

impl Library {
    /// Searches notes. Never fails for what is asked; a fault of the index is an error and is repaired in
    /// the background.
    pub async fn search(&self, asked: &SearchQuery) -> Result<SearchPage> {
        self.search_beside(asked, |_, _| false).await
    }

    /// The same as if what is `hidden` were not there.
    pub async fn search_beside(
        &self,
        asked: &SearchQuery,
        hidden: impl Fn(KbId, &KbPath) -> bool + Send + Sync + 'static,
    ) -> Result<SearchPage> {
        let started = Instant::now();
        let mut query = Query::parse(&asked.text, asked.operators, asked.prefix);
        let mut warnings = std::mem::take(&mut query.warnings);
        let scope = self.scope(asked, &query, Box::new(hidden), &mut warnings)?;
        let lost = self.losing(&scope.kb_ids).into_iter().map(|name| trouble::CHANGES_LOST.of(name));
        warnings.extend(lost);
        let per_file = clamp(asked.per_file, PASSAGES, PASSAGES_LIMIT) as usize;
        let texts: Arc<[_]> = std::mem::take(&mut query.texts).into();
        let (ids, mut sought, passages) = if !query.terms.is_empty() {
            self.ranked(query, scope, per_file).await?
        } else if query.filters.is_empty() && texts.is_empty() {
            (Vec::new(), Sought::default(), Vec::new())
        } else {
            self.unranked(&scope)
        };

        let passages = passages.into_iter().chain(std::iter::repeat(Vec::new()));
        let mut ranked: Vec<_> = ids.into_iter().zip(passages).collect();
        if !texts.is_empty() {
            ranked = self.tested(ranked, &texts, per_file).await?;
            for test in texts.iter().filter(|test| !test.not) {
                if let Within::Pattern(pattern) = &test.within {
                    sought.add_pattern(pattern.clone());
                }
            }
        }
        let total = ranked.len();
        let offset = (asked.offset as usize).min(total);
        let end = (offset + clamp(asked.limit, FILES, FILES_LIMIT) as usize).min(total);
        let shown: Vec<_> = ranked.drain(offset..end).collect();
        Ok(SearchPage {
            groups: self.groups(shown, sought).await?,
            total_files: total as u64,
            more: end < total,
            warnings,
            incomplete: self.incomplete(),
            took_us: u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX),
        })
    }

    fn scope(
        &self,
        asked: &SearchQuery,
        query: &Query,
        hidden: Hidden,
        warnings: &mut Vec<Warning>,
    ) -> Result<Scope> {
        let names: Vec<_> = self.kb_names().into_iter().map(|(id, name)| (folded(&name), id)).collect();
        for filter in &query.filters {
            if let FileTest::In(name) = &filter.test
                && names.iter().all(|(known, _)| known != name)
            {
                warnings.push(trouble::UNKNOWN_KNOWLEDGE_BASE.of(name));
            }
        }
        Ok(Scope {
            kb_ids: asked.kb_ids.iter().copied().collect(),
            prefix: asked
                .path_prefix
                .as_deref()
                .map(KbPath::parse)
                .transpose()?
                .filter(|path| !path.is_root()),
            tags: asked.tags.iter().map(|tag| folded(tag.trim_start_matches('#'))).collect(),
            kinds: asked.file_types.clone(),
            after: asked.updated_after,
            before: asked.updated_before,
            filters: query.filters.iter().map(|filter| (filter.test.clone(), filter.not)).collect(),
            hidden,
            names,
        })
    }

    async fn ranked(
        &self,
        query: Query,
        scope: Scope,
        per_file: usize,
    ) -> Result<(Vec<FileId>, Sought, Vec<Vec<u32>>)> {
        let Some(open) = self.open_index() else {
            return Ok((Vec::new(), Sought::default(), Vec::new()));
        };
        let catalog = Arc::clone(self.catalog());
        // Dropped with this future: nobody waits any more.
        let gone = CancellationToken::new();
        let _waits = gone.clone().drop_guard();
        let asked = tokio::task::spawn_blocking(move || {
            // The catalog is asked file by file, so that no question holds up what is being written to it.
            let row = |file| catalog.read().row(file).cloned();
            let allowed = |file| row(file).is_some_and(|row| scope.admits(&row));
            let (mut ranked, sought) =
                rank::rank(&open, &query, per_file, &allowed, &|| gone.is_cancelled())?;
            // What is called exactly this comes first. Scores that differ by less than a reader could tell
            // are equal: the newer file wins.
            ranked.sort_by_cached_key(|file| {
                let row = row(file.file);
                let called = file.named && row.as_ref().is_some_and(|row| is_called(row, &query.spelled));
                (
                    std::cmp::Reverse(called),
                    std::cmp::Reverse((file.score * 500.0) as i64),
                    std::cmp::Reverse(row.map_or(0, |row| row.modified_ns)),
                    file.file,
                )
            });
            Ok::<_, tantivy::TantivyError>((ranked, sought))
        });
        match asked.await {
            Ok(Ok((ranked, sought))) => {
                let (ids, passages) = ranked.into_iter().map(|file| (file.file, file.passages)).unzip();
                Ok((ids, sought, passages))
            }
            Ok(Err(error)) => {
                if crate::index::is_damaged(&error) {
                    self.order_index(Order::Distrust).await;
                }
                Err(Error::Index(error.to_string()))
            }
            Err(error) => {
                // A damaged index makes tantivy panic rather than fail, and so may a question.
                self.order_index(Order::Doubt).await;
                Err(Error::Index(error.to_string()))
            }
        }
    }

    /// Filters alone: the newest files first.
    fn unranked(&self, scope: &Scope) -> (Vec<FileId>, Sought, Vec<Vec<u32>>) {
        let files = self.catalog().read();
        let mut rows: Vec<_> = files.rows().filter(|row| scope.admits(row)).collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.modified_ns), row.id));
        (rows.into_iter().map(|row| row.id).collect(), Sought::default(), Vec::new())
    }

    /// The citations of files and their passages, from their text as it is stored now. Left out is a file
    /// of which the index was behind and which no longer answers.
    async fn groups(&self, shown: Vec<(FileId, Vec<u32>)>, sought: Sought) -> Result<Vec<SearchGroup>> {
        let pairs = |(id, ordinals): &(FileId, Vec<u32>)| -> Vec<_> {
            ordinals.iter().map(|ordinal| (*id, *ordinal)).collect()
        };
        let wanted: Vec<_> = shown.iter().flat_map(pairs).collect();
        let chunks = chunk::some(self.db().reader(), &wanted).await?;
        let rows: Vec<_> = {
            let files = self.catalog().read();
            shown.into_iter().filter_map(|(id, ordinals)| Some((files.row(id)?.clone(), ordinals))).collect()
        };
        // Cutting snippets is work, and a page may hold hundreds.
        let cut = tokio::task::spawn_blocking(move || {
            let cut = rows.into_iter().filter_map(|(row, ordinals)| {
                let passages = ordinals.iter().filter_map(|ordinal| chunks.get(&(row.id, *ordinal)));
                let hits: Vec<_> =
                    passages.filter_map(|chunk| citation(&row, chunk, &sought, false)).collect();
                let answers = !hits.is_empty() || sought.is_empty() || names_match(&row, &sought);
                answers.then(|| (cite::marks(&row.title, &sought), row, hits))
            });
            (cut.collect::<Vec<_>>(), sought)
        });
        let (cut, sought) = cut.await.map_err(|_| Error::Closed)?;
        // What answers by its names is shown with its beginning.
        let named: Vec<_> =
            cut.iter().filter(|(_, _, hits)| hits.is_empty()).map(|(_, row, _)| (row.id, 0)).collect();
        let beginnings = chunk::some(self.db().reader(), &named).await?;
        let groups = cut.into_iter().map(|(title_marks, row, mut hits)| {
            hits.extend(beginnings.get(&(row.id, 0)).and_then(|chunk| citation(&row, chunk, &sought, true)));
            SearchGroup {
                file_id: row.id,
                place: place(&row),
                kb_name: self.kb_name(row.kb_id),
                kind: row.kind,
                title: row.title.clone(),
                title_marks,
                modified_at: row.modified_ns.div_euclid(1_000_000),
                hits,
            }
        });
        Ok(groups.collect())
    }
}

fn citation(row: &FileRow, chunk: &Chunk, sought: &Sought, anyway: bool) -> Option<Citation> {
    let snippet = cite::snippet(chunk, sought);
    // A passage may answer by the headings above it; else it has changed since it was indexed.
    let headings = || chunk.heading_path.iter().any(|heading| !cite::marks(heading, sought).is_empty());
    let (begin, end) = (spot_at(chunk, snippet.ends.0), spot_at(chunk, snippet.ends.1));
    (anyway || snippet.terms > 0 || headings()).then(|| Citation {
        file_id: row.id,
        place: place(row),
        title: row.title.clone(),
        heading_path: chunk.heading_path.clone(),
        lines: snippet.lines,
        blocks: begin.zip(end).map(|((first, _), (last, _))| (first, last)),
        spot: begin.map(|(_, spot)| spot),
        spot_end: begin.zip(end).filter(|(begin, end)| begin.0 != end.0).map(|(_, (_, spot))| spot),
        snippet: snippet.text,
        marks: snippet.marks,
    })
}

/// Whether the words of a query are all of a file's title, name or path, in this order.
fn is_called(row: &FileRow, spelled: &[String]) -> bool {
    let path = row.path.as_str();
    let bare = path.strip_suffix(row.path.name()).map(|folder| format!("{folder}{}", row.path.stem()));
    [Some(row.title.as_str()), Some(row.path.stem()), Some(row.path.name()), Some(path), bare.as_deref()]
        .into_iter()
        .flatten()
        .any(|name| spelled_out(name) == spelled)
}

fn names_match(row: &FileRow, sought: &Sought) -> bool {
    let matches = |text: &str| !cite::marks(text, sought).is_empty();
    matches(&row.title) || matches(row.path.as_str()) || row.tags.iter().any(|tag| matches(tag))
}

fn place(row: &FileRow) -> orangery_domain::FilePlace {
    orangery_domain::FilePlace { kb_id: row.kb_id, path: row.path.clone() }
}

fn clamp(asked: u32, default: u32, most: u32) -> u32 {
    if asked == 0 { default } else { asked.min(most) }
}

impl Library {
    /// How far search is, while it is not there.
    fn incomplete(&self) -> Option<Incomplete> {
        let files = self.catalog().read();
        let unread = files.waiting().difference(files.behind()).count();
        let (known, behind) = (files.len() as u64, (files.behind().len() + unread) as u64);
        drop(files);
        // An index that cannot be opened finds nothing, whatever the rows say.
        let searchable = if self.open_index().is_some() { known - behind } else { 0 };
        let (done, total) = (searchable, known + self.found_beyond());
        (done < total).then_some(Incomplete { done, total })
    }
}
