//! What the assistant may fetch from the web, and what it has fetched: settings, the engine it asks, how
//! often a turn may ask, and answers of the last minutes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use orangery_domain::{KeyPlace, TurnId, WebSearch};
use orangery_extract::html::Form;
use orangery_net::search::{Engine, Found};
use orangery_net::{Content, PageUrl};
use orangery_store::secret::Secrets;
use orangery_store::{Db, table};

use crate::tool::ToolError;

/// The settings; the web is off unless they say otherwise.
const ON: &str = "web";
const SEARCH: &str = "webSearch";
/// Under which name the secrets keep the key of the search engine.
pub const WEB_SEARCH_KEY: &str = "webSearch";

/// Pages, and searches, of one turn.
const PER_TURN: u8 = 4;
const KEPT_FOR: Duration = Duration::from_secs(600);
/// Answers that are kept, of each kind.
const KEPT: usize = 32;
/// Turns that are counted; all but the newest have ended.
const TURNS: usize = 64;

/// The way to the web, of all sessions.
pub struct Web {
    pub(crate) content: Content,
    secrets: Arc<Secrets>,
    pub(crate) pages: Recent<(PageUrl, Form), Arc<Page>>,
    pub(crate) found: Recent<(String, Option<String>), Arc<Vec<Found>>>,
    /// Pages and searches by turn.
    spent: Mutex<BTreeMap<TurnId, [u8; 2]>>,
}

/// A page as it was read.
#[derive(Debug)]
pub(crate) struct Page {
    /// Where it was in the end.
    pub url: PageUrl,
    pub title: Option<String>,
    pub author: Option<String>,
    pub published: Option<String>,
    /// Of what the server sent: `text/html`.
    pub media_type: String,
    pub text: String,
    /// What a reader should know: codes and details.
    pub notes: Vec<String>,
}

/// What a turn may only do so often.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Errand {
    Page,
    Search,
}

impl Web {
    pub fn new(content: Content, secrets: Arc<Secrets>) -> Self {
        Self { content, secrets, pages: Recent::default(), found: Recent::default(), spent: Mutex::default() }
    }

    /// Whether the user lets the assistant use the web.
    pub(crate) async fn is_on(&self, db: &Db) -> Result<bool, orangery_store::Error> {
        let settings = table::setting::all(db.reader()).await?;
        Ok(settings.get(ON).and_then(serde_json::Value::as_bool).unwrap_or(false))
    }

    /// The search engine that the user chose, with its key.
    pub(crate) async fn engine(&self, db: &Db) -> Result<Engine, ToolError> {
        let settings = table::setting::all(db.reader()).await?;
        let chosen = settings.get(SEARCH).cloned().unwrap_or_default();
        // What this version does not understand counts as unset, as everywhere.
        let Ok(Some(WebSearch { engine, address, key })) = serde_json::from_value(chosen) else {
            return Err(ToolError::tell(
                "no search engine is chosen; the user can choose one in Settings, Web. Read a url if you know one",
            ));
        };
        let key = match key {
            KeyPlace::None => None,
            place => self.secrets.get(WEB_SEARCH_KEY, place).await.map_err(|error| {
                ToolError::tell(format!("the key of the search engine cannot be had: {error}"))
            })?,
        };
        Ok(Engine { kind: engine, address, key: key.map(|key| key.expose().to_owned()) })
    }

    /// Takes one of the errands that a turn has.
    pub(crate) fn spend(&self, turn: TurnId, errand: Errand) -> Result<(), ToolError> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let of_turn = &mut spent.entry(turn).or_default()[errand as usize];
        if *of_turn == PER_TURN {
            let what = match errand {
                Errand::Page => "pages are read",
                Errand::Search => "searches of the web are made",
            };
            return Err(ToolError::tell(format!(
                "{PER_TURN} {what} in one turn, and they are; answer with what there is, or let the user go on"
            )));
        }
        *of_turn += 1;
        if spent.len() > TURNS {
            spent.pop_first();
        }
        Ok(())
    }
}

/// The newest answers, each for ten minutes.
pub(crate) struct Recent<K, V>(Mutex<VecDeque<(Instant, K, V)>>);

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq, V: Clone> Recent<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(since, ..)| since.elapsed() < KEPT_FOR);
        kept.iter().find(|(_, known, _)| known == key).map(|(.., value)| value.clone())
    }

    pub(crate) fn put(&self, key: K, value: V) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(_, known, _)| *known != key);
        kept.push_back((Instant::now(), key, value));
        if kept.len() > KEPT {
            kept.pop_front();
        }
    }
}
