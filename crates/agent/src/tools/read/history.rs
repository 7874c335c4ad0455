//! Earlier contents of files: which there are, and how one differs from the file.

use std::fmt::Write;

use orangery_domain::{
    DiffRow, DiffSign, FilePlace, Moment, Provenance, TurnId, Version, VersionDiff, VersionId, day::instant,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::window::{CHARACTERS, cut_off};
use crate::Error;
use crate::tool::{Call, ToolError};
use crate::tools::date::day;

const LIMIT: u32 = 24;

/// Which earlier contents to tell of.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(super) struct HistoryInput {
    /// The id of a version: how it differs from the file as it is on disk.
    version: Option<i64>,
    /// Only what this turn wrote over. Without a path, of all files.
    turn: Option<i64>,
    /// Only versions from this day on, as 2026-01-31.
    from: Option<String>,
    /// Only versions up to this day, itself included.
    to: Option<String>,
    /// How many to list, the newest first; 24 when absent, at most 100.
    limit: Option<u32>,
}

impl HistoryInput {
    /// Whether it needs no file.
    pub(super) fn names_turn(&self) -> bool {
        self.turn.is_some()
    }

    pub(super) fn check(&self) -> Result<(), ToolError> {
        let lists = self.turn.is_some() || self.from.is_some() || self.to.is_some() || self.limit.is_some();
        if self.version.is_some() && lists {
            return Err(ToolError::wrong("history.version: goes alone; the others list versions"));
        }
        if self.limit.is_some_and(|limit| limit == 0 || limit > 100) {
            return Err(ToolError::wrong("history.limit: give 1 to 100"));
        }
        Ok(())
    }
}

/// What a call with `history` gives; `place` where it names a file.
pub(super) async fn answer(
    call: &Call,
    place: Option<&FilePlace>,
    input: &HistoryInput,
) -> Result<Value, ToolError> {
    let proposals = &call.house.proposals;
    let versions = match (place, input.turn) {
        (Some(place), _) => proposals.history(place).await.map_err(Error::from)?,
        (None, Some(turn)) => proposals.history_of_turn(TurnId(turn)).await.map_err(Error::from)?,
        (None, None) => return Err(ToolError::wrong("history: give path or fileId, or a turn")),
    };
    if let (Some(place), Some(id)) = (place, input.version) {
        let Some(version) = versions.iter().find(|version| version.id == VersionId(id)) else {
            return Err(ToolError::tell(format!(
                "history.version: {} has no version {id}; read its history without `version` to see which there are",
                place.path
            )));
        };
        let diff = proposals.compare(place, &Moment::Version(version.id), &Moment::Now).await;
        return Ok(compared(place, version, &diff.map_err(Error::from)?));
    }
    list(call, place.is_some(), versions, input)
}

fn list(
    call: &Call,
    permitted: bool,
    mut versions: Vec<Version>,
    input: &HistoryInput,
) -> Result<Value, ToolError> {
    const DAY: i64 = 86_400_000;
    let from = day("history.from", input.from.as_deref())?;
    let to = day("history.to", input.to.as_deref())?.map(|start| start + DAY);
    versions.retain(|version| {
        // A file that was named was judged by the gate; of a turn only what the session may see is told.
        (permitted || call.is_selected(version.place.kb_id))
            && from.is_none_or(|from| version.created_at >= from)
            && to.is_none_or(|to| version.created_at < to)
            && input.turn.is_none_or(|turn| turn_of(version) == Some(TurnId(turn)))
    });
    let total = versions.len();
    versions.truncate(input.limit.unwrap_or(LIMIT) as usize);
    let rows: Vec<Value> = versions.iter().map(|version| row(call, version)).collect();
    let mut json = json!({ "versions": rows, "total": total });
    if total > versions.len() {
        json["more"] = "give a higher limit, or from and to".into();
    }
    Ok(json)
}

fn turn_of(version: &Version) -> Option<TurnId> {
    match &version.provenance {
        Provenance::Assistant { turn_id, .. } => *turn_id,
        _ => None,
    }
}

/// A version is the content before a change; the source is that change's.
fn row(call: &Call, version: &Version) -> Value {
    let mut json = json!({
        "version": version.id,
        "path": version.place.path,
        "replacedAt": instant(version.created_at),
        "replacedBy": source(&version.provenance),
        "bytes": version.size,
    });
    if call.selected.first().is_none_or(|first| first.id != version.place.kb_id) {
        json["knowledgeBaseId"] = version.place.kb_id.0.into();
    }
    if let Provenance::Assistant { turn_id, goal, .. } = &version.provenance {
        json["turn"] = turn_id.map(|turn| turn.0).into();
        json["goal"] = goal.clone().into();
    }
    json
}

fn source(provenance: &Provenance) -> Value {
    match serde_json::to_value(provenance) {
        Ok(json) => json["source"].clone(),
        Err(_) => Value::Null,
    }
}

fn compared(place: &FilePlace, version: &Version, diff: &VersionDiff) -> Value {
    let mut json = json!({
        "path": place.path,
        "version": version.id,
        "replacedAt": instant(version.created_at),
        "added": diff.added,
        "removed": diff.removed,
    });
    if !diff.text {
        json["note"] = "one of the two is no text".into();
        json["bytes"] = json!({ "version": diff.sizes.before, "disk": diff.sizes.after });
        return json;
    }
    if let Some(encoding) = &diff.encoding {
        json["encoding"] = json!({ "version": encoding.before, "disk": encoding.after });
    }
    json["diff"] = rows(diff).into();
    json
}

/// The hunks as rows: `-` only in the version, `+` only on disk; cut where it grows long.
fn rows(diff: &VersionDiff) -> String {
    let mut out = String::new();
    let mut size = 0;
    for (at, hunk) in diff.hunks.iter().enumerate() {
        let mut shown = format!(
            "@@ version lines {}-{}, disk lines {}-{}",
            hunk.old.start, hunk.old.end, hunk.new.start, hunk.new.end
        );
        if !hunk.heading_path.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(shown, " under {}", hunk.heading_path.join(" > "));
        }
        shown.push('\n');
        for row in &hunk.rows {
            shown.push_str(&line(row));
        }
        size += shown.chars().count();
        if size > CHARACTERS && at > 0 {
            out += &cut_off(format_args!("{at} of {} places shown", diff.hunks.len()));
            break;
        }
        out += &shown;
    }
    out
}

fn line(row: &DiffRow) -> String {
    let sign = match row.sign {
        DiffSign::Same => ' ',
        DiffSign::Removed => '-',
        DiffSign::Added => '+',
    };
    let ending = row.ending.as_ref().map_or(String::new(), |ending| format!("  ⟨line ends with {ending}⟩"));
    format!("{sign}{}{ending}\n", row.text)
}
