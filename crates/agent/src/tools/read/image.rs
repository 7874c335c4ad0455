//! Pictures that a note shows, as places to read them from.

use std::ops::Range;

use orangery_domain::{FileKind, FilePlace, KbPath, LinkKind, WrittenLink, percent};
use orangery_extract::markdown;
use orangery_store::root::Roots;
use serde_json::{Value, json};

use crate::Error;
use crate::tool::{Call, ToolError};
use crate::tools::place::blocking;

const MOST: usize = 64;

/// One entry for every picture in the shown parts of the note at `place`.
pub(super) async fn refs(
    call: &Call,
    place: &FilePlace,
    text: &str,
    ranges: &[Range<usize>],
) -> Result<Vec<Value>, ToolError> {
    let mut found = Vec::new();
    let links = markdown::image_refs(text).into_iter().filter(|link| {
        ranges.iter().any(|range| link.range.start >= range.start && link.range.start < range.end)
    });
    for link in links.take(MOST) {
        let image = match link.kind {
            LinkKind::Embed | LinkKind::Wiki => wiki(call, place, &link.target).await?,
            LinkKind::Inline | LinkKind::Image => inline(call, place, &link.target).await?,
        };
        if let Some(mut image) = image {
            image["line"] = link.line.into();
            found.push(image);
        }
    }
    Ok(found)
}

/// `![[picture.png]]`, found by name as the reading view finds it.
async fn wiki(call: &Call, from: &FilePlace, target: &str) -> Result<Option<Value>, ToolError> {
    if FileKind::of_name(target) != FileKind::Image {
        return Ok(None);
    }
    let link = WrittenLink { kind: LinkKind::Embed, target: target.to_owned(), fragment: None };
    let resolved = call.house.library.resolve_links(from, &[link]).await;
    match resolved.into_iter().next().and_then(|resolved| resolved.place) {
        Some(place) => local(call, &place).await.map(Some),
        None => Ok(Some(json!({ "target": target, "exists": false }))),
    }
}

/// `![alt](target)`, relative to the note's folder.
async fn inline(call: &Call, from: &FilePlace, target: &str) -> Result<Option<Value>, ToolError> {
    let skipped = |reason: &str| Ok(Some(json!({ "target": target, "skipped": reason })));
    if target.starts_with("//") || scheme(target) {
        return skipped("remote");
    }
    if target.starts_with('/') || target.starts_with('\\') || has_drive(target) {
        return skipped("absolute");
    }
    let name = target.split(['?', '#']).next().unwrap_or_default();
    let folder = from.path.parent().unwrap_or_else(KbPath::root);
    // As written first: a name may hold a percent sign of its own.
    for name in [target.to_owned(), percent::decoded(target), percent::decoded(name)] {
        let joined = format!("{folder}/{name}");
        let Ok(path) = KbPath::parse(joined.trim_start_matches('/')) else {
            return skipped("escapes-knowledge-base");
        };
        let place = FilePlace { kb_id: from.kb_id, path };
        let json = local(call, &place).await?;
        if json["exists"] == true || json.get("skipped").is_some() {
            return Ok(Some(json));
        }
    }
    let path = KbPath::parse(&percent::decoded(name)).ok().and_then(|path| folder.join(path.as_str()).ok());
    Ok(Some(match path {
        Some(path) => json!({ "path": path, "exists": false }),
        None => json!({ "target": target, "exists": false }),
    }))
}

async fn local(call: &Call, place: &FilePlace) -> Result<Value, ToolError> {
    let root = Roots::root(&call.house.library, place.kb_id).map_err(Error::from)?;
    let path = place.path.clone();
    let looked =
        blocking(move || Ok(root.resolve(&path).map(|checked| (checked.exists(), checked.place().clone()))))
            .await?;
    match looked {
        Ok((exists, real)) => {
            let mut json = json!({ "path": real, "exists": exists });
            let place = FilePlace { kb_id: place.kb_id, path: real };
            if let Some(file) = call.house.library.file(&place) {
                json["fileId"] = file.id.0.into();
            }
            Ok(json)
        }
        Err(error) if error.code() == "escapes" => {
            Ok(json!({ "path": place.path, "skipped": "escapes-knowledge-base" }))
        }
        Err(_) => Ok(json!({ "path": place.path, "exists": false })),
    }
}

/// `https:`, `data:` and the like; a single letter before the colon is a drive.
fn scheme(target: &str) -> bool {
    target.split_once(':').is_some_and(|(name, _)| {
        name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

fn has_drive(target: &str) -> bool {
    let mut characters = target.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic()) && characters.next() == Some(':')
}
