//! What earlier turns said, as the model is to hear it again.

use orangery_model::ChatMessage;
use orangery_store::table;

use super::Turn;
use crate::Result;
use crate::cite::Numbered;

/// Read in place of a result that was never written.
const LOST: &str = r#"{"error":"this call was interrupted; its result is unknown"}"#;

impl Turn {
    /// The session so far, this turn's question included; takes up the numbers of its passages.
    pub(crate) async fn history(&self) -> Result<Vec<ChatMessage>> {
        let mut said = Vec::new();
        for row in table::message::list(&self.bench.house.db, &self.session_id).await? {
            if let Some(chat) = row.kept.chat {
                said.extend(serde_json::from_str::<Vec<ChatMessage>>(&chat)?);
            }
            if let Some(passages) = row.kept.passages {
                self.passages().extend(serde_json::from_str::<Vec<Numbered>>(&passages)?);
            }
        }
        Ok(repaired(said))
    }
}

/// Providers refuse a call without its result and a result without its call. A turn that was stopped
/// or died leaves both.
pub(super) fn repaired(said: Vec<ChatMessage>) -> Vec<ChatMessage> {
    let mut whole = Vec::with_capacity(said.len());
    // Calls of the last assistant message that have no result yet, in order.
    let mut open: Vec<String> = Vec::new();
    for message in said {
        match &message {
            ChatMessage::Tool { call_id, .. } => {
                let Some(at) = open.iter().position(|id| id == call_id) else { continue };
                open.remove(at);
            }
            ChatMessage::Assistant { text, calls, .. } => {
                close(&mut open, &mut whole);
                if text.is_empty() && calls.is_empty() {
                    continue;
                }
                open = calls.iter().map(|call| call.id.clone()).collect();
            }
            ChatMessage::User { .. } => close(&mut open, &mut whole),
        }
        whole.push(message);
    }
    close(&mut open, &mut whole);
    whole
}

fn close(open: &mut Vec<String>, whole: &mut Vec<ChatMessage>) {
    whole.extend(open.drain(..).map(|call_id| ChatMessage::Tool { call_id, content: LOST.into() }));
}

#[cfg(test)]
mod tests {
    use orangery_model::ToolCall;

    use super::*;

    fn user(text: &str) -> ChatMessage {
        ChatMessage::User { text: text.into() }
    }

    fn assistant(text: &str, ids: &[&str]) -> ChatMessage {
        let call = |id: &&str| ToolCall { id: (*id).into(), name: "read".into(), arguments: "{}".into() };
        ChatMessage::Assistant { text: text.into(), reasoning: None, calls: ids.iter().map(call).collect() }
    }

    fn result(id: &str) -> ChatMessage {
        ChatMessage::Tool { call_id: id.into(), content: "{}".into() }
    }

    /// `U`, `A(calls)`, `T id` and `lost id`, in order.
    fn check(said: Vec<ChatMessage>, expected: &str) {
        let line = |message: &ChatMessage| match message {
            ChatMessage::User { .. } => "U".to_owned(),
            ChatMessage::Assistant { calls, .. } => {
                format!("A({})", calls.iter().map(|call| call.id.as_str()).collect::<Vec<_>>().join(","))
            }
            ChatMessage::Tool { call_id, content } if content == LOST => format!("lost {call_id}"),
            ChatMessage::Tool { call_id, .. } => format!("T {call_id}"),
        };
        assert_eq!(repaired(said).iter().map(line).collect::<Vec<_>>().join(" "), expected);
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
