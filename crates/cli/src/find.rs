//! `search`, `read`, `list` and `links`.

use orangery_api::domain::{
    BlockKind, BlockPage, DocumentBlock, DocumentView, FileKind, FilePlace, KbPath, NoteLinks, OpenNote,
    SearchPage, SearchQuery, Spot, TextFile, TextPage, TextQuery, TreeEntry,
};
use orangery_api::error::{Code, WireError};
use orangery_api::request::{DocumentAt, ListBlocks, ListFiles, OpenNoteAt};

use crate::Result;
use crate::args::{Lines, Place};
use crate::call::Caller;
use crate::out::{Exit, Out};
use crate::place;
use crate::sentence::Said;

pub async fn search(
    caller: &Caller,
    query: String,
    plain: bool,
    limit: u32,
    kb: Vec<String>,
    out: Out,
) -> Result {
    let known = caller.knowledge_bases().await?;
    let kb_ids = kb.iter().map(|kb| Ok(place::knowledge_base(&known, kb)?.id)).collect::<Result<Vec<_>>>()?;
    let query = SearchQuery { text: query, kb_ids, operators: !plain, limit, ..SearchQuery::default() };
    let page: SearchPage = caller.call("search.run", query).await?;
    out.value(&page, |out| {
        for group in &page.groups {
            out.line(format_args!("{}: {}", group.kb_name, group.place.path));
            for hit in &group.hits {
                let headings = hit.heading_path.join(" › ");
                match hit.spot {
                    Some(spot) if spot.is_numbered() => out.line(format_args!("  {spot}\t{headings}")),
                    Some(_) => out.line(format_args!("  {headings}")),
                    None => out.line(format_args!("  {}-{}\t{headings}", hit.lines.start, hit.lines.end)),
                }
                out.line(format_args!("    {}", hit.snippet.replace(['\n', '\r'], " ")));
            }
        }
    });
    for warning in &page.warnings {
        out.note(Said(warning));
    }
    if let Some(incomplete) = &page.incomplete {
        out.note(format_args!(
            "incomplete: {} of {} files are searchable",
            incomplete.done, incomplete.total
        ));
    }
    Ok(Exit::Done)
}

/// Lines of one call.
const LINES: u32 = 10_000;

/// Lines of files on disk, all of them.
pub async fn lines(caller: &Caller, pattern: String, lines: Lines, kb: Vec<String>, out: Out) -> Result {
    let known = caller.knowledge_bases().await?;
    let kb_ids = kb.iter().map(|kb| Ok(place::knowledge_base(&known, kb)?.id)).collect::<Result<Vec<_>>>()?;
    let mut query = TextQuery {
        pattern,
        literal: lines.literal,
        whole_words: lines.word,
        ignore_case: lines.ignore_case,
        multiline: lines.multiline,
        kb_ids,
        glob: lines.glob,
        context: lines.context,
        limit: LINES,
        ..TextQuery::default()
    };
    let (mut files, mut unread): (Vec<TextFile>, u64) = (Vec::new(), 0);
    loop {
        let page: TextPage = caller.call("search.text", &query).await?;
        unread = unread.max(page.unread);
        for file in page.files {
            // A page may end within a file.
            match files.last_mut().filter(|last| last.place == file.place) {
                Some(last) => last.rows.extend(file.rows),
                None => files.push(file),
            }
        }
        match page.next_offset {
            Some(next) if next > query.offset => query.offset = next,
            _ => break,
        }
    }
    out.value(&files, |out| {
        for file in &files {
            for row in &file.rows {
                let sign = if row.context { '-' } else { ':' };
                out.line(format_args!("{}{sign}{}{sign}{}", file.place.path, row.line, row.text));
            }
        }
    });
    if unread > 0 {
        out.note(format_args!("{unread} files or folders could not be read"));
    }
    Ok(Exit::Done)
}

