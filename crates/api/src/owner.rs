//! Calls between processes that share a data directory. The owner listens on a local socket; every
//! other process forwards.
//!
//! Frames are a length (32 bits, big endian) and that many bytes. A connection carries one question
//! after the other: a frame `{method, params}`, answered by a frame `taken` once it was read, and by a frame
//! `{ok}` or `{error}`. Where the first is missing nothing was done, and whoever asked may ask again. Three
//! methods exist only here: `$hello` tells the protocol, `$events` answers with one frame an event until the
//! connection ends, `$blob` puts a frame of bytes behind its answer.

mod client;
mod server;

pub(crate) use client::{CallError, Client};
pub(crate) use server::Server;

use interprocess::local_socket::tokio::Stream;
use interprocess::local_socket::{GenericFilePath, GenericNamespaced, Name, ToFsName, ToNsName};
use orangery_store::owner::Address;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::bytes::Bytes;
use tokio_util::codec::{Framed, LengthDelimitedCodec};

use crate::blob;
use crate::error::WireError;

/// Raised when frames change their meaning.
const PROTOCOL: u32 = 2;

const HELLO: &str = "$hello";
const EVENTS: &str = "$events";
const BLOB: &str = "$blob";

type Connection = Framed<Stream, LengthDelimitedCodec>;

#[derive(Debug, Serialize, Deserialize)]
struct Question {
    method: String,
    #[serde(default)]
    params: Value,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Reply {
    /// The question was read and is worked on.
    Taken,
    Ok(Value),
    Error(WireError),
}

#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    protocol: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct Since {
    since: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BlobHead {
    content_type: String,
}

fn frames(stream: Stream) -> Connection {
    let largest = usize::try_from(blob::LARGEST).unwrap_or(usize::MAX) + (1 << 20);
    let codec = LengthDelimitedCodec::builder().max_frame_length(largest).new_codec();
    Framed::new(stream, codec)
}

/// A value as the content of a frame.
fn frame(value: &impl Serialize) -> std::io::Result<Bytes> {
    Ok(serde_json::to_vec(value)?.into())
}

fn name(address: &Address) -> std::io::Result<Name<'_>> {
    match address {
        Address::Path(path) => path.as_path().to_fs_name::<GenericFilePath>(),
        Address::Name(name) => name.as_str().to_ns_name::<GenericNamespaced>(),
    }
}
