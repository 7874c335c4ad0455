//! Rounds with a model: it streams, calls tools, reads what they gave, and goes on.

use futures::StreamExt;
use orangery_domain::{Event, Warning};
use orangery_model::{ChatMessage, ChatRequest, Endpoint, Finish, Piece, Reasoning, ToolCall};

use super::Turn;
use super::history::repaired;
use super::transcript::Answer;
use crate::gate::Action;
use crate::picture::Vision;
use crate::{Result, instructions, prompt, rules, tool};

/// Requests to the model in one turn.
const ROUNDS: u32 = 30;

/// What one request gave.
#[derive(Default)]
struct Round {
    reasoning: Reasoning,
    calls: Vec<ToolCall>,
    finish: Option<Finish>,
    failed: Option<Warning>,
}

pub(super) async fn answer(turn: &Turn, endpoint: Endpoint, name: &str) -> Result<()> {
    let vision = if endpoint.vision { Vision::Sees } else { Vision::Blind(name.to_owned()) };
    turn.bench.vision.get_or_init(|| vision);
    let mut said = turn.history().await?;
    let mut refused_for_length = false;
    for _ in 0..ROUNDS {
        let Some(asked) = turn.fitted(&endpoint, &mut said).await? else { return Ok(()) };
        let mut answer = Answer::new(turn, Some(name.to_owned()));
        let round = ask(turn, &endpoint, asked.clone(), &mut answer).await?;
        let too_long = round.failed.as_ref().is_some_and(|warning| warning.code == "modelTooLong");
        if too_long && !refused_for_length && answer.is_empty() {
            refused_for_length = true;
            if turn.shorten_more(&endpoint, &asked).await? {
                said = turn.history().await?;
                continue;
            }
        }
        let interrupted = turn.stopped() || round.failed.is_some();
        let heard = ChatMessage::Assistant {
            text: answer.raw().to_owned(),
            reasoning: (!round.reasoning.is_empty()).then_some(round.reasoning),
            // Calls of a round that was cut off are not run, so nobody must wait for their results.
            calls: if interrupted { vec![] } else { round.calls.clone() },
        };
        said.push(heard.clone());
        // A round without text has no message of its own: its first step keeps what was said.
        let mut unsaid = Vec::new();
        let silent = answer.is_empty();
        if silent {
            unsaid.push(heard);
        } else {
            answer.finish(interrupted, &[heard]).await?;
        }
        if let Some(warning) = round.failed {
            return turn.notice(warning).await;
        }
        if turn.stopped() {
            return Ok(());
        }
        if round.calls.is_empty() {
            return match round.finish {
                Some(Finish::Length) => turn.notice(Warning::new("answerCutShort", "")).await,
                Some(Finish::Filtered) => turn.notice(Warning::new("answerWithheld", "")).await,
                Some(Finish::Other(reason)) => turn.notice(Warning::new("answerStopped", reason)).await,
                _ if silent => turn.notice(Warning::new("answerEmpty", name)).await,
                _ => Ok(()),
            };
        }
        for call in &round.calls {
            said.extend(turn.step(call, std::mem::take(&mut unsaid)).await?.1);
            if turn.stopped() {
                return Ok(());
            }
        }
        said = repaired(said);
    }
    turn.notice(Warning::new("roundLimit", ROUNDS.to_string())).await
}

/// All that the model is to know. Level, Plan and tools are those of this moment.
pub(super) async fn request(turn: &Turn, endpoint: &Endpoint, said: &[ChatMessage]) -> Result<ChatRequest> {
    let house = &turn.bench.house;
    let session = turn.inner.session(&turn.session_id).await?;
    let rules = rules::of_session(house, &session).await?;
    let knowledge_bases = house.library.knowledge_bases();
    let instructions = instructions::of_session(house, &session, &knowledge_bases).await?;
    let web = house.web.is_on(&house.db).await?;
    let lacks = |action: &Action| match action {
        Action::Job { .. } => house.programs.is_none(),
        action => action.is_web() && !web,
    };
    let tools = if endpoint.tools { tool::specs(session.level, session.plan, &rules, lacks) } else { vec![] };
    let shell = house.programs.as_ref().and_then(|programs| programs.shell()).map(|shell| shell.name());
    Ok(ChatRequest {
        system: prompt::system(&session, &knowledge_bases, &instructions, endpoint.tools, shell, web),
        messages: said.to_vec(),
        tools,
    })
}

/// One request, its answer's text streamed into `answer`.
async fn ask(
    turn: &Turn,
    endpoint: &Endpoint,
    request: ChatRequest,
    answer: &mut Answer<'_>,
) -> Result<Round> {
    let house = &turn.bench.house;
    turn.keep_sent(endpoint, &request).await?;
    let sent = request.clone();
    let pieces = orangery_model::chat(&house.client, endpoint.clone(), request, turn.bench.cancel.clone());
    let mut pieces = std::pin::pin!(pieces);
    let mut round = Round::default();
    loop {
        let piece = tokio::select! {
            biased;
            () = turn.bench.cancel.cancelled() => break,
            piece = pieces.next() => piece,
        };
        match piece {
            // Text stays text, even where it looks like a call: only what the wire calls a call is one.
            Some(Ok(Piece::Text(text))) => answer.push(&text).await?,
            Some(Ok(Piece::Reasoning(thoughts))) => round.reasoning.push(&thoughts),
            Some(Ok(Piece::Call(call))) => round.calls.push(call),
            Some(Ok(Piece::Usage { input, output })) => {
                turn.counted(endpoint, &sent, input, output).await?;
            }
            Some(Ok(Piece::Retrying { attempt, wait_ms })) => {
                let (session_id, turn_id) = (turn.session_id.clone(), turn.bench.turn_id);
                turn.inner.emit(Event::Retrying { session_id, turn_id, attempt, wait_ms });
            }
            Some(Ok(Piece::End { finish })) => {
                round.finish = Some(finish);
                break;
            }
            Some(Err(error)) => {
                round.failed = Some(Warning::new(error.code(), error.detail()));
                break;
            }
            None => break,
        }
    }
    Ok(round)
}
