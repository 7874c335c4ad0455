//! Propose, show and apply, beside `git diff --no-index` and `git apply` on the same texts in the same
//! run: one note of 1 MB with 1,000 scattered edits, and 1,000 small notes with one edit each. Then a
//! folder of 5,000 notes gets another name, and each of them a new link. Prints milliseconds and how many
//! times git's they are. What git does not do is in ours: the proposal and the
//! old content are kept, and every file is on the disk before it counts as written.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]
#![expect(clippy::disallowed_methods, reason = "a bench makes its own folders")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot go on ends")]

use std::{
    path::Path,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use orangery_change::{Changes, EditRequest, ReplaceEdit};
use orangery_domain::{
    ChangeSetId, ContentHash, FilePlace, KbId, KbPath, LinkUpdate, Provenance, Relinked, SessionId, TextEdit,
    TurnId,
};
use orangery_store::{
    Db,
    root::{Root, Roots},
    table::knowledge_base,
};

const LINES: usize = 12_000;
const EDITS: usize = 1_000;
const FILES: usize = 1_000;
const FOLDER_FILES: usize = 5_000;
/// To propose that a folder gets another name, and to do it.
const FOLDER: Duration = Duration::from_secs(3);
/// Until the first hunk of a long diff is there, in an optimised build: what `show` may take.
const FIRST_HUNK: Duration = Duration::from_millis(100);

struct OneRoot(Root);

impl Roots for OneRoot {
    fn root(&self, _: KbId) -> orangery_store::Result<Root> {
        Ok(self.0.clone())
    }
}

fn line(at: usize) -> String {
    format!("Line {at} of the note says that 第{at}行 is like the others, nearly.\n")
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        one_long_note().await;
        many_small_notes().await;
        large_folder().await;
    });
}

async fn house(folder: &Path) -> (KbId, Changes) {
    std::fs::create_dir(folder.join("kb")).unwrap();
    let db = Db::open(&folder.join("orangery.db")).await.unwrap();
    let mut write = db.write().await.unwrap();
    let kb = knowledge_base::insert(&mut write, "kb", "/kb").await.unwrap();
    write.commit().await.unwrap();
    let roots = Arc::new(OneRoot(Root::open(&folder.join("kb")).unwrap()));
    (kb, Changes::open(db, roots, Arc::new(|_| {})).await.unwrap())
}

async fn one_long_note() {
    let before: String = (0..LINES).map(line).collect();
    let edits: Vec<ReplaceEdit> = (0..EDITS)
        .map(|at| at * (LINES / EDITS) + 1)
        .map(|at| ReplaceEdit {
            original: line(at),
            next: line(at).replace("nearly", "but not quite"),
            ..ReplaceEdit::default()
        })
        .collect();
    let after = edits.iter().fold(before.clone(), |text, edit| text.replacen(&edit.original, &edit.next, 1));
    println!("one note: {} KiB, {LINES} lines, {EDITS} edits", before.len() / 1024);

    let folder = tempfile::tempdir().unwrap();
    let (kb, changes) = house(folder.path()).await;
    std::fs::write(folder.path().join("kb/a.md"), &before).unwrap();
    let place = FilePlace { kb_id: kb, path: KbPath::parse("a.md").unwrap() };
    let start = Instant::now();
    let proposals = changes.proposals();
    let read = Some(ContentHash::of(before.as_bytes()));
    let proposed = proposals.edit(&by(), &place, read, EditRequest::MultiReplace { edits }).await.unwrap();
    let propose = tell("propose", start);
    let start = Instant::now();
    let diff = changes.diff(proposed.operation_id).await.unwrap();
    let shown = tell("show", start);
    assert_eq!(diff.hunks.len(), EDITS);
    let applied = apply(&changes, proposed.change_set_id).await;
    assert_eq!(std::fs::read_to_string(folder.path().join("kb/a.md")).unwrap(), after);
    let start = Instant::now();
    changes.undo(proposed.change_set_id).await.unwrap();
    tell("undo", start);
    println!("  the first hunk has {} ms", ms(FIRST_HUNK));
    beside_git(&[("a.md", before.as_str(), after.as_str())], propose + shown, applied);
}

async fn many_small_notes() {
    let texts: Vec<(String, String)> = (0..FILES)
        .map(|at| {
            let before: String = (0..30).map(|row| line(at * 30 + row)).collect();
            let after = before.replacen(&line(at * 30 + 7), "something else\n", 1);
            (before, after)
        })
        .collect();
    println!("{FILES} notes of {} bytes, one edit each", texts[0].0.len());
    let folder = tempfile::tempdir().unwrap();
    let (kb, changes) = house(folder.path()).await;
    let names: Vec<String> = (0..FILES).map(|at| format!("n{at}.md")).collect();
    for (name, (before, _)) in names.iter().zip(&texts) {
        std::fs::write(folder.path().join("kb").join(name), before).unwrap();
    }
    let proposals = changes.proposals();
    let start = Instant::now();
    let mut set = None;
    for (at, (name, (before, _))) in names.iter().zip(&texts).enumerate() {
        let place = FilePlace { kb_id: kb, path: KbPath::parse(name).unwrap() };
        let request = EditRequest::Replace {
            original: line(at * 30 + 7),
            next: "something else\n".into(),
            occurrence: None,
        };
        let read = Some(ContentHash::of(before.as_bytes()));
        set = Some(proposals.edit(&by(), &place, read, request).await.unwrap().change_set_id);
    }
    let propose = tell("propose", start);
    let set = set.unwrap();
    let start = Instant::now();
    assert_eq!(changes.get(set).await.unwrap().operations.len(), FILES);
    let listed = tell("list", start);
    let applied = apply(&changes, set).await;
    for (name, (_, after)) in names.iter().zip(&texts) {
        assert_eq!(&std::fs::read_to_string(folder.path().join("kb").join(name)).unwrap(), after);
    }
    let files: Vec<(&str, &str, &str)> = names
        .iter()
        .zip(&texts)
        .map(|(name, (before, after))| (name.as_str(), before.as_str(), after.as_str()))
        .collect();
    beside_git(&files, propose + listed, applied);
}

