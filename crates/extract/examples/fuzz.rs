//! Changes documents at random and reads them: `fuzz TARGET SECONDS [--seed N] [--files FOLDER]`.
//!
//! A plain loop on the stable compiler. What breaks readers of packages is markup in the wrong place,
//! absurd numbers and deep nesting, so parts are changed before they are packed: a fuzzer that is guided
//! by coverage but changes packed bytes spends its time on damaged zip files, and needs a compiler that
//! this project does not use. The input at work is kept in a file, so that one that ends the process is
//! there afterwards; `fuzz TARGET --replay FILE` reads it again.
#![expect(clippy::print_stdout, reason = "a program whose output is its purpose")]
#![expect(clippy::disallowed_methods, reason = "it keeps the input at work")]

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use orangery_domain::FileKind;
use orangery_extract::Document;
use orangery_extract::document::{Limits, Options, RowsWanted, code, read, rows};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

#[path = "fuzz/seed.rs"]
mod seed;

/// A reader that needs longer for so small a file hangs.
const PATIENCE: Duration = Duration::from_secs(20);
const LIMITS: Limits = Limits { text: 4 << 20, unfolded: 32 << 20, ratio: 200, depth: 256 };

type Parts = Vec<(String, Vec<u8>)>;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let target = arguments.first().cloned().unwrap_or_default();
    anyhow::ensure!(seed::TARGETS.contains(&target.as_str()), "one of {:?}", seed::TARGETS);
    if let Some(file) = option("--replay") {
        return check(&target, &std::fs::read(file)?);
    }
    let seconds: u64 = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(60);
    let first: u64 = option("--seed").and_then(|text| text.parse().ok()).unwrap_or(1);
    let kept = std::env::temp_dir().join(format!("orangery-fuzz-{target}"));
    let seeds = seeds(&target, option("--files").map(PathBuf::from).as_deref())?;
    let mut random = Random(first);
    let (start, mut count) = (Instant::now(), 0_u64);
    while start.elapsed() < Duration::from_secs(seconds) {
        let bytes = changed(&seeds[random.below(seeds.len())], &seeds, &mut random)?;
        std::fs::write(&kept, &bytes)?;
        let began = Instant::now();
        check(&target, &bytes)?;
        anyhow::ensure!(began.elapsed() < PATIENCE, "{:?} for {}", began.elapsed(), kept.display());
        count += 1;
    }
    std::fs::remove_file(&kept)?;
    println!("{target}: {count} documents in {seconds} s, seed {first}, no finding");
    Ok(())
}

/// Reads `bytes` as `target` and looks at what came of it.
fn check(target: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let name = format!("x.{target}");
    let options = Options { limits: LIMITS, ..Options::default() };
    let document = read(FileKind::of_name(&name), &name, bytes, &options);
    if let Some(fault) = fault(&document) {
        anyhow::bail!("{fault}");
    }
    if matches!(target, "csv" | "xlsx") {
        let wanted = RowsWanted { sheet: 1, first: 2, count: 100, bytes: 1 << 20 };
        let _ = rows(&name, bytes, &options, wanted);
    }
    Ok(())
}

/// What holds for every document, whatever it was read from.
fn fault(document: &Document) -> Option<String> {
    let text = &document.text;
    if text.len() > LIMITS.text + 2 * document.blocks.len() {
        return Some(format!("{} bytes of text", text.len()));
    }
    if document.blocks.len() != document.spots.len() {
        return Some("a block without a spot".into());
    }
    let mut end = 0;
    for block in &document.blocks {
        let between = text.get(end..block.range.start).map(str::trim);
        let own = text.get(block.range.clone()).map(str::trim);
        if between != Some("") || own.is_none_or(str::is_empty) {
            return Some(format!("block {:?} after {end}", block.range));
        }
        end = block.range.end;
    }
    let lost = document.links.iter().find(|link| text.get(link.range.clone()).is_none());
    let unknown = document.warnings.iter().chain(&document.trouble);
    let mut unknown = unknown.filter(|warning| !code::ALL.contains(&warning.code.as_str()));
    lost.map(|link| format!("{link:?}")).or_else(|| unknown.next().map(|warning| warning.code.clone()))
}

