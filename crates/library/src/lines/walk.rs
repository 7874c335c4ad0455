//! The files that are asked, found and searched by as many workers as there are processors.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use globset::GlobMatcher;
use orangery_domain::{ErrorKind, FileKind, KbPath};
use orangery_store::root::{EntryKind, OpenFolder, is_temporary};
use tokio_util::sync::CancellationToken;

use super::Tree;
use super::engine::Searchers;
use super::pattern::{Pattern, Reading};
use super::rows::Tally;
use super::source::{Buffer, Hints};
use crate::Result;
use crate::scan::{DEPTH_LIMIT, Rules, Stack};
use crate::sensitive::{is_called_sensitive, is_sensitive};

/// Sets of queries, one bit for each.
type Mask = u64;

/// A question to one file, made ready.
pub struct Asked {
    pub pattern: String,
    /// Which of the trees, and the folder or file there.
    pub tree: usize,
    pub place: KbPath,
    pub recursive: bool,
    pub glob: Option<(GlobMatcher, bool)>,
}

/// Everything that is asked.
pub struct Plan {
    pub trees: Vec<Tree>,
    pub asked: Vec<Asked>,
    pub reading: Reading,
    pub kinds: Vec<FileKind>,
}

/// A file with lines that fit.
#[derive(Debug)]
pub struct Hit {
    pub tree: usize,
    pub path: KbPath,
    /// The queries that were asked of it.
    pub mask: Mask,
    pub count: u64,
    pub first: Vec<u64>,
}

/// What a walk gave.
#[derive(Debug, Default)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// Files and folders that could not be read.
    pub unread: u64,
}

enum Job {
    /// A place that is named by a query.
    Start(usize, KbPath),
    Folder {
        within: Arc<Within>,
        name: String,
    },
    Files {
        within: Arc<Within>,
        names: Vec<String>,
    },
}

/// A folder that is being walked.
struct Within {
    folder: OpenFolder,
    tree: usize,
    /// Rules of this folder and those above.
    stack: Stack,
    /// Asked of the files right here, and of all below.
    here: Mask,
    below: Mask,
    /// Queries that name a file right here.
    named: Mask,
    /// Whoever named the start was allowed to see secrets.
    secrets: bool,
    depth: usize,
}

/// Files of one folder that one worker takes at once.
const BATCH: usize = 128;
/// More do not make a disk faster.
const WORKERS: usize = 12;

#[derive(Default)]
struct Queue {
    jobs: Vec<Job>,
    working: usize,
}

struct Shared<'a> {
    plan: &'a Plan,
    gone: &'a CancellationToken,
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Plan {
    /// The pattern for files of which `mask` is asked.
    pub fn pattern(&self, mask: Mask) -> Result<Pattern> {
        let mut patterns: Vec<String> = Vec::new();
        for (_, asked) in self.members_at(mask) {
            if !patterns.contains(&asked.pattern) {
                patterns.push(asked.pattern.clone());
            }
        }
        Pattern::new(patterns, self.reading)
    }

    fn members_at(&self, mask: Mask) -> impl Iterator<Item = (usize, &Asked)> {
        self.asked.iter().enumerate().filter(move |(at, _)| mask & bit(*at) != 0)
    }

    /// Counts in all files.
    pub fn run(&self, gone: &CancellationToken) -> Found {
        let queue = Queue { jobs: self.starts(), working: 0 };
        let shared = Shared { plan: self, gone, queue: Mutex::new(queue), changed: Condvar::new() };
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(WORKERS);
        let mut found = Found::default();
        std::thread::scope(|scope| {
            let started: Vec<_> = (1..workers)
                .filter_map(|_| {
                    let worker = std::thread::Builder::new().name("lines".into());
                    worker.spawn_scoped(scope, || Worker::new(&shared).run()).ok()
                })
                .collect();
            let mine = Worker::new(&shared).run();
            for part in started.into_iter().filter_map(|worker| worker.join().ok()).chain([mine]) {
                found.hits.extend(part.hits);
                found.unread += part.unread;
            }
        });
        found.hits.sort_unstable_by(|a, b| a.tree.cmp(&b.tree).then_with(|| a.path.cmp(&b.path)));
        found
    }

    /// Places from which every file is met once: one below another is met on the way from there, unless it
    /// is left out there and was named all the same.
    fn starts(&self) -> Vec<Job> {
        let mut starts: Vec<(usize, &KbPath, bool)> = Vec::new();
        for asked in &self.asked {
            match starts.iter_mut().find(|(tree, place, _)| *tree == asked.tree && **place == asked.place) {
                Some((.., recursive)) => *recursive |= asked.recursive,
                None => starts.push((asked.tree, &asked.place, asked.recursive)),
            }
        }
        let met = |(tree, place, _): &(usize, &KbPath, bool)| {
            starts.iter().any(|(other, above, recursive)| {
                *recursive
                    && other == tree
                    && is_below(place, above)
                    && self.trees[*tree].reaches(above, place)
            })
        };
        starts
            .iter()
            .filter(|start| !met(start))
            .map(|(tree, place, _)| Job::Start(*tree, (*place).clone()))
            .collect()
    }
}