async fn large_folder() {
    println!("a folder of {FOLDER_FILES} notes with a link each");
    let folder = tempfile::tempdir().unwrap();
    let (kb, changes) = house(folder.path()).await;
    let place = |path: &str| FilePlace { kb_id: kb, path: KbPath::parse(path).unwrap() };
    std::fs::create_dir(folder.path().join("kb/old")).unwrap();
    let text = |at: usize, within: &str| format!("Note {at}\n\n[[{within}/n{}]]\n", (at + 1) % FOLDER_FILES);
    let mut updates = Vec::with_capacity(FOLDER_FILES);
    for at in 0..FOLDER_FILES {
        let before = text(at, "old");
        std::fs::write(folder.path().join(format!("kb/old/n{at}.md")), &before).unwrap();
        let start = before.find("old").unwrap();
        updates.push(LinkUpdate {
            place: place(&format!("old/n{at}.md")),
            base: ContentHash::of(before.as_bytes()),
            edits: vec![TextEdit { range: start..start + 3, insert: "new".into() }],
            pending: Vec::new(),
        });
    }
    let relinked = Relinked { updates, left: Vec::new() };
    let proposals = changes.proposals();
    let start = Instant::now();
    let proposed = proposals.relocate(&by(), &place("old"), &place("new")).await.unwrap();
    let followed = proposals.follow(&by(), proposed.operation_id, &relinked).await.unwrap();
    tell("propose", start);
    assert_eq!(followed.updates.len(), FOLDER_FILES);
    apply(&changes, proposed.change_set_id).await;
    for at in (0..FOLDER_FILES).step_by(499) {
        let now = std::fs::read_to_string(folder.path().join(format!("kb/new/n{at}.md"))).unwrap();
        assert_eq!(now, text(at, "new"));
    }
    let start = Instant::now();
    changes.undo(proposed.change_set_id).await.unwrap();
    tell("undo", start);
    for at in (0..FOLDER_FILES).step_by(499) {
        let now = std::fs::read_to_string(folder.path().join(format!("kb/old/n{at}.md"))).unwrap();
        assert_eq!(now, text(at, "old"));
    }
    println!("  each has {} ms", ms(FOLDER));
}

async fn apply(changes: &Changes, set: ChangeSetId) -> Duration {
    let start = Instant::now();
    let applied = changes.apply(set, &[], true).await.unwrap();
    assert!(applied.conflicts.is_empty() && applied.failed.is_empty());
    tell("apply", start)
}

fn by() -> Provenance {
    Provenance::Assistant {
        session_id: SessionId("bench".into()),
        turn_id: Some(TurnId(1)),
        goal: "measure".into(),
    }
}

fn tell(what: &str, start: Instant) -> Duration {
    let took = start.elapsed();
    println!("  {what}: {:.1} ms", ms(took));
    took
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// The same with git, which is left out where there is none.
fn beside_git(files: &[(&str, &str, &str)], shown: Duration, applied: Duration) {
    let folder = tempfile::tempdir().unwrap();
    for side in ["a", "b"] {
        std::fs::create_dir(folder.path().join(side)).unwrap();
        for (name, before, after) in files {
            let text = if side == "a" { before } else { after };
            std::fs::write(folder.path().join(side).join(name), text).unwrap();
        }
    }
    let git = |arguments: &[&str]| {
        Command::new("git")
            .args(arguments)
            .current_dir(folder.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
    };
    let start = Instant::now();
    let Ok(patch) = git(&["diff", "--no-index", "--no-color", "a", "b"]) else {
        println!("  no git here to compare with");
        return;
    };
    let diffed = start.elapsed();
    std::fs::write(folder.path().join("patch"), &patch.stdout).unwrap();
    let start = Instant::now();
    let done = git(&["apply", "-p2", "--directory=a", "patch"]).unwrap();
    let patched = start.elapsed();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for (name, _, after) in files {
        assert_eq!(&std::fs::read_to_string(folder.path().join("a").join(name)).unwrap(), after);
    }
    println!(
        "  git diff: {:.1} ms, git apply: {:.1} ms; ours: {:.1} × to propose and show, {:.1} × to apply",
        ms(diffed),
        ms(patched),
        shown.as_secs_f64() / diffed.as_secs_f64(),
        applied.as_secs_f64() / patched.as_secs_f64()
    );
}
