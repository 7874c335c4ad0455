//! What earlier turns said, as the model is to hear it again.

use orangery_model::ChatMessage;
use orangery_store::table;

use super::{Turn, compact, digest};
use crate::Result;
use crate::cite::Numbered;

/// Read in place of a result that was never written.
const LOST: &str = r#"{"error":"this call was interrupted; its result is unknown"}"#;

impl Turn {
    /// The session so far, this turn's question included; takes up the numbers of its passages.
    pub(crate) async fn history(&self) -> Result<Vec<ChatMessage>> {
        let rows = table::message::list(&self.bench.house.db, &self.session_id).await?;
        let mut said = Vec::new();
        let mut covered = None;
        if let Some((text, covers)) = compact::newest(&rows) {
            covered = Some(covers);
            let question = self.covered_question(&rows, covers)?;
            said.push(ChatMessage::User { text: digest::checkpoint(text, question.as_deref()) });
        }
        for row in rows {
            if let Some(chat) = row.kept.chat.filter(|_| Some(row.message.id) > covered) {
                said.extend(serde_json::from_str::<Vec<ChatMessage>>(&chat)?);
            }
            if let Some(passages) = row.kept.passages {
                self.passages().extend(serde_json::from_str::<Vec<Numbered>>(&passages)?);
            }
        }
        Ok(repaired(joined(said)))
    }
}

/// A checkpoint and the question behind it are one message: some servers refuse two of the user's in a row.
fn joined(mut said: Vec<ChatMessage>) -> Vec<ChatMessage> {
    if let [ChatMessage::User { text: before }, ChatMessage::User { text: after }, ..] = &mut said[..]
        && before.starts_with(digest::HEAD)
    {
        *after = format!("{before}\n\n[The conversation goes on:]\n{after}");
        said.remove(0);
    }
    said
}

/// Providers refuse a call without its result and a result without its call. A turn that was stopped
/// or died leaves both. Pictures come behind all results of a round, never between two.
pub(super) fn repaired(said: Vec<ChatMessage>) -> Vec<ChatMessage> {
    let mut round = Round { whole: Vec::with_capacity(said.len()), ..Round::default() };
    for message in said {
        match &message {
            ChatMessage::Tool { call_id, .. } => {
                let Some(at) = round.open.iter().position(|id| id == call_id) else { continue };
                let id = round.open.remove(at);
                round.answered.push(id);
            }
            ChatMessage::Pictures { call_id, .. } => {
                if round.answered.contains(call_id) {
                    round.shown.push(message);
                }
                continue;
            }
            ChatMessage::Assistant { text, calls, .. } => {
                round.close();
                if text.is_empty() && calls.is_empty() {
                    continue;
                }
                round.open = calls.iter().map(|call| call.id.clone()).collect();
            }
            ChatMessage::User { .. } => round.close(),
        }
        round.whole.push(message);
    }
    round.close();
    round.whole
}

/// What is known between one message of the assistant and the next other one.
#[derive(Default)]
struct Round {
    whole: Vec<ChatMessage>,
    /// Calls that have no result yet, in order.
    open: Vec<String>,
    answered: Vec<String>,
    /// Pictures that wait for the last result.
    shown: Vec<ChatMessage>,
}

impl Round {
    fn close(&mut self) {
        let lost = self.open.drain(..).map(|call_id| ChatMessage::Tool { call_id, content: LOST.into() });
        self.whole.extend(lost);
        self.whole.append(&mut self.shown);
        self.answered.clear();
    }
}

#[cfg(test)]
mod tests {
    use orangery_model::ToolCall;

    use super::*;

    fn user(text: &str) -> ChatMessage {
        ChatMessage::User { text: text.into() }
    }

    fn assistant(text: &str, ids: &[&str]) -> ChatMessage {
        let call = |id: &&str| ToolCall {
            id: (*id).into(),
            name: "read".into(),
            arguments: "{}".into(),
            signature: None,
        };
        ChatMessage::Assistant { text: text.into(), reasoning: None, calls: ids.iter().map(call).collect() }
    }

    fn result(id: &str) -> ChatMessage {
        ChatMessage::Tool { call_id: id.into(), content: "{}".into() }
    }

    fn pictures(id: &str) -> ChatMessage {
        ChatMessage::Pictures { call_id: id.into(), pictures: vec![] }
    }

    /// `U`, `A(calls)`, `T id`, `P id` and `lost id`, in order.
    fn check(said: Vec<ChatMessage>, expected: &str) {
        let line = |message: &ChatMessage| match message {
            ChatMessage::User { .. } => "U".to_owned(),
            ChatMessage::Assistant { calls, .. } => {
                format!("A({})", calls.iter().map(|call| call.id.as_str()).collect::<Vec<_>>().join(","))
            }
            ChatMessage::Tool { call_id, content } if content == LOST => format!("lost {call_id}"),
            ChatMessage::Tool { call_id, .. } => format!("T {call_id}"),
            ChatMessage::Pictures { call_id, .. } => format!("P {call_id}"),
        };
        assert_eq!(repaired(said).iter().map(line).collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn pictures_come_behind_all_results_of_their_round() {
        let two = || vec![user("q"), assistant("", &["1", "2"]), result("1"), pictures("1")];
        check([two(), vec![result("2"), user("n")]].concat(), "U A(1,2) T 1 T 2 P 1 U");
        check([two(), vec![assistant("x", &[])]].concat(), "U A(1,2) T 1 lost 2 P 1 A()");
        check(vec![user("q"), pictures("1"), assistant("", &["1"]), pictures("1")], "U A(1) lost 1");
        // Once more changes nothing.
        check(repaired(two()), "U A(1,2) T 1 lost 2 P 1");
    }

    #[test]
    fn every_call_has_its_result_and_every_result_its_call() {
        check(vec![user("q"), assistant("a", &[])], "U A()");
        check(vec![user("q"), assistant("", &["1", "2"]), result("1"), result("2")], "U A(1,2) T 1 T 2");
        check(vec![user("q"), assistant("", &["1", "2"]), result("1")], "U A(1,2) T 1 lost 2");
        let again = || [assistant("", &["1"]), result("1")];
        check(again().into_iter().chain(again()).collect(), "A(1) T 1 A(1) T 1");
        check(vec![user("q"), assistant("", &["1"]), user("next")], "U A(1) lost 1 U");
        check(vec![user("q"), assistant("", &["1"]), assistant("x", &[])], "U A(1) lost 1 A()");
        check(vec![result("0"), user("q"), result("9"), assistant("", &[])], "U");
    }
}
