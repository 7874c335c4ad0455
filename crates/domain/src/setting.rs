//! Settings and configured models. Secrets are not among them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Level, ModelId};

/// All settings, with their defaults. One row per field in the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    pub theme: Theme,
    pub language: Language,
    pub density: Density,
    pub default_level: Level,
    pub default_model: Option<ModelId>,
    /// Writes down what is said in recordings.
    pub transcription_model: Option<ModelId>,
    pub spellcheck: bool,
    /// Commands of the assistant write only in the folders of their session, and have no network.
    pub confine_commands: bool,
    /// The assistant may fetch pages and ask a search engine, where its level allows that.
    pub web: bool,
    /// What it asks; absent: it can fetch pages, and search nothing.
    pub web_search: Option<WebSearch>,
    /// The user has seen the first run.
    pub welcomed: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: Language::System,
            density: Density::Compact,
            default_level: Level::L2,
            default_model: None,
            transcription_model: None,
            spellcheck: true,
            confine_commands: false,
            web: false,
            web_search: None,
            welcomed: false,
        }
    }
}

/// A search engine that the assistant asks. Its key is never here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WebSearch {
    pub engine: WebEngine,
    /// `https://host`; http only for loopback. Absent: the engine's own.
    pub address: Option<String>,
    pub key: KeyPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum WebEngine {
    Exa,
    Brave,
    Tavily,
    SearXng,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    System,
    Light,
    Dark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub enum Language {
    #[serde(rename = "system")]
    System,
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-CN")]
    Chinese,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Density {
    Compact,
    Comfortable,
}

/// A model as the user configured it. The key is never here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelProfile {
    pub id: ModelId,
    /// For people.
    pub name: String,
    pub protocol: Protocol,
    /// `https://host/v1`; http only for loopback.
    pub base_url: String,
    /// As the provider calls it.
    pub model: String,
    pub context_tokens: u32,
    /// Whether it can call tools.
    pub tools: bool,
    /// Whether it can see pictures.
    pub vision: bool,
    pub key: KeyPlace,
}

/// A model that a provider offers, with what the provider says of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ModelOffer {
    /// The name under which it is asked for.
    pub model: String,
    /// Tokens that it can read.
    pub context_tokens: Option<u32>,
    pub tools: Option<bool>,
    pub vision: Option<bool>,
}

/// How a model is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Protocol {
    /// Chat completions, which most servers speak.
    #[default]
    OpenAi,
    /// Messages.
    Anthropic,
    Gemini,
}

/// Where a key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum KeyPlace {
    /// None is stored; fine for local servers.
    None,
    Keyring,
    /// Encrypted with a passphrase.
    File,
    /// For this run only.
    Run,
}

/// What can keep a secret on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SecretStatus {
    pub keyring: bool,
    /// Why there is no keyring.
    pub reason: Option<String>,
    /// A passphrase file exists, and whether it is open now.
    pub file: bool,
    pub file_open: bool,
}
