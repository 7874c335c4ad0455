//! Notes in the editor.

use orangery_domain::text::Encoding;
use orangery_domain::{ContentHash, FilePlace, LineEnding, OpenNote, Warning};

use crate::error::{Code, Result, WireError};
use crate::request::{ChooseEncoding, CreateFolder, CreateNote, OpenNoteAt, SaveNote, SavedNote};
use crate::rooms::Rooms;

pub(crate) async fn open(rooms: &Rooms, request: OpenNoteAt) -> Result<OpenNote> {
    read(rooms, request.place).await
}

pub(crate) async fn save(rooms: &Rooms, request: SaveNote) -> Result<SavedNote> {
    let saved = rooms.changes.save(&request.place, request.base, &request.edits).await?;
    if request.keep {
        rooms.changes.keep_saved(&request.place).await?;
    }
    Ok(SavedNote { base: saved.hash, line_ending: saved.line_ending })
}

pub(crate) async fn create(rooms: &Rooms, request: CreateNote) -> Result<OpenNote> {
    let place = FilePlace { kb_id: request.kb_id, path: request.path };
    rooms.changes.create_note(&place, &request.text).await?;
    read(rooms, place).await
}

pub(crate) async fn create_folder(rooms: &Rooms, request: CreateFolder) -> Result<()> {
    let place = FilePlace { kb_id: request.kb_id, path: request.path };
    Ok(rooms.changes.make_folder(&place).await?)
}

pub(crate) async fn choose_encoding(rooms: &Rooms, request: ChooseEncoding) -> Result<OpenNote> {
    rooms.library.choose_encoding(&request.place, encoding_of(&request)?).await?;
    read(rooms, request.place).await
}

/// The encoding that a label means.
pub(super) fn encoding_of(request: &ChooseEncoding) -> Result<Encoding> {
    Encoding::from_label(&request.encoding).ok_or_else(|| {
        WireError::new(Code::UnknownEncoding, format!("no encoding {:?}", request.encoding))
            .with("encoding", &request.encoding)
    })
}

async fn read(rooms: &Rooms, place: FilePlace) -> Result<OpenNote> {
    let source = match rooms.library.read_note(&place).await {
        Ok(source) => source,
        Err(orangery_library::Error::Undecodable { reason, .. }) => {
            return undecoded(rooms, place, reason).await;
        }
        Err(error) => return Err(error.into()),
    };
    let place = FilePlace { kb_id: place.kb_id, path: source.checked.place().clone() };
    rooms.changes.opened(&place, source.raw).await?;
    Ok(OpenNote {
        place,
        file: source.file,
        text: source.decoded.text,
        base: source.hash,
        encoding: source.decoded.encoding.label().to_owned(),
        bom: source.decoded.bom,
        line_ending: source.decoded.line_ending,
        read_only: source.read_only.then(|| Warning::new("readOnlyFile", "")),
    })
}

/// What cannot be decoded is shown as far as it goes, for looking at and for choosing an encoding.
async fn undecoded(rooms: &Rooms, place: FilePlace, reason: Warning) -> Result<OpenNote> {
    let checked = rooms.library.resolve(&place).await?;
    let found = FilePlace { kb_id: place.kb_id, path: checked.place().clone() };
    let raw = tokio::task::spawn_blocking(move || checked.read()).await.map_err(WireError::internal)??;
    Ok(OpenNote {
        file: rooms.library.file(&found),
        place: found,
        text: String::from_utf8_lossy(&raw).replace('\0', "\u{fffd}"),
        base: ContentHash::of(&raw),
        encoding: String::new(),
        bom: false,
        line_ending: LineEnding::default(),
        read_only: Some(reason),
    })
}