pub async fn read(caller: &Caller, place: Place, out: Out) -> Result {
    let place = place::file(caller, &place.path, place.kb.as_deref()).await?;
    let kind = FileKind::of_name(place.path.name());
    if kind.is_document() {
        return document(caller, place, out).await;
    }
    if kind == FileKind::Image {
        let message = format!("read {}: it is a picture, which has no text to print", place.path);
        return Err(WireError::new(Code::NotADocument, message).with("path", &place.path));
    }
    let note: OpenNote = caller.call("note.open", OpenNoteAt { place }).await?;
    out.value(&note, |out| out.piece(&note.text));
    if let Some(reason) = &note.read_only {
        out.note(format_args!("read-only: {}", Said(reason)));
    }
    Ok(Exit::Done)
}

/// Blocks of one call.
const BLOCKS: u32 = 2_000;

/// The text of a document, its blocks apart by blank lines, rows and items line by line.
async fn document(caller: &Caller, place: FilePlace, out: Out) -> Result {
    let view: DocumentView = caller.call("document.open", DocumentAt { place: place.clone() }).await?;
    if let Some(trouble) = &view.trouble {
        let message = format!("read {}: {}", place.path, Said(trouble));
        return Err(WireError::new(Code::named(&trouble.code).unwrap_or(Code::DocumentUnreadable), message));
    }
    let mut blocks: Vec<DocumentBlock> = Vec::new();
    while (blocks.len() as u32) < view.blocks {
        let from = blocks.len() as u32 + 1;
        let page: BlockPage =
            caller.call("document.blocks", ListBlocks { place: place.clone(), from, limit: BLOCKS }).await?;
        if page.blocks.is_empty() {
            break;
        }
        blocks.extend(page.blocks);
    }
    out.value(&blocks, |out| {
        let mut part = None;
        for block in &blocks {
            let begins = block.spot.part() != part && !matches!(block.spot, Spot::Row { .. });
            if begins && block.spot.is_numbered() {
                out.line(format_args!("--- {}", block.spot));
            }
            part = block.spot.part();
            out.line(format_args!("{}", block.text));
            if !matches!(block.kind, BlockKind::Row | BlockKind::ListItem) {
                out.line(format_args!(""));
            }
        }
    });
    for warning in &view.warnings {
        out.note(Said(warning));
    }
    Ok(Exit::Done)
}

pub async fn list(caller: &Caller, path: Option<String>, kb: Option<String>, out: Out) -> Result {
    let places = match (&path, &kb) {
        (Some(path), kb) => {
            let place = place::file(caller, path, kb.as_deref()).await?;
            vec![(place.kb_id, place.path)]
        }
        (None, Some(kb)) => {
            let known = caller.knowledge_bases().await?;
            vec![(place::knowledge_base(&known, kb)?.id, KbPath::root())]
        }
        (None, None) => {
            let known = caller.knowledge_bases().await?;
            known.into_iter().map(|kb| (kb.id, KbPath::root())).collect()
        }
    };
    let mut entries: Vec<TreeEntry> = Vec::new();
    for (kb_id, path) in places {
        entries.extend(caller.call::<Vec<TreeEntry>>("file.list", ListFiles { kb_id, path }).await?);
    }
    out.value(&entries, |out| {
        for entry in &entries {
            let slash = if entry.folder { "/" } else { "" };
            let trouble = entry.trouble.as_ref().map(|it| format!("\t{}", Said(it))).unwrap_or_default();
            out.line(format_args!("{}{slash}{trouble}", entry.path));
        }
    });
    Ok(Exit::Done)
}

pub async fn links(caller: &Caller, place: Place, out: Out) -> Result {
    let place = place::file(caller, &place.path, place.kb.as_deref()).await?;
    let links: NoteLinks = caller.call("link.list", OpenNoteAt { place }).await?;
    out.value(&links, |out| {
        for link in &links.outgoing {
            let to = link.to.as_ref().map_or("nowhere", |to| to.path.as_str());
            out.line(format_args!("-> {}:{}\t{}", to, link.line, link.target));
        }
        for link in &links.backlinks {
            out.line(format_args!("<- {}:{}\t{}", link.from.path, link.line, link.context.trim()));
        }
    });
    Ok(Exit::Done)
}
