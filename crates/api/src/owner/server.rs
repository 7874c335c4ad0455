//! The owner's side.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use interprocess::local_socket::ListenerOptions;
use interprocess::local_socket::tokio::prelude::*;
use interprocess::local_socket::tokio::{Listener, Stream};
use orangery_store::owner::{Address, Ownership};
use serde_json::Value;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::bytes::Bytes;
use tokio_util::sync::CancellationToken;

use super::{
    BLOB, BlobHead, Connection, EVENTS, HELLO, Hello, PROTOCOL, Question, Reply, Since, frame, frames, name,
};
use crate::blob::BlobKey;
use crate::commands;
use crate::error::WireError;
use crate::rooms::Rooms;

/// Calls at work when the owner ends may still finish, for this long.
const GRACE: Duration = Duration::from_secs(5);

/// Listens until it is stopped.
#[derive(Debug)]
pub(crate) struct Server {
    cancel: CancellationToken,
    accepting: JoinHandle<()>,
}

impl Server {
    /// Listens at the address of `ownership` and announces it.
    pub(crate) fn start(ownership: &Ownership, rooms: Arc<Rooms>) -> Result<Self, orangery_store::Error> {
        let listener = listen(ownership.address())
            .map_err(orangery_store::Error::io("listen for other processes at", ownership.address()))?;
        ownership.announce()?;
        let cancel = CancellationToken::new();
        let accepting = tokio::spawn(accept(listener, rooms, cancel.clone()));
        Ok(Self { cancel, accepting })
    }

    /// Takes no more calls and waits for those at work.
    pub(crate) async fn stop(self) {
        self.cancel.cancel();
        if let Err(error) = self.accepting.await {
            tracing::warn!(%error, "the owner's listener ended badly");
        }
    }
}

fn listen(address: &Address) -> io::Result<Listener> {
    let options = ListenerOptions::new().name(name(address)?);
    #[cfg(unix)]
    let options = {
        use interprocess::os::unix::local_socket::ListenerOptionsExt;
        options.mode(0o600)
    };
    options.create_tokio()
}

async fn accept(listener: Listener, rooms: Arc<Rooms>, cancel: CancellationToken) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = cancel.cancelled() => break,
            socket = listener.accept() => match socket {
                Ok(socket) => {
                    connections.spawn(serve(socket, Arc::clone(&rooms), cancel.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection to the owner failed");
                    // Out of file handles, for one: not to be asked again at full speed.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    let finish = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(GRACE, finish).await.is_err() {
        tracing::warn!("calls of other processes were cut off");
    }
}

async fn serve(socket: Stream, rooms: Arc<Rooms>, cancel: CancellationToken) {
    let mut connection = frames(socket);
    loop {
        let frame = tokio::select! {
            // What has come already is still answered.
            biased;
            frame = connection.next() => frame,
            () = cancel.cancelled() => return,
        };
        let Some(Ok(frame)) = frame else { return };
        let answered = match serde_json::from_slice(&frame) {
            Ok(question) => answer(&mut connection, question, &rooms, &cancel).await,
            Err(error) => {
                tracing::warn!(%error, "a question that cannot be read");
                return;
            }
        };
        // The other side has gone; there is nobody to tell.
        if answered.is_err() {
            return;
        }
    }
}

async fn answer(
    connection: &mut Connection,
    question: Question,
    rooms: &Arc<Rooms>,
    cancel: &CancellationToken,
) -> io::Result<()> {
    let Question { method, params } = question;
    connection.send(frame(&Reply::Taken)?).await?;
    match method.as_str() {
        HELLO => {
            let hello = Hello { protocol: PROTOCOL };
            reply(connection, serde_json::to_value(hello).map_err(WireError::internal)).await
        }
        EVENTS => {
            let Since { since } = serde_json::from_value(params)?;
            let mut events = Box::pin(rooms.events.since(since));
            reply(connection, Ok(Value::Null)).await?;
            loop {
                let event = tokio::select! {
                    () = cancel.cancelled() => break,
                    // Nobody says anything here any more: something read is the end.
                    _ = connection.next() => break,
                    event = events.next() => event,
                };
                let Some(event) = event else { break };
                connection.send(frame(&event)?).await?;
            }
            Err(io::ErrorKind::ConnectionAborted.into())
        }
        BLOB => {
            let key: BlobKey = serde_json::from_value(params)?;
            match rooms.blob(key).await {
                Ok(blob) => {
                    let head = BlobHead { content_type: blob.content_type.to_owned() };
                    let head = serde_json::to_value(head).map_err(WireError::internal);
                    reply(connection, head).await?;
                    connection.send(Bytes::from(blob.bytes)).await
                }
                Err(error) => reply(connection, Err(error)).await,
            }
        }
        method => {
            let result = commands::dispatch(rooms, method, params).await;
            reply(connection, result).await
        }
    }
}

async fn reply(connection: &mut Connection, result: Result<Value, WireError>) -> io::Result<()> {
    let reply = match result {
        Ok(value) => Reply::Ok(value),
        Err(error) => Reply::Error(error),
    };
    match connection.send(frame(&reply)?).await {
        // Too large for a frame; without a word the other side would ask again.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            let reply = Reply::Error(WireError::internal(error));
            connection.send(frame(&reply)?).await
        }
        sent => sent,
    }
}
