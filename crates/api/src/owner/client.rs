//! The side that forwards.

use std::io;

use futures::{SinkExt, Stream, StreamExt};
use interprocess::local_socket::tokio::Stream as Socket;
use interprocess::local_socket::tokio::prelude::*;
use orangery_domain::Numbered;
use orangery_store::owner::Address;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    BLOB, BlobHead, Connection, EVENTS, HELLO, Hello, PROTOCOL, Question, Reply, Since, frame, frames, name,
};
use crate::blob::{Blob, BlobKey, known_type};
use crate::error::WireError;

/// A way to the owner. Every call is a connection of its own, so none waits for another.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    address: Address,
}

/// Why a forwarded call gave no reply.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The owner did not get it.
    Unsent,
    /// It got it and went away.
    Lost,
    /// It answered with an error.
    Answer(WireError),
}

impl Client {
    /// Greets the owner at `address`. An owner that speaks otherwise is an error, as one that is gone.
    pub(crate) async fn connect(address: Address) -> io::Result<Self> {
        let client = Self { address };
        match client.ask(HELLO, &Value::Null).await {
            Ok((hello, _)) => {
                let hello: Hello = parse(hello)?;
                if hello.protocol == PROTOCOL {
                    return Ok(client);
                }
                Err(io::Error::other("the owner speaks another protocol"))
            }
            Err(error) => Err(io::Error::other(format!("{error:?}"))),
        }
    }

    pub(crate) async fn call(&self, method: &str, params: &Value) -> Result<Value, CallError> {
        self.ask(method, params).await.map(|(value, _)| value)
    }

    pub(crate) async fn blob(&self, key: &BlobKey) -> Result<Blob, CallError> {
        let (head, mut connection) = self.ask(BLOB, key).await?;
        let head: BlobHead = parse(head).map_err(|_| CallError::Lost)?;
        match connection.next().await {
            Some(Ok(bytes)) => {
                Ok(Blob { content_type: known_type(&head.content_type), bytes: bytes.to_vec() })
            }
            _ => Err(CallError::Lost),
        }
    }

    /// The owner's events; ends when the owner does.
    pub(crate) async fn events(
        &self,
        since: Option<u64>,
    ) -> Result<impl Stream<Item = Numbered> + Send + use<>, CallError> {
        let (_, connection) = self.ask(EVENTS, &Since { since }).await?;
        let events = connection.map(|frame| serde_json::from_slice(&frame.ok()?).ok());
        Ok(events.take_while(|event| std::future::ready(event.is_some())).filter_map(std::future::ready))
    }

    async fn ask(&self, method: &str, params: impl Serialize) -> Result<(Value, Connection), CallError> {
        let question = Question {
            method: method.to_owned(),
            params: serde_json::to_value(params)
                .map_err(|error| CallError::Answer(WireError::internal(error)))?,
        };
        let frame = frame(&question).map_err(|error| CallError::Answer(WireError::internal(error)))?;
        let name = name(&self.address).map_err(|_| CallError::Unsent)?;
        let socket = Socket::connect(name).await.map_err(|_| CallError::Unsent)?;
        let mut connection = frames(socket);
        connection.send(frame).await.map_err(unsent)?;
        match reply(&mut connection).await {
            None => return Err(CallError::Unsent),
            Some(Ok(Reply::Taken)) => {}
            Some(_) => {
                return Err(CallError::Answer(WireError::internal("the owner speaks another protocol")));
            }
        }
        match reply(&mut connection).await {
            None => Err(CallError::Lost),
            Some(Ok(Reply::Ok(value))) => Ok((value, connection)),
            Some(Ok(Reply::Error(error))) => Err(CallError::Answer(error)),
            Some(Ok(Reply::Taken)) => {
                Err(CallError::Answer(WireError::internal("a question was taken twice")))
            }
            Some(Err(error)) => Err(CallError::Answer(WireError::internal(error))),
        }
    }
}

/// The next frame; `None` when the owner has gone.
async fn reply(connection: &mut Connection) -> Option<serde_json::Result<Reply>> {
    let frame = connection.next().await?.ok()?;
    Some(serde_json::from_slice(&frame))
}

fn parse<T: DeserializeOwned>(value: Value) -> io::Result<T> {
    serde_json::from_value(value).map_err(io::Error::other)
}

/// A frame that is too large is refused before anything is sent, now and every other time.
fn unsent(error: io::Error) -> CallError {
    match error.kind() {
        io::ErrorKind::InvalidInput => CallError::Answer(WireError::internal(error)),
        _ => CallError::Unsent,
    }
}
