//! Measures how well search ranks, on collections of notes with questions and judged answers.
//!
//! `relevance [COLLECTION…]`, where a collection is a folder with `notes/`, `queries.tsv` (`id<TAB>text`)
//! and `qrels.tsv` (`id<TAB>0<TAB>note<TAB>grade`); without any, those of `../shared/data/ir` beside the
//! checkout, if they are there. Weights are tuned on every other question, the training half, and checked
//! on the rest: both are printed, so that what was only learnt by heart shows.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use orangery_domain::SearchQuery;
use orangery_library::{Library, LibraryConfig};
use orangery_store::{Db, files};
use tokio_util::sync::CancellationToken;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const DEPTH: usize = 10;

/// The sum over questions of what is measured.
#[derive(Default, Clone, Copy)]
struct Sums {
    questions: f64,
    gain: f64,
    hits: f64,
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut collections: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if collections.is_empty() {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ir");
        let listed =
            std::fs::read_dir(&shared).map_err(|_| "there are no collections beside the checkout")?;
        collections = listed.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        collections.sort();
    }
    for collection in collections {
        let halves = measure(&collection).await?;
        for (half, sums) in ["training", "held out"].into_iter().zip(halves) {
            say(&format!(
                "{:<12} {half:<9} nDCG@{DEPTH} {:.4}  hit@{DEPTH} {:.4}  of {} questions",
                collection.file_name().unwrap_or_default().to_string_lossy(),
                sums.gain / sums.questions,
                sums.hits / sums.questions,
                sums.questions
            ))?;
        }
    }
    Ok(())
}

async fn measure(collection: &Path) -> Result<[Sums; 2]> {
    let data = tempfile::tempdir()?;
    files::create_private(data.path())?;
    let library = Library::open(LibraryConfig {
        db: Db::open(&data.path().join("orangery.db")).await?,
        index_folder: data.path().join("index"),
        notify: Arc::new(|_| {}),
        cancel: CancellationToken::new(),
        worker: None,
        secrets: None,
        watch: false,
    })
    .await?;
    library.add(&collection.join("notes"), None).await?;
    library.settle().await;
    let judged = judged(&std::fs::read_to_string(collection.join("qrels.tsv"))?)?;
    let questions = std::fs::read_to_string(collection.join("queries.tsv"))?;
    let questions = questions.lines().filter_map(|line| line.split_once('\t'));
    let mut halves = [Sums::default(); 2];
    for (at, (id, text)) in questions.filter(|(id, _)| judged.contains_key(*id)).enumerate() {
        let query =
            SearchQuery { text: text.into(), limit: DEPTH as u32, per_file: 1, ..SearchQuery::default() };
        let page = library.search(&query).await?;
        let grades = page.groups.iter().map(|group| judged[id].get(name(group.place.path.as_str())).copied());
        halves[at % 2].add(&grades.map(Option::unwrap_or_default).collect::<Vec<_>>(), &judged[id]);
    }
    library.close().await;
    Ok(halves)
}

/// A note as judgements name it.
fn name(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// The grade of each answer, by question.
fn judged(text: &str) -> Result<HashMap<String, HashMap<String, f64>>> {
    let mut judged: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for line in text.lines() {
        let mut fields = line.split('\t');
        if let (Some(id), Some(_), Some(note), Some(grade)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
            && grade.parse::<f64>()? > 0.0
        {
            judged.entry(id.into()).or_default().insert(note.into(), grade.parse()?);
        }
    }
    Ok(judged)
}

impl Sums {
    /// `grades` are those of the files found, best first.
    fn add(&mut self, grades: &[f64], judged: &HashMap<String, f64>) {
        let gain = |grades: &[f64]| -> f64 {
            grades.iter().zip(2_u32..).map(|(grade, rank)| grade / f64::from(rank).log2()).sum()
        };
        let mut ideal: Vec<f64> = judged.values().copied().collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        ideal.truncate(DEPTH);
        self.questions += 1.0;
        self.gain += gain(grades) / gain(&ideal);
        self.hits += f64::from(u8::from(grades.iter().any(|grade| *grade > 0.0)));
    }
}

fn say(line: &str) -> Result<()> {
    use std::io::Write as _;
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
