//! One request to a model as a stream of pieces.

use std::{collections::VecDeque, time::Duration};

use futures::{Stream, stream};
use orangery_net::{Client, Limits, Response};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::{
    ChatRequest, Endpoint, Error, Reasoning, ToolCall, answer::Answer, fallback::Fallback, protocol,
    refusal::refusal, retry, sse::Events,
};

/// Local servers load a model before they say anything.
const LIMITS: Limits = Limits { silence: Duration::from_secs(300), body: 64 * 1024 * 1024 };
/// How long a server that has said how it finished may take to say the rest (token counts).
const GRACE: Duration = Duration::from_secs(5);
/// The data of the last event.
const DONE: &str = "[DONE]";

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Reasoning(Reasoning),
    /// A complete call. Calls come after all text, in the order in which the model made them.
    Call(ToolCall),
    /// Tokens as the provider counts them; at most once.
    Usage {
        input: u64,
        output: u64,
    },
    /// Try `attempt` (from 1) failed; the next one begins after `wait_ms`. Nothing came before.
    Retrying {
        attempt: u32,
        wait_ms: u64,
    },
    /// The last piece of an answer that ended as it should.
    End {
        finish: Finish,
    },
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    Stop,
    /// The answer hit a length limit.
    Length,
    /// It waits for the results of its calls.
    Calls,
    /// The provider held something back.
    Filtered,
    /// As the provider says.
    Other(String),
}

/// Asks `endpoint` and yields what it answers, as it comes. The stream ends after [`Piece::End`] or
/// after an error; once text has come there is no other try. Dropping it closes the connection.
pub fn chat(
    client: &Client,
    endpoint: Endpoint,
    request: ChatRequest,
    cancel: CancellationToken,
) -> impl Stream<Item = Result<Piece, Error>> + Send + use<> {
    let chat = Chat {
        client: client.clone(),
        endpoint,
        request,
        fallback: Fallback::default(),
        attempt: 1,
        phase: Phase::Ask,
        ready: VecDeque::new(),
        failed: None,
    };
    stream::unfold((chat, cancel), |(mut chat, cancel)| async move {
        let piece = chat.next(&cancel).await?;
        Some((piece, (chat, cancel)))
    })
}

struct Chat {
    client: Client,
    endpoint: Endpoint,
    request: ChatRequest,
    fallback: Fallback,
    /// From 1.
    attempt: u32,
    phase: Phase,
    ready: VecDeque<Piece>,
    /// Told after what is ready.
    failed: Option<Error>,
}

enum Phase {
    Ask,
    Wait(Duration),
    Read(Box<Reading>),
    Done,
}

struct Reading {
    response: Response,
    form: Form,
    answer: Answer,
    /// When to stop waiting, once the model has said how it finished.
    deadline: Option<Instant>,
}

/// How the body says what it says; known from its first byte that is not blank.
enum Form {
    Unknown,
    Events(Events),
    /// The server ignored `stream`: one completion.
    Whole(Vec<u8>),
}

