//! What a model is asked.

use std::sync::Arc;

use orangery_domain::Protocol;
use serde::{Deserialize, Serialize};

/// Where a model is and how it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    pub protocol: Protocol,
    /// `https://host/v1`; http only for this machine.
    pub base_url: String,
    /// As the provider calls it.
    pub model: String,
    /// None for servers that ask for none.
    pub key: Option<Key>,
    pub context_tokens: u32,
    /// Whether it can call tools; without, none are offered to it.
    pub tools: bool,
    /// Whether it can see pictures; without, none are sent to it.
    pub vision: bool,
}

/// An API key. It prints as `Key(…)` and is never serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// One request: everything the model knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChatRequest {
    pub system: String,
    /// In order. Every call is answered by a [`ChatMessage::Tool`] before the next other message; pictures
    /// that results speak of come after the last of them.
    pub messages: Vec<ChatMessage>,
    pub tools: Vec<ToolSpec>,
}

/// One message of a conversation, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "role")]
pub enum ChatMessage {
    User {
        text: String,
    },
    Assistant {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<Reasoning>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    #[serde(rename_all = "camelCase")]
    Tool {
        call_id: String,
        content: String,
    },
    /// What a result could not carry: to the model the user seems to show it.
    #[serde(rename_all = "camelCase")]
    Pictures {
        call_id: String,
        pictures: Vec<Picture>,
    },
}

/// A picture for the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// What it is of, said before it.
    pub label: String,
    /// `image/png` and the like.
    pub media_type: String,
    /// Where whoever stores the conversation keeps the bytes.
    pub key: String,
    /// Empty where they are not there any more, or were left out: then only the label is sent.
    #[serde(skip)]
    pub bytes: Arc<Vec<u8>>,
}

/// What a model thought before it spoke. Some providers refuse a conversation in which the thoughts
/// behind a tool call are missing, each in the form in which it gave them; so they are kept with it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reasoning {
    pub text: String,
    pub form: ReasoningForm,
    /// Of [`ReasoningForm::Sealed`], in the order of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seals: Vec<Seal>,
}

impl Reasoning {
    /// Adds the next piece of the same thoughts.
    pub fn push(&mut self, more: &Self) {
        if self.is_empty() {
            self.form = more.form;
        }
        let before = self.text.len();
        self.text.push_str(&more.text);
        self.seals.extend(more.seals.iter().cloned().map(|seal| Seal { at: seal.at + before, ..seal }));
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.seals.is_empty()
    }
}

/// Where in a message a provider puts its thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReasoningForm {
    /// In `reasoning_content` (DeepSeek, Qwen, many local servers).
    #[default]
    Content,
    /// In `reasoning` (OpenRouter, newer vLLM).
    Field,
    /// As a `thinking` part of a content list (Mistral).
    Part,
    /// As blocks of their own, signed so that the provider knows them again (Anthropic).
    Sealed,
    /// As parts that are for reading only; what must go back is with the calls (Gemini).
    Summary,
}

/// The end of a block of thoughts, with what the provider wants to see again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// Bytes of [`Reasoning::text`] up to here.
    pub at: usize,
    pub kind: SealKind,
    /// As the provider gave it.
    pub value: String,
}

/// What a seal stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SealKind {
    /// The signature of the text since the seal before.
    Signature,
    /// Thoughts that cannot be read.
    Redacted,
}

/// A call of a tool, complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// As the model named it, or `call_<n>`, unique in the conversation.
    pub id: String,
    pub name: String,
    /// JSON as the model wrote it, well formed or not.
    pub arguments: String,
    /// What the provider wants to see again with the call (Gemini).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON Schema of the input.
    pub parameters: serde_json::Value,
}

/// Whether a picture is shown.
pub(crate) fn shows_pictures(messages: &[ChatMessage]) -> bool {
    messages.iter().any(|message| match message {
        ChatMessage::Pictures { pictures, .. } => pictures.iter().any(|picture| !picture.bytes.is_empty()),
        _ => false,
    })
}
