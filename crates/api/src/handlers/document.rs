//! Documents in their viewers.

use orangery_domain::{BlockPage, DocumentView, FilePlace, KeyPlace, PageWord, RowPage};
use orangery_store::secret::Secret;

use super::note::encoding_of;
use crate::error::Result;
use crate::request::{
    ChooseEncoding, DocumentAt, KeepSecret, ListBlocks, ListRows, ListWords, UnlockDocument,
};
use crate::rooms::Rooms;

pub(crate) async fn open(rooms: &Rooms, request: DocumentAt) -> Result<DocumentView> {
    view(rooms, &request.place).await
}

pub(crate) async fn choose_encoding(rooms: &Rooms, request: ChooseEncoding) -> Result<DocumentView> {
    // Notes are asked for their text in its encoding elsewhere.
    rooms.library.read_document(&request.place).await?;
    rooms.library.choose_encoding(&request.place, encoding_of(&request)?).await?;
    view(rooms, &request.place).await
}

pub(crate) async fn blocks(rooms: &Rooms, request: ListBlocks) -> Result<BlockPage> {
    let source = rooms.library.read_document(&request.place).await?;
    Ok(source.blocks(request.from, request.limit))
}

pub(crate) async fn rows(rooms: &Rooms, request: ListRows) -> Result<RowPage> {
    let ListRows { place, sheet, from, limit } = request;
    Ok(rooms.library.table_rows(&place, sheet, from, limit).await?)
}

pub(crate) async fn words(rooms: &Rooms, request: ListWords) -> Result<Vec<PageWord>> {
    Ok(rooms.library.page_words(&request.place, request.page).await?)
}

pub(crate) async fn unlock(rooms: &Rooms, request: UnlockDocument) -> Result<DocumentView> {
    let keep = match request.keep {
        KeepSecret::Keyring => KeyPlace::Keyring,
        KeepSecret::File => KeyPlace::File,
        KeepSecret::Run => KeyPlace::Run,
    };
    let password = Secret::new(request.password);
    // Where it cannot be kept, it is open for this run all the same.
    rooms.library.unlock_document(&request.place, password, keep).await?;
    view(rooms, &request.place).await
}

pub(crate) async fn retry(rooms: &Rooms, request: DocumentAt) -> Result<DocumentView> {
    rooms.library.retry_document(&request.place).await?;
    view(rooms, &request.place).await
}

async fn view(rooms: &Rooms, place: &FilePlace) -> Result<DocumentView> {
    Ok(rooms.library.read_document(place).await?.view())
}
