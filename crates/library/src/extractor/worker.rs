//! The side of the worker: a process that opens none of the user's files and answers questions of the
//! bytes that it is sent, until nobody asks any more.

use std::io::{self, BufReader, Write};
use std::sync::mpsc::sync_channel;

use orangery_domain::ContentHash;
use orangery_extract::document::RowsWanted;
use orangery_extract::image::{Fit, Fitted};

use super::wire::{self, Answer, HELLO, Question, Work};
use super::{DOCUMENT_LIMIT, reader};
use crate::trouble;

/// Bytes of address space: what asks for more is ended by its own failure.
#[cfg(unix)]
const MEMORY: u64 = 3 << 30;
/// Documents nest deeper than a default stack likes.
const STACK: usize = 32 << 20;

/// The document that questions are about until the next one is sent.
struct Held {
    hash: ContentHash,
    bytes: Vec<u8>,
    asked: Option<reader::Asked>,
}

/// Serves until standard input ends. Whoever asked may die at any moment: then so does this process, even
/// in the middle of a document.
pub fn serve() -> io::Result<()> {
    bound();
    reader::bind();
    let (questions, asked) = sync_channel::<(Question, Vec<u8>)>(1);
    let worker = std::thread::Builder::new().name("documents".into()).stack_size(STACK).spawn(move || {
        let mut out = io::stdout().lock();
        let mut held = None;
        out.write_all(HELLO)?;
        out.flush()?;
        while let Ok((question, bytes)) = asked.recv() {
            if question.sent {
                held = Some(Held { hash: question.hash, bytes, asked: None });
            }
            let (answer, bytes) = match &mut held {
                Some(held) if held.hash == question.hash => answer(&question, held),
                _ => (Answer::NoBytes, Vec::new()),
            };
            wire::write(&mut out, &answer, &bytes)?;
        }
        Ok::<_, io::Error>(())
    })?;
    let mut from = BufReader::new(io::stdin().lock());
    while let Some(question) = wire::read(&mut from, DOCUMENT_LIMIT)? {
        if questions.send(question).is_err() {
            return worker.join().unwrap_or_else(|_| Err(io::Error::other("the worker panicked")));
        }
    }
    Ok(())
}

/// Set for a worker that nobody waits for.
pub(super) const YIELDS: &str = "ORANGERY_WORKER_YIELDS";

/// Takes no more memory than a document is worth; where nobody waits, yields to whoever has something better
/// to do.
fn bound() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
        let given = getrlimit(Resource::As);
        let limit = given.maximum.map_or(MEMORY, |maximum| maximum.min(MEMORY));
        // Where the system refuses, its own limits hold.
        let _ = setrlimit(Resource::As, Rlimit { current: Some(limit), maximum: given.maximum });
        // A crash is told by its absence; no picture of the memory is wanted.
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        if std::env::var_os(YIELDS).is_some() {
            let _ = nice(10);
        }
    }
}

fn answer(question: &Question, held: &mut Held) -> (Answer, Vec<u8>) {
    let bytes = &held.bytes;
    let answered = match &question.work {
        Work::Read => Ok((Answer::Document(Box::new(reader::read(question, bytes))), Vec::new())),
        Work::Page { page, width } => {
            reader::page(question, bytes, *page, *width).map(|picture| (Answer::Bytes, picture))
        }
        Work::Words { page } => {
            reader::words(question, bytes, *page).map(|words| (Answer::Words(words), Vec::new()))
        }
        Work::Picture { id } => match reader::picture(question, bytes, id) {
            Some(picture) => Ok((Answer::Bytes, picture)),
            None => Err(trouble::NO_PICTURE.of(id)),
        },
        Work::Pixels { of, edge, most } => {
            let fit = Fit { edge: *edge, most: *most };
            reader::pixels(question, bytes, of, fit).map(|fitted| {
                let Fitted { media_type, width, height, bytes } = fitted;
                (Answer::Pixels { media_type: media_type.to_owned(), width, height }, bytes)
            })
        }
        Work::Rows { sheet, from, limit } => {
            let wanted = RowsWanted { sheet: *sheet, first: *from, count: *limit, bytes: reader::CELLS };
            let rows = reader::rows(question, bytes, wanted, &mut held.asked);
            rows.map(|rows| (Answer::Rows(rows), Vec::new()))
        }
    };
    answered.unwrap_or_else(|trouble| (Answer::Trouble(trouble), Vec::new()))
}

#[cfg(test)]
mod tests {
    use orangery_domain::{FileKind, RowPage};

    use super::*;

    fn rows(held: &mut Held, encoding: Option<&str>, sheet: u32, from: u32) -> RowPage {
        let question = Question {
            hash: held.hash,
            kind: FileKind::Table,
            name: "a.csv".into(),
            password: None,
            encoding: encoding.map(str::to_owned),
            sent: false,
            work: Work::Rows { sheet, from, limit: 2 },
        };
        match answer(&question, held).0 {
            Answer::Rows(rows) => rows,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_table_is_parsed_once_for_all_its_pages() {
        let bytes = b"a,b\nc,d\n\xE9,f\ng\n".to_vec();
        let mut held = Held { hash: ContentHash::of(&bytes), bytes, asked: None };
        let latin = Some("windows-1252");
        assert_eq!(rows(&mut held, latin, 1, 1).rows, [["a", "b"], ["c", "d"]]);
        // What is not looked at again may be anything.
        let bytes = std::mem::replace(&mut held.bytes, b"x".to_vec());
        let second = rows(&mut held, latin, 1, 3);
        assert_eq!(
            (second.rows, second.total, second.columns),
            (vec![vec!["é".into(), "f".into()], vec!["g".into()]], 4, 2)
        );
        held.bytes = bytes;
        assert_eq!(rows(&mut held, Some("windows-1251"), 1, 3).rows[0], ["й", "f"]);
        assert_eq!(rows(&mut held, latin, 1, 3).rows[0], ["é", "f"]);
    }
}
