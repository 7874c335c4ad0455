//! What models were sent, kept for the user to look at.

use orangery_domain::{SentId, SentPart, SentRequest, SentRole, SessionId};
use orangery_model::{
    ChatMessage, ChatRequest, Endpoint, ToolSpec, estimate, estimate_message, estimate_request,
};
use orangery_store::blob::Packed;
use orangery_store::{now_ms, table};

use crate::assistant::Assistant;
use crate::turn::Turn;
use crate::{Error, Result};

impl Assistant {
    /// The newest requests of a session, newest first.
    pub async fn sent_requests(&self, id: &SessionId) -> Result<Vec<SentRequest>> {
        self.0.session(id).await?;
        Ok(table::sent_request::list(&self.0.house.db, id).await?)
    }

    /// All that one request said, in the order in which the model read it.
    pub async fn sent_parts(&self, id: SentId) -> Result<Vec<SentPart>> {
        let body = table::sent_request::body(&self.0.house.db, id).await?.ok_or(Error::NoSentRequest(id))?;
        Ok(serde_json::from_slice(&body)?)
    }
}

impl Turn {
    /// Keeps what is sent now.
    pub(crate) async fn keep_sent(&self, endpoint: &Endpoint, request: &ChatRequest) -> Result<()> {
        let json = serde_json::to_vec(&parts(request))?;
        let body = tokio::task::spawn_blocking(move || Packed::new(&json))
            .await
            .map_err(|error| Error::Task(error.to_string()))?;
        let (db, tokens) = (&self.bench.house.db, estimate_request(request));
        let (session, turn) = (&self.session_id, self.bench.turn_id);
        Ok(table::sent_request::insert(db, session, turn, &endpoint.model, tokens, &body, now_ms()).await?)
    }
}

fn parts(request: &ChatRequest) -> Vec<SentPart> {
    let part = |role, text: String| SentPart { role, tokens: estimate(&text), text };
    let mut parts = vec![part(SentRole::System, request.system.clone())];
    if !request.tools.is_empty() {
        let tool = |tool: &ToolSpec| format!("{}: {}\n{}", tool.name, tool.description, tool.parameters);
        let tools: Vec<_> = request.tools.iter().map(tool).collect();
        parts.push(part(SentRole::Tools, tools.join("\n\n")));
    }
    parts.extend(request.messages.iter().map(|message| {
        let (role, text) = match message {
            ChatMessage::User { text } => (SentRole::User, text.clone()),
            ChatMessage::Assistant { text, calls, .. } => {
                let calls = calls.iter().map(|call| format!("{} {}", call.name, call.arguments));
                let said = (!text.is_empty()).then(|| text.clone());
                (SentRole::Assistant, said.into_iter().chain(calls).collect::<Vec<_>>().join("\n"))
            }
            ChatMessage::Tool { content, .. } => (SentRole::Result, content.clone()),
            ChatMessage::Pictures { pictures, .. } => {
                let labels: Vec<_> = pictures.iter().map(|picture| picture.label.as_str()).collect();
                (SentRole::Pictures, labels.join("\n"))
            }
        };
        SentPart { role, text, tokens: estimate_message(message) }
    }));
    parts
}