/// Our own documents of this kind, and those of a folder.
fn seeds(target: &str, folder: Option<&Path>) -> anyhow::Result<Vec<Parts>> {
    let mut seeds: Vec<Parts> = vec![seed::parts(target)];
    let Some(folder) = folder else { return Ok(seeds) };
    for entry in folder.read_dir()?.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != target) || entry.metadata()?.len() > 256 << 10
        {
            continue;
        }
        let bytes = std::fs::read(&path)?;
        match ZipArchive::new(Cursor::new(&bytes)) {
            Ok(mut archive) => {
                let mut parts = Parts::new();
                for at in 0..archive.len() {
                    let mut file = archive.by_index(at)?;
                    let mut content = Vec::new();
                    file.read_to_end(&mut content)?;
                    parts.push((file.name().to_owned(), content));
                }
                seeds.push(parts);
            }
            Err(_) => seeds.push(vec![(String::new(), bytes)]),
        }
    }
    Ok(seeds)
}

fn changed(parts: &Parts, all: &[Parts], random: &mut Random) -> anyhow::Result<Vec<u8>> {
    let mut parts = parts.clone();
    for _ in 0..=random.below(6) {
        let at = random.below(parts.len());
        let other = &all[random.below(all.len())];
        let other = &other[random.below(other.len())].1;
        change(&mut parts[at].1, other, random);
    }
    // A file that is no package is its only part.
    if let [(name, content)] = parts.as_slice()
        && name.is_empty()
    {
        return Ok(content.clone());
    }
    if random.below(12) == 0 {
        let lost = random.below(parts.len());
        parts.remove(lost);
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in &parts {
        writer.start_file(name.as_str(), options)?;
        writer.write_all(content)?;
    }
    let mut bytes = writer.finish()?.into_inner();
    if random.below(8) == 0 {
        let length = bytes.len();
        match random.below(2) {
            0 => bytes.truncate(random.below(length)),
            _ => bytes[random.below(length)] ^= 1 << random.below(8),
        }
    }
    Ok(bytes)
}

/// One change of one part.
fn change(content: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.edge(content);
    let end = random.edge(content).max(at);
    match random.below(9) {
        0 => drop(content.drain(at..end)),
        1 => {
            let slice = content[at..end.min(at + 2000)].to_vec();
            let to = random.edge(content);
            content.splice(to..to, slice);
        }
        2 => {
            let from = random.edge(other);
            let slice = other[from..random.edge(other).max(from).min(from + 2000)].to_vec();
            content.splice(at..at, slice);
        }
        3 => {
            let slice = content[at..end.min(at + 60)].to_vec();
            let times = 1 << random.below(13);
            content.splice(at..at, slice.repeat(times));
        }
        4 => {
            // A number becomes an absurd one.
            let digits = content[at..].iter().position(u8::is_ascii_digit).map(|found| at + found);
            if let Some(from) = digits {
                let length = content[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let absurd = seed::NUMBERS[random.below(seed::NUMBERS.len())];
                content.splice(from..from + length, absurd.bytes());
            }
        }
        5 => content.truncate(at),
        6 if !content.is_empty() => {
            let at = random.below(content.len());
            content[at] = random.below(256) as u8;
        }
        _ => {
            let word = seed::WORDS[random.below(seed::WORDS.len())];
            content.splice(at..at, word.bytes());
        }
    }
    content.truncate(2 << 20);
}

/// A small generator with its whole state in the open: the same seed gives the same documents
/// (xorshift64*, S. Vigna).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.max(1);
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit.max(1)
    }

    /// A place in `content`, mostly where markup begins or ends.
    fn edge(&mut self, content: &[u8]) -> usize {
        let at = self.below(content.len() + 1);
        if self.below(4) == 0 {
            return at;
        }
        let ahead = content[at..].iter().position(|byte| matches!(byte, b'<' | b'>' | b',' | b'\n' | b'"'));
        let Some(ahead) = ahead else { return at };
        at + ahead + usize::from(content[at + ahead] == b'>')
    }
}