impl Chat {
    async fn next(&mut self, cancel: &CancellationToken) -> Option<Result<Piece, Error>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(Ok(piece));
            }
            if let Some(error) = self.failed.take() {
                return Some(Err(error));
            }
            if matches!(self.phase, Phase::Done) {
                return None;
            }
            let step = tokio::select! {
                biased;
                () = cancel.cancelled() => Err(Error::Cancelled),
                step = self.step() => step,
            };
            if let Err(error) = step {
                self.phase = Phase::Done;
                self.failed = Some(error.without(self.endpoint.key.as_ref()));
            }
        }
    }

    /// One await's worth of progress. Safe to drop: nothing is lost but the answer itself.
    async fn step(&mut self) -> Result<(), Error> {
        match &mut self.phase {
            Phase::Ask => self.ask().await,
            Phase::Wait(wait) => {
                tokio::time::sleep(*wait).await;
                self.phase = Phase::Ask;
                Ok(())
            }
            Phase::Read(reading) => {
                let more = reading.step().await;
                self.ready.extend(std::iter::from_fn(|| reading.answer.take()));
                match more {
                    Ok(More::Yes) => Ok(()),
                    Ok(More::No) => {
                        self.phase = Phase::Done;
                        Ok(())
                    }
                    Err(error) if reading.answer.has_content() => Err(error),
                    Err(error) => self.retry(error, None),
                }
            }
            Phase::Done => Ok(()),
        }
    }

    async fn ask(&mut self) -> Result<(), Error> {
        let (origin, request) = protocol::request(&self.endpoint, &self.request, self.fallback)?;
        let response = match self.client.configured(&origin).send(request, LIMITS).await {
            Ok(response) => response,
            Err(error) => return self.retry(error.into(), None),
        };
        if response.is_success() {
            let answer = Answer::new(&self.endpoint, &self.request);
            let reading = Reading { response, form: Form::Unknown, answer, deadline: None };
            self.phase = Phase::Read(Box::new(reading));
            return Ok(());
        }
        let (status, asked) = (response.status(), retry::asked(&response));
        let body = response.body().await.unwrap_or_default();
        if self.fallback.learn(status, &body, &self.endpoint, &self.request) {
            // The server named what it cannot take; asking without it is not another try.
            return Ok(());
        }
        let asked = asked.or_else(|| retry::asked_within(&body));
        self.retry(refusal(status, &body, &self.endpoint.model), asked)
    }

    /// Goes back to asking if that may help, else fails.
    fn retry(&mut self, error: Error, asked: Option<Duration>) -> Result<(), Error> {
        let wait = retry::may_help(&error, asked).then(|| retry::wait(self.attempt, asked)).flatten();
        let Some(wait) = wait else {
            return Err(error);
        };
        tracing::debug!(attempt = self.attempt, ?wait, "asking the model again");
        self.ready.push_back(Piece::Retrying {
            attempt: self.attempt,
            wait_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
        });
        self.attempt += 1;
        self.phase = Phase::Wait(wait);
        Ok(())
    }
}

/// Whether the answer goes on.
enum More {
    Yes,
    No,
}

impl Reading {
    /// Reads the next bytes and adds what they say to the answer.
    async fn step(&mut self) -> Result<More, Error> {
        let bytes = if self.answer.is_finished() {
            // All that matters is here; a server that does not hang up is not waited for.
            let deadline = *self.deadline.get_or_insert_with(|| Instant::now() + GRACE);
            match timeout_at(deadline, self.response.piece()).await {
                Ok(Ok(bytes)) => bytes,
                Ok(Err(_)) | Err(_) => None,
            }
        } else {
            self.response.piece().await?
        };
        let Some(bytes) = bytes else {
            return self.end();
        };
        if let Form::Unknown = self.form {
            match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
                Some(b'{') => self.form = Form::Whole(Vec::new()),
                Some(_) => self.form = Form::Events(Events::default()),
                None => return Ok(More::Yes),
            }
        }
        match &mut self.form {
            Form::Whole(body) => body.extend_from_slice(&bytes),
            Form::Events(events) => {
                for data in events.feed(&bytes) {
                    if data.trim() == DONE {
                        self.answer.end(true)?;
                        return Ok(More::No);
                    }
                    self.answer.add(&data)?;
                }
            }
            Form::Unknown => {}
        }
        Ok(More::Yes)
    }

    /// The body is at its end.
    fn end(&mut self) -> Result<More, Error> {
        let done = match &mut self.form {
            Form::Unknown => return Err(Error::Malformed("nothing".into())),
            Form::Whole(body) => {
                self.answer.add(&String::from_utf8_lossy(body))?;
                true
            }
            Form::Events(events) => match events.finish() {
                Some(data) if data.trim() == DONE => true,
                Some(data) => {
                    self.answer.add(&data)?;
                    false
                }
                None => false,
            },
        };
        self.answer.end(done)?;
        Ok(More::No)
    }
}
