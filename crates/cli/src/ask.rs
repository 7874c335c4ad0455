//! `ask`: one turn, streamed. Nobody is there to approve anything, so a question ends it.

use std::path::PathBuf;
use std::pin::Pin;

use futures::StreamExt;
use orangery_api::domain::{
    ApprovalCard, ApprovalState, Citation, Event, Level, Message, MessageContent, Session, SessionId, TurnId,
};
use orangery_api::error::{Code, WireError};
use orangery_api::request::{ConfigureSession, CreateSession, ModelChoice, Prompt, SessionRef, Started};
use serde::Serialize;

use crate::Result;
use crate::call::Caller;
use crate::knowledge_base;
use crate::out::{Exit, Out};
use crate::place;
use crate::sentence::Said;
use crate::tool;
use crate::word;

/// Whether after a notice with this code there is no whole answer. What a model or the way to it failed
/// at begins with its name.
fn is_failure(code: &str) -> bool {
    const OTHERS: &[&str] = &[
        "turnFailed",
        "keyMissing",
        "keyUnavailable",
        "answerEmpty",
        "answerStopped",
        "answerWithheld",
        "answerCutShort",
        "roundLimit",
        "contextFull",
    ];
    code.starts_with("model") || OTHERS.contains(&code)
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    session_id: Option<SessionId>,
    text: String,
    citations: Vec<Citation>,
    model: Option<String>,
    /// The card at which the turn stopped.
    asked: Option<ApprovalCard>,
    /// Codes of what the app said in between.
    notices: Vec<String>,
}

pub async fn run(
    caller: &Caller,
    question: String,
    level: Option<Level>,
    model: Option<String>,
    kb: Vec<PathBuf>,
    mut interrupt: Pin<&mut impl Future<Output = ()>>,
    out: Out,
) -> Result {
    let session = tokio::select! {
        session = session(caller, level, model, kb) => session?,
        () = &mut interrupt => return Ok(Exit::Interrupted),
    };
    let session_id = session.id;
    let mut events = caller.events().await;
    let prompt = Prompt { session_id: session_id.clone(), text: question, mentions: Vec::new() };
    let started: Started = caller.call("agent.prompt", prompt).await?;
    let mut answer = Answer { session_id: Some(session_id.clone()), ..Answer::default() };
    let mut exit = Exit::Done;
    // A message that streamed is not printed again when it is finished.
    let mut streamed = false;
    loop {
        let numbered = tokio::select! {
            numbered = events.next() => numbered,
            // Looked at only from here on, when there is a turn to stop: it may run in another process,
            // which would go on with it.
            () = &mut interrupt => {
                tokio::select! {
                    stopped = caller.call::<()>("agent.stop", SessionRef { session_id }) => stopped?,
                    () = crate::interrupted() => {}
                }
                return Ok(Exit::Interrupted);
            }
        };
        let Some(numbered) = numbered else { break };
        match numbered.event {
            Event::Text { session_id: of, delta, .. } if of == session_id => {
                streamed = true;
                if !out.json {
                    out.piece(delta);
                }
            }
            Event::Message { session_id: of, message } if of == session_id => {
                finished(message, started.turn_id, &mut answer, &mut exit, &mut streamed, out);
            }
            Event::Approval { approval }
                if approval.session_id == session_id && approval.state == ApprovalState::Waiting =>
            {
                exit = Exit::Asked;
                answer.asked = Some(approval.card);
                caller.call::<()>("agent.stop", SessionRef { session_id: session_id.clone() }).await?;
            }
            Event::Step { session_id: of, step, .. } if of == session_id => {
                if let Some(end) = word::of_step(step.state) {
                    out.note(format_args!("{} {}: {end}", step.tool, step.subject));
                }
            }
            Event::Retrying { session_id: of, wait_ms, .. } if of == session_id => {
                let seconds = wait_ms.div_ceil(1000);
                out.note(format_args!("the model did not answer; asked again in {seconds} s"));
            }
            Event::TurnEnded { session_id: of, turn_id }
                if of == session_id && turn_id == started.turn_id =>
            {
                break;
            }
            Event::Resync => {
                return Err(WireError::new(Code::OwnerLost, "ask: the stream of the answer was lost"));
            }
            _ => {}
        }
    }
    out.value(&answer, |out| {
        for (index, citation) in answer.citations.iter().enumerate() {
            let lines = citation.lines;
            out.line(format_args!("[{}] {}:{}-{}", index + 1, citation.place.path, lines.start, lines.end));
        }
    });
    if let Some(card) = &answer.asked {
        out.note(tool::card(card));
    }
    Ok(exit)
}

fn finished(
    message: Message,
    turn: TurnId,
    answer: &mut Answer,
    exit: &mut Exit,
    streamed: &mut bool,
    out: Out,
) {
    if message.turn_id != turn {
        return;
    }
    match message.content {
        MessageContent::Assistant { text, citations, model, .. } => {
            // An answer is there before its first word is.
            if !out.json && (*streamed || !text.is_empty()) {
                out.line(if *streamed { "" } else { &text });
            }
            *streamed = false;
            answer.text = text;
            answer.citations = citations;
            answer.model = model;
        }
        MessageContent::Notice { warning } => {
            out.note(Said(&warning));
            // The turn said itself that it could not go on.
            if *exit == Exit::Done && is_failure(&warning.code) {
                *exit = Exit::Failed;
            }
            answer.notices.push(warning.code);
        }
        MessageContent::Checkpoint { tokens_before, tokens_after, .. } => out.note(format_args!(
            "older turns were shortened: about {tokens_before} tokens, now {tokens_after}"
        )),
        // A step says itself how it ends.
        MessageContent::Tool(_) | MessageContent::User { .. } => {}
    }
}

async fn session(
    caller: &Caller,
    level: Option<Level>,
    model: Option<String>,
    kb: Vec<PathBuf>,
) -> Result<Session> {
    let mut kb_ids = Vec::new();
    for path in &kb {
        kb_ids.push(knowledge_base::ready(caller, path).await?.id);
    }
    if kb_ids.is_empty() {
        kb_ids = caller.knowledge_bases().await?.into_iter().map(|kb| kb.id).collect();
    }
    let session: Session = caller.call("session.create", CreateSession { kb_ids }).await?;
    let model = match model {
        Some(name) => Some(ModelChoice { model_id: Some(place::model(caller, &name).await?.id) }),
        None => None,
    };
    if level.is_none() && model.is_none() {
        return Ok(session);
    }
    let configure = ConfigureSession { session_id: session.id, kb_ids: None, level, plan: None, model };
    caller.call("session.configure", configure).await
}
