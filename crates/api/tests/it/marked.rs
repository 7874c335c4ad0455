//! A key with a mark, and everything that came out while it was in use.

#[path = "../../../store/tests/keyring/session.rs"]
mod session;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use orangery_api::domain::Event;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::every::Tour;

pub const KEY: &str = "sk-marked-0815";
const PASSPHRASE: &str = "passphrase-marked-4711";

/// Set where a keyring is there that nobody else uses.
const KEYRING: &str = "ORANGERY_TEST_KEYRING";

#[test]
fn every_method_answers_beside_a_keyring() {
    session::run(r#"ORANGERY_TEST_KEYRING=1 exec "$0" --exact every::every_method_answers"#).unwrap();
}

/// What replies, errors, events and the log said.
#[derive(Clone, Default)]
pub struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    /// Hears the log as well, down to the smallest word of every crate.
    pub fn with_log() -> Self {
        let heard = Self::default();
        let log = heard.clone();
        tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
            .with_writer(move || log.clone())
            .try_init()
            // Another test of this process may have been first; under nextest there is none.
            .ok();
        heard
    }

    pub fn say(&self, text: impl std::fmt::Display) {
        writeln!(self.0.lock().unwrap(), "{text}").unwrap();
    }

    /// The line in which `secret` came out.
    fn line_with(&self, secret: &str) -> Option<String> {
        let all = self.0.lock().unwrap();
        String::from_utf8_lossy(&all).lines().find(|line| line.contains(secret)).map(str::to_owned)
    }

    pub fn assert_no_secret(&self) {
        for secret in [KEY, PASSPHRASE] {
            assert_eq!(self.line_with(secret), None, "{secret}");
        }
    }
}

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A model that refuses every key and repeats it, as some do. Gives its address and what it was shown.
async fn repeating() -> (String, Arc<Mutex<BTreeSet<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    let shown = Arc::<Mutex<BTreeSet<String>>>::default();
    let keys = Arc::clone(&shown);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                let mut piece = [0; 4096];
                let read = socket.read(&mut piece).await.unwrap();
                request.extend_from_slice(&piece[..read]);
            }
            let head = String::from_utf8_lossy(&request).into_owned();
            let key = head
                .lines()
                .find_map(|line| line.split_once(": Bearer ").or_else(|| line.split_once(": bearer ")))
                .map(|(_, key)| key.to_owned())
                .unwrap_or_default();
            let body = json!({ "error": { "message": format!("incorrect key: {key}") } }).to_string();
            keys.lock().unwrap().insert(key);
            let head =
                format!("HTTP/1.1 401 X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            socket.write_all(head.as_bytes()).await.unwrap();
            socket.write_all(body.as_bytes()).await.unwrap();
        }
    });
    (base_url, shown)
}

/// Uses the marked key from every place where one can be.
pub async fn walk(tour: &mut Tour, kb: &Value) {
    let (base_url, shown) = repeating().await;
    let model = json!({
        "name": "Repeats", "baseUrl": base_url, "model": "m", "contextTokens": 8000, "tools": true,
    });
    let id = tour.call("model.save", model).await["id"].clone();
    let mut places = vec!["run", "file"];
    let status = tour.call("secret.status", json!({})).await;
    if std::env::var_os(KEYRING).is_some() {
        assert_eq!(status["keyring"], true, "{status}");
        places.push("keyring");
    }
    tour.call("secret.open", json!({ "passphrase": PASSPHRASE })).await;
    let session = tour.call("session.create", json!({ "kbIds": [kb] })).await["id"].clone();
    let configure = json!({ "sessionId": session, "model": { "modelId": id } });
    tour.call("session.configure", configure).await;
    for place in places {
        tour.call("secret.set", json!({ "of": { "model": id }, "key": KEY, "keep": place })).await;
        let list = tour.call("model.list", json!({})).await;
        assert!(list.as_array().unwrap().iter().any(|model| model["key"] == place), "{list}");
        shown.lock().unwrap().clear();
        let checked = tour.call("model.check", json!({ "modelId": id })).await;
        assert!(checked["trouble"]["detail"].as_str().unwrap().contains("incorrect key: …"), "{checked}");
        let asked = json!({ "protocol": "openAi", "baseUrl": base_url, "modelId": id });
        assert_eq!(tour.call("model.offers", asked).await, checked, "the key that is kept is used");
        let asked = json!({ "sessionId": session, "text": "温室里有什么？" });
        let turn = tour.call("agent.prompt", asked).await["turnId"].clone();
        tour.until(|event| matches!(event, Event::TurnEnded { turn_id, .. } if json!(turn_id) == turn)).await;
        let transcript = tour.call("session.get", json!({ "sessionId": session })).await;
        assert!(transcript.to_string().contains("incorrect key: …"), "{transcript}");
        assert_eq!(*shown.lock().unwrap(), BTreeSet::from([KEY.to_owned()]), "it was in use");
    }
    tour.call("session.remove", json!({ "sessionId": session })).await;
    tour.call("model.remove", json!({ "modelId": id })).await;
}