fn bit(at: usize) -> Mask {
    1_u64.checked_shl(u32::try_from(at).unwrap_or(u32::MAX)).unwrap_or(0)
}

/// Both are spelled as on disk.
fn is_below(place: &KbPath, above: &KbPath) -> bool {
    above.is_root() && !place.is_root()
        || place.as_str().strip_prefix(above.as_str()).is_some_and(|rest| rest.starts_with('/'))
}

impl Tree {
    fn rules(&self) -> Rules<'_> {
        Rules { root: &self.root, own_data: self.own_data.clone() }
    }

    /// Whether a walk from `above` comes to the folder or file at `place`.
    fn reaches(&self, above: &KbPath, place: &KbPath) -> bool {
        let rules = self.rules();
        let mut stack = rules.stack_above(above);
        let mut at = above.clone();
        for part in place.components().skip(above.components().count()) {
            rules.push_rules(&at.clone(), |_| true, &mut stack);
            let Ok(next) = at.join(part) else { return false };
            at = next;
            let folder = at != *place
                || self
                    .root
                    .resolve(place)
                    .and_then(|it| it.metadata())
                    .is_ok_and(|meta| meta.kind == EntryKind::Folder);
            let left_out =
                if folder { !rules.enters(&at) } else { is_left_out(at.name()) || is_sensitive(&at) };
            if left_out || stack.ignores(at.as_str(), folder) {
                return false;
            }
        }
        true
    }
}

/// Files that nobody means who names the folder.
fn is_left_out(name: &str) -> bool {
    name.starts_with('.') || is_temporary(name)
}

struct Worker<'a> {
    shared: &'a Shared<'a>,
    buffer: Buffer,
    searchers: Searchers,
    /// Each worker runs patterns of its own: what they remember while they run is not shared.
    patterns: HashMap<Mask, Option<Pattern>>,
    found: Found,
}

impl<'a> Worker<'a> {
    fn new(shared: &'a Shared<'a>) -> Self {
        Self {
            shared,
            buffer: Buffer::default(),
            searchers: Searchers::counting(shared.plan.reading.multiline),
            patterns: HashMap::new(),
            found: Found::default(),
        }
    }

    fn run(mut self) -> Found {
        while let Some(job) = self.shared.next() {
            match job {
                Job::Start(tree, place) => self.start(tree, &place),
                Job::Folder { within, name } => self.folder(&within, &name),
                Job::Files { within, names } => self.files(&within, &names),
            }
            self.shared.done();
        }
        self.found
    }

