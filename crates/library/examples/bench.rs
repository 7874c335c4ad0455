//! Measures indexing and search on a folder of notes.
//!
//! `bench index NOTES DATA` registers NOTES, indexes it and prints what that took.
//! `bench query NOTES DATA QUERIES RUN` answers `id<TAB>text` lines, writes a TREC run and prints
//! `{"p50_ms": …, "p95_ms": …}` last.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use orangery_domain::SearchQuery;
use orangery_library::{Library, LibraryConfig};
use orangery_store::{Db, files};
use tokio_util::sync::CancellationToken;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    match arguments.as_slice() {
        [verb, notes, data] if verb.as_os_str() == "index" => index(notes, data).await,
        [verb, notes, data, queries, run] if verb.as_os_str() == "query" => {
            query(notes, data, queries, run).await
        }
        _ => Err("usage: bench index NOTES DATA | bench query NOTES DATA QUERIES RUN".into()),
    }
}

async fn open(data: &Path) -> Result<Library> {
    files::create_private(data)?;
    let db = Db::open(&data.join("orangery.db")).await?;
    let config = LibraryConfig {
        db,
        index_folder: data.join("index"),
        notify: Arc::new(|_| {}),
        cancel: CancellationToken::new(),
        worker: None,
        secrets: None,
        watch: false,
    };
    Ok(Library::open(config).await?)
}

async fn index(notes: &Path, data: &Path) -> Result<()> {
    let started = Instant::now();
    let library = open(data).await?;
    library.add(notes, None).await?;
    library.settle().await;
    let files: u64 = library.knowledge_bases().iter().map(|kb| kb.scan.searchable).sum();
    library.close().await;
    say(&format!("{{\"files\": {files}, \"wall_s\": {:.2}}}", started.elapsed().as_secs_f64()))
}

async fn query(notes: &Path, data: &Path, queries: &Path, run: &Path) -> Result<()> {
    let library = open(data).await?;
    if library.knowledge_bases().is_empty() {
        library.add(notes, None).await?;
    }
    library.settle().await;
    let queries = std::fs::read_to_string(queries)?;
    let queries: Vec<(&str, &str)> = queries.lines().filter_map(|line| line.split_once('\t')).collect();
    let ask =
        |text: &str| SearchQuery { text: text.into(), limit: 10, per_file: 1, ..SearchQuery::default() };
    for (_, text) in &queries {
        library.search(&ask(text)).await?;
    }
    let (mut lines, mut times) = (String::new(), Vec::new());
    for (id, text) in &queries {
        let started = Instant::now();
        let page = library.search(&ask(text)).await?;
        times.push(started.elapsed().as_secs_f64() * 1_000.0);
        for (rank, group) in page.groups.iter().enumerate() {
            let path = group.place.path.as_str();
            let name = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            writeln!(lines, "{id}\tQ0\t{name}\t{}\t{}\torangery", rank + 1, 1_000 - rank)?;
        }
    }
    files::write(run, lines.as_bytes())?;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    library.close().await;
    say(&format!("{{\"p50_ms\": {:.3}, \"p95_ms\": {:.3}}}", at(0.5), at(0.95)))
}

fn say(line: &str) -> Result<()> {
    use std::io::Write as _;
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
