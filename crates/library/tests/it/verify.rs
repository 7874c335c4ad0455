//! Index, database and disk say the same, or it is named where they do not.

use std::collections::{BTreeMap, BTreeSet};

use orangery_library::DiffersBy;
use orangery_store::table::chunk;

use crate::house::{Folder, House};

impl House {
    async fn differences(&self) -> Vec<(DiffersBy, String)> {
        let verified = self.library.verify().await.unwrap();
        let named = verified.differences.into_iter().map(|difference| {
            (difference.fault, difference.place.map(|place| place.path.to_string()).unwrap_or_default())
        });
        named.collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_difference_is_named() {
    let house = House::with(&[
        ("a.md", "# One\n\nred apples 苹果\n"),
        ("b.md", "---\ntags: [x, y]\n---\ngreen pears\n"),
        ("c.txt", "blue plums\n"),
        ("sub/d.md", "grey figs\n"),
    ])
    .await;
    assert_eq!(house.differences().await, []);
    assert_eq!(house.library.verify().await.unwrap().files, 4);

    // The same size and time, so that no look sees it.
    let path = house.folder.kb().join("a.md");
    let time = std::fs::metadata(&path).unwrap().modified().unwrap();
    house.folder.write("a.md", "# One\n\nred cherry 苹果\n");
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    // Nobody watches.
    house.folder.write("new.md", "new\n");
    house.folder.remove("c.txt");
    // The database loses what the index holds, and gets what it does not.
    let (b, d) = (house.id("b.md").unwrap(), house.id("sub/d.md").unwrap());
    let mut chunks = chunk::of_file(house.db.reader(), d).await.unwrap();
    let mut tx = house.db.write().await.unwrap();
    chunk::replace(&mut tx, b, &[]).await.unwrap();
    chunks[0].text = "grey dates\n".into();
    chunk::replace(&mut tx, d, &chunks).await.unwrap();
    tx.commit().await.unwrap();

    let mut expected = vec![
        (DiffersBy::Unknown, "new.md".to_owned()),
        (DiffersBy::Gone, "c.txt".to_owned()),
        (DiffersBy::Changed, "a.md".to_owned()),
        (DiffersBy::IndexedOtherwise, "b.md".to_owned()),
        (DiffersBy::IndexedOtherwise, "sub/d.md".to_owned()),
    ];
    expected.sort();
    assert_eq!(house.differences().await, expected);
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// No two that typing could take for each other.
const WORDS: &[&str] = &[
    "aspen", "basil", "cedar", "delta", "ember", "fjord", "garnet", "harbour", "水库", "警戒", "知识",
    "温室", "柑橘", "银杏",
];

struct Storm {
    numbers: Numbers,
    notes: BTreeMap<String, String>,
}

impl Storm {
    fn path(&mut self) -> String {
        let folder = ["", "a/", "a/b/", "甲/"][self.numbers.below(4)];
        format!("{folder}n{}.md", self.numbers.below(12))
    }

    fn text(&mut self) -> String {
        let words = 1 + self.numbers.below(6);
        let words: Vec<&str> = (0..words).map(|_| WORDS[self.numbers.below(WORDS.len())]).collect();
        format!("# {}\n\n{}\n", words[0], words.join(" "))
    }

    fn known(&mut self) -> Option<String> {
        let at = self.numbers.below(self.notes.len().max(1));
        self.notes.keys().nth(at).cloned()
    }

    /// One thing that somebody does to the folder, and the paths that it was done to.
    fn step(&mut self, folder: &Folder) -> Vec<String> {
        match (self.numbers.below(10), self.known()) {
            (0..4, _) | (_, None) => {
                let (path, text) = (self.path(), self.text());
                folder.write(&path, &text);
                self.notes.insert(path.clone(), text);
                vec![path]
            }
            (4..6, Some(path)) => {
                let text = self.text();
                folder.write(&path, &text);
                self.notes.insert(path.clone(), text);
                vec![path]
            }
            (6..8, Some(path)) => {
                folder.remove(&path);
                self.notes.remove(&path);
                vec![path]
            }
            (8, Some(from)) => {
                let to = self.path();
                if to == from {
                    return Vec::new();
                }
                std::fs::create_dir_all(folder.kb().join(&to).parent().unwrap()).unwrap();
                folder.rename(&from, &to);
                let text = self.notes.remove(&from).unwrap();
                self.notes.insert(to.clone(), text);
                vec![from, to]
            }
            // A whole folder goes elsewhere, if there is room.
            (_, Some(_)) => {
                let (from, to) = (folder.kb().join("a/b"), folder.kb().join("c"));
                let (from, to) = if to.exists() { (to, from) } else { (from, to) };
                if !from.exists() || to.exists() || !to.parent().unwrap().exists() {
                    return Vec::new();
                }
                std::fs::rename(&from, &to).unwrap();
                let (from, to) = if from.ends_with("c") { ("c/", "a/b/") } else { ("a/b/", "c/") };
                let moved: Vec<String> =
                    self.notes.keys().filter(|path| path.starts_with(from)).cloned().collect();
                for path in &moved {
                    let text = self.notes.remove(path).unwrap();
                    self.notes.insert(path.replacen(from, to, 1), text);
                }
                vec![from.trim_end_matches('/').to_owned(), to.trim_end_matches('/').to_owned()]
            }
        }
    }
}

/// FAULTS A14, B9, B12 and B15: whatever is done in whatever order, and whoever says so, it ends with what a
/// search of the files themselves would find.
#[tokio::test(flavor = "multi_thread")]
async fn storms_end_in_what_a_scan_by_hand_finds() {
    for seed in 1..=6 {
        let mut storm = Storm { numbers: Numbers(seed), notes: BTreeMap::new() };
        let mut house = Folder::new().open(false).await;
        for round in 0..4 {
            for _ in 0..30 {
                let touched = storm.step(&house.folder);
                match storm.numbers.below(4) {
                    // Nobody says anything: a later look finds it.
                    0 => {}
                    1 => house.library.rescan(house.kb).unwrap(),
                    _ => touched.iter().for_each(|path| house.library.touched(&house.place(path))),
                }
            }
            if round == 2 {
                // Closed with whatever is on its way.
                house = house.close().await.open(false).await;
            }
            house.rescan().await;
            assert_eq!(house.differences().await, [], "seed {seed}, round {round}");
            let paths: Vec<String> = storm.notes.keys().cloned().collect();
            assert_eq!(house.files(), paths, "seed {seed}, round {round}");
            for word in WORDS {
                let by_hand: BTreeSet<String> = storm
                    .notes
                    .iter()
                    .filter(|(_, text)| text.contains(word))
                    .map(|(path, _)| path.clone())
                    .collect();
                let found: BTreeSet<String> = house.search(word).await.into_iter().collect();
                assert_eq!(found, by_hand, "seed {seed}, round {round}: {word}");
            }
        }
        house.close().await;
    }
}