    fn plan(&self) -> &'a Plan {
        self.shared.plan
    }

    fn start(&mut self, tree: usize, place: &KbPath) {
        let plan = self.plan();
        let of = &plan.trees[tree];
        let checked = match of.root.resolve(place) {
            Ok(checked) if checked.place() == place => checked,
            // It leads elsewhere by now, or is gone.
            _ => {
                self.found.unread += 1;
                return;
            }
        };
        let file = checked.metadata().is_ok_and(|meta| meta.kind == EntryKind::File);
        let opened = if file {
            place.parent().map(|parent| of.root.resolve(&parent).and_then(|above| above.open_folder()))
        } else {
            Some(checked.open_folder())
        };
        let Some(Ok(folder)) = opened else {
            self.found.unread += 1;
            return;
        };
        let secrets = is_sensitive(place);
        let depth = place.components().count();
        let named = plan.named_in(tree, folder.place());
        let (here, below) = plan.asked_at(tree, place);
        let stack = Stack::default();
        let mut within = Within { folder, tree, stack, here, below, named, secrets, depth };
        if file {
            within.here = 0;
            self.file(&within, place.name());
        } else {
            within.stack = of.rules().stack_above(place);
            self.enter(within);
        }
    }

    fn folder(&mut self, above: &Within, name: &str) {
        let folder = match above.folder.folder(name) {
            Ok(folder) => folder,
            Err(error) => {
                self.found.unread += u64::from(error.kind() != ErrorKind::NotFound);
                return;
            }
        };
        let (here, below) = self.plan().asked_at(above.tree, folder.place());
        let within = Within {
            tree: above.tree,
            stack: above.stack.clone(),
            here: here | above.below,
            below: below | above.below,
            named: self.plan().named_in(above.tree, folder.place()),
            secrets: above.secrets,
            depth: above.depth + 1,
            folder,
        };
        self.enter(within);
    }

    /// Lists a folder: hands out what lies below, and searches what lies here.
    fn enter(&mut self, mut within: Within) {
        let plan = self.plan();
        let rules = plan.trees[within.tree].rules();
        let Ok((entries, unnamed)) = within.folder.list() else {
            self.found.unread += 1;
            return;
        };
        self.found.unread += unnamed as u64;
        let is_file =
            |name: &str| entries.iter().any(|entry| entry.name == name && entry.kind == EntryKind::File);
        rules.push_rules(within.folder.place(), is_file, &mut within.stack);
        let mut path = within.folder.place().as_str().to_owned();
        if !path.is_empty() {
            path.push('/');
        }
        let length = path.len();
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        for entry in entries {
            path.truncate(length);
            path.push_str(&entry.name);
            let ignored = |folder| !within.stack.is_empty() && within.stack.ignores(&path, folder);
            match entry.kind {
                EntryKind::Folder if within.below != 0 && within.depth < DEPTH_LIMIT => {
                    let enters = KbPath::parse(&path).is_ok_and(|path| rules.enters(&path));
                    if enters && !ignored(true) {
                        folders.push(entry.name);
                    }
                }
                EntryKind::File => {
                    let left_out = is_left_out(&entry.name)
                        || !plan.kinds.is_empty() && !plan.kinds.contains(&FileKind::of_name(&entry.name))
                        || !within.secrets && is_called_sensitive(&entry.name);
                    if !left_out && !ignored(false) {
                        files.push(entry.name);
                    }
                }
                // A link's target is met where it is.
                _ => {}
            }
        }
        let within = Arc::new(within);
        let mut jobs: Vec<Job> =
            folders.into_iter().map(|name| Job::Folder { within: Arc::clone(&within), name }).collect();
        let mut batches = files.chunks(BATCH);
        let mine = batches.next().unwrap_or_default();
        jobs.extend(batches.map(|names| Job::Files { within: Arc::clone(&within), names: names.to_vec() }));
        self.shared.add(jobs);
        self.files(&within, mine);
    }

    fn files(&mut self, within: &Within, names: &[String]) {
        for name in names {
            if self.shared.gone.is_cancelled() {
                return;
            }
            self.file(within, name);
        }
    }

    fn file(&mut self, within: &Within, name: &str) {
        let plan = self.plan();
        let mask = plan.fitting(within, name);
        if mask == 0 {
            return;
        }
        match self.count(within, name, mask) {
            Ok(Some(tally)) if tally.count > 0 => {
                if let Ok(path) = within.folder.place().join(name) {
                    let Tally { count, first } = tally;
                    self.found.hits.push(Hit { tree: within.tree, path, mask, count, first });
                }
            }
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => self.found.unread += 1,
        }
    }

    fn count(&mut self, within: &Within, name: &str, mask: Mask) -> std::io::Result<Option<Tally>> {
        let plan = self.plan();
        let pattern = self.patterns.entry(mask).or_insert_with(|| plan.pattern(mask).ok());
        let Some(pattern) = pattern else { return Ok(None) };
        let (file, size) = match within.folder.file(name) {
            Ok(opened) => opened,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(std::io::Error::other(error)),
        };
        let tree = &plan.trees[within.tree];
        let chosen = tree.chosen(within.folder.place(), name);
        let hints = Hints { chosen, prior: &|| tree.prior.as_slice() };
        let mut tally = Tally::default();
        let source = self.buffer.load(file, size, &hints)?;
        self.searchers.search(source, pattern, &mut tally)?;
        let secret = tally.count > 0 && !within.secrets && self.buffer.holds_private_key();
        Ok((!secret).then_some(tally))
    }
}

impl Plan {
    /// What is asked of files right in the folder at `place`, or of the file there, by queries that name it;
    /// and what of all below.
    fn asked_at(&self, tree: usize, place: &KbPath) -> (Mask, Mask) {
        let (mut here, mut below) = (0, 0);
        for (at, asked) in self.asked.iter().enumerate() {
            if asked.tree == tree && asked.place == *place {
                here |= bit(at);
                below |= if asked.recursive { bit(at) } else { 0 };
            }
        }
        (here, below)
    }

    /// Queries that name a file right in the folder at `place`.
    fn named_in(&self, tree: usize, place: &KbPath) -> Mask {
        let named = self.asked.iter().enumerate().filter(|(_, asked)| {
            asked.tree == tree && !asked.place.is_root() && asked.place.parent().as_ref() == Some(place)
        });
        named.map(|(at, _)| bit(at)).fold(0, |mask, bit| mask | bit)
    }

    /// What is asked of the file called `name`.
    fn fitting(&self, within: &Within, name: &str) -> Mask {
        let named = self.members_at(within.named).filter(|(_, asked)| asked.place.name() == name);
        let mut mask = named.map(|(at, _)| bit(at)).fold(within.here, |mask, bit| mask | bit);
        for (at, asked) in self.members_at(mask) {
            let Some((glob, not)) = &asked.glob else { continue };
            let below = within.folder.place().as_str().get(asked.place.as_str().len()..).unwrap_or_default();
            let below = below.trim_start_matches('/');
            let fits = glob.is_match(name) || !below.is_empty() && glob.is_match(Path::new(below).join(name));
            if fits == *not {
                mask &= !bit(at);
            }
        }
        mask
    }
}

impl Shared<'_> {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job, once there is one; nothing when there will be none.
    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if self.gone.is_cancelled() {
                self.changed.notify_all();
                return None;
            }
            if let Some(job) = queue.jobs.pop() {
                queue.working += 1;
                return Some(job);
            }
            if queue.working == 0 {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn add(&self, jobs: Vec<Job>) {
        if !jobs.is_empty() {
            self.queue().jobs.extend(jobs);
            self.changed.notify_all();
        }
    }

    fn done(&self) {
        let mut queue = self.queue();
        queue.working -= 1;
        if queue.working == 0 && queue.jobs.is_empty() {
            self.changed.notify_all();
        }
    }
}
