//! Every method of the list, at least once, on a real knowledge base.

use std::collections::BTreeSet;

use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use orangery_api::App;
use orangery_api::blob::BlobKey;
use orangery_api::commands::COMMANDS;
use orangery_api::domain::{Event, FilePlace, KbId, KbPath, Numbered};
use orangery_api::error::Code;
use serde_json::{Value, json};

use crate::house::{House, call, try_call};
use crate::marked::{self, Heard};

/// Calls, and remembers what was called and what came out.
pub struct Tour {
    app: App,
    called: BTreeSet<String>,
    heard: Heard,
    events: BoxStream<'static, Numbered>,
    kinds: BTreeSet<String>,
}

impl Tour {
    pub async fn call(&mut self, method: &str, params: Value) -> Value {
        self.called.insert(method.to_owned());
        let reply = call(&self.app, method, params).await;
        self.heard.say(&reply);
        reply
    }

    /// Hears events until one of them is the one.
    pub async fn until(&mut self, mut is_it: impl FnMut(&Event) -> bool) {
        loop {
            let event = self.events.next().await.unwrap().event;
            self.hear(&event);
            if is_it(&event) {
                return;
            }
        }
    }

    fn hear(&mut self, event: &Event) {
        assert_ne!(*event, Event::Resync);
        let json = serde_json::to_value(event).unwrap();
        self.heard.say(&json);
        self.kinds.insert(json["type"].as_str().unwrap().to_owned());
    }

    async fn fails(&mut self, method: &str, params: Value) -> Code {
        self.called.insert(method.to_owned());
        let error = try_call(&self.app, method, params).await.unwrap_err();
        self.heard.say(serde_json::to_value(&error).unwrap());
        error.code
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_method_answers() {
    let house = House::new();
    let notes = house.folder("notes");
    std::fs::write(notes.join("温室.md"), "# 温室\n\n柑橘树 [[Trees]]\n").unwrap();
    std::fs::write(notes.join("Trees.md"), "# Trees\n\nThirty.\n").unwrap();
    std::fs::write(notes.join("dot.png"), b"\x89PNG").unwrap();
    house.folder("notes/empty");
    let heard = Heard::with_log();
    let app = house.open().await;
    let mut tour = Tour {
        events: app.events(None).await.boxed(),
        app,
        called: BTreeSet::new(),
        kinds: BTreeSet::new(),
        heard,
    };

    tour.call("host.capabilities", json!({})).await;
    let kb = tour.call("kb.add", json!({ "root": notes, "name": null })).await["id"].clone();
    tour.app.catch_up().await;
    let place = json!({ "kbId": kb, "path": "温室.md" });

    library(&mut tour, &kb, &place).await;
    documents(&mut tour, &place).await;
    blobs(&tour, &kb).await;
    notes_and_history(&mut tour, &kb, &place).await;
    moves(&mut tour, &kb).await;
    sessions(&mut tour, &kb).await;
    models_and_settings(&mut tour).await;
    marked::walk(&mut tour, &kb).await;

    tour.call("kb.rename", json!({ "kbId": kb, "name": "花园" })).await;
    tour.call("kb.pause", json!({ "kbId": kb })).await;
    tour.call("kb.cancel", json!({ "kbId": kb })).await;
    tour.call("kb.rescan", json!({ "kbId": kb })).await;
    let sample = tour.call("kb.addSample", json!({})).await;
    let first = sample["first"]["path"].as_str().unwrap();
    let root = sample["kb"]["root"].as_str().unwrap();
    assert_eq!(tour.call("host.capabilities", json!({})).await["sample"], sample["first"]);
    assert!(std::path::Path::new(root).join(first).is_file());
    // Asked again, it is what is there; nothing is written over.
    std::fs::write(std::path::Path::new(root).join(first), "mine").unwrap();
    assert_eq!(tour.call("kb.addSample", json!({})).await["kb"]["id"], sample["kb"]["id"]);
    assert_eq!(std::fs::read_to_string(std::path::Path::new(root).join(first)).unwrap(), "mine");
    tour.call("kb.reorder", json!({ "kbIds": [sample["kb"]["id"], kb] })).await;
    assert_eq!(tour.call("kb.list", json!({})).await[0]["id"], sample["kb"]["id"]);
    tour.call("kb.forget", json!({ "kbId": kb })).await;
    assert_eq!(tour.fails("kb.rescan", json!({ "kbId": kb })).await, Code::NoKnowledgeBase);

    let kinds = |tour: &Tour| ["stale", "scan", "fileChanged"].iter().all(|kind| tour.kinds.contains(*kind));
    while !kinds(&tour) {
        let event = tour.events.next().await.unwrap().event;
        tour.hear(&event);
    }
    // All that was told before the last call answered is there to be heard.
    while let Some(Some(numbered)) = tour.events.next().now_or_never() {
        tour.hear(&numbered.event);
    }
    tour.app.shutdown().await;
    tour.heard.assert_no_secret();

    let all: BTreeSet<String> = COMMANDS.iter().map(|command| command.method.to_owned()).collect();
    assert_eq!(all.difference(&tour.called).collect::<Vec<_>>(), [""; 0]);
}

async fn library(tour: &mut Tour, kb: &Value, place: &Value) {
    tour.call("folder.browse", json!({ "path": null })).await;
    assert_eq!(tour.fails("folder.browse", json!({ "path": "relative" })).await, Code::NotAFolder);
    let entries = tour.call("file.list", json!({ "kbId": kb, "path": "" })).await;
    assert_eq!(entries[0]["path"], "empty");
    let names = tour.call("file.find", json!({ "text": "tre", "limit": 5 })).await;
    assert_eq!(names[0]["place"]["path"], "Trees.md");
    assert_eq!(tour.call("file.troubled", json!({})).await, json!([]));
    assert!(tour.call("tag.list", json!({})).await.is_array());
    let there = tour.call("file.whereabouts", json!({ "fileId": names[0]["fileId"] })).await;
    assert_eq!(there["path"], "Trees.md");
    let link = |target: &str| json!({ "kind": "wiki", "target": target, "fragment": null });
    let links = json!({ "from": place, "links": [link("Trees"), link("Nowhere"), link("")] });
    let led = tour.call("link.resolve", links).await;
    assert_eq!(
        (&led[0]["place"]["path"], &led[1]["place"], &led[2]["place"]),
        (&json!("Trees.md"), &Value::Null, place)
    );
    assert_eq!(led[1]["wouldBe"]["path"], "Nowhere.md");
    let links = tour.call("link.list", json!({ "place": place })).await;
    assert_eq!(links["outgoing"][0]["target"], "Trees");
    let page = tour.call("search.run", json!({ "text": "柑橘" })).await;
    assert_eq!(page["groups"][0]["place"], *place);
    let page = tour.call("search.text", json!({ "pattern": "^柑橘", "context": 1 })).await;
    assert_eq!((&page["files"][0]["place"], &page["totalLines"]), (place, &json!(1)));
    assert_eq!(tour.fails("search.text", json!({ "pattern": "a(" })).await, Code::BadPattern);
}

/// Without a process to read them in, and of a file that is none. What they give is tested with one.
async fn documents(tour: &mut Tour, place: &Value) {
    for (method, more) in [
        ("document.open", json!({})),
        ("document.blocks", json!({ "from": 1, "limit": 10 })),
        ("document.rows", json!({ "sheet": 1, "from": 1, "limit": 10 })),
        ("document.words", json!({ "page": 1 })),
        ("document.unlock", json!({ "password": "secret", "keep": "run" })),
        ("document.retry", json!({})),
        ("document.chooseEncoding", json!({ "encoding": "UTF-8" })),
    ] {
        let mut params = more;
        params["place"] = place.clone();
        assert_eq!(tour.fails(method, params).await, Code::NotADocument, "{method}");
    }
}

async fn blobs(tour: &Tour, kb: &Value) {
    let key = |path: &str| BlobKey::File {
        place: FilePlace { kb_id: KbId(kb.as_i64().unwrap()), path: KbPath::parse(path).unwrap() },
    };
    let blob = tour.app.blob(key("dot.png")).await.unwrap();
    assert_eq!((blob.content_type, blob.bytes.as_slice()), ("image/png", &b"\x89PNG"[..]));
    assert_eq!(tour.app.blob(key("none.png")).await.unwrap_err().code, Code::NotFound);
}

async fn notes_and_history(tour: &mut Tour, kb: &Value, place: &Value) {
    let note = tour.call("note.open", json!({ "place": place })).await;
    assert_eq!(note["readOnly"], json!(null));
    let edit =
        json!({ "from": { "line": 1, "column": 2 }, "to": { "line": 1, "column": 4 }, "insert": "橙园" });
    let save = json!({ "place": place, "base": note["base"], "edits": [edit] });
    let saved = tour.call("note.save", save.clone()).await;
    assert_ne!(saved["base"], note["base"]);
    assert_eq!(tour.fails("note.save", save).await, Code::BaseMoved);

    tour.call("note.createFolder", json!({ "kbId": kb, "path": "新" })).await;
    let new = json!({ "kbId": kb, "path": "新/笔记.md", "text": "words\n" });
    assert_eq!(tour.call("note.create", new.clone()).await["text"], "words\n");
    assert_eq!(tour.fails("note.create", new).await, Code::Exists);
    let outside = json!({ "place": { "kbId": kb, "path": "../x.md" } });
    assert_eq!(tour.fails("note.open", outside).await, Code::BadParameters);
    let choose = json!({ "place": place, "encoding": "no-such" });
    assert_eq!(tour.fails("note.chooseEncoding", choose).await, Code::UnknownEncoding);
    tour.call("note.chooseEncoding", json!({ "place": place, "encoding": "UTF-8" })).await;

    let versions = tour.call("history.list", json!({ "place": place })).await;
    let version = json!({ "versionId": versions[0]["id"] });
    assert!(tour.call("history.read", version.clone()).await["text"].as_str().unwrap().starts_with("# 温室"));
    tour.call("history.restore", version).await;
    let sides = json!({ "old": { "at": "version", "id": versions[0]["id"] }, "new": { "at": "now" } });
    let compare = json!({ "place": place, "old": sides["old"], "new": sides["new"] });
    assert_eq!(tour.call("history.compare", compare).await["hunks"], json!([]));
    let usage = tour.call("history.usage", json!({})).await;
    assert_eq!(usage["versions"], 2);
    tour.call("history.vacuum", json!({})).await;
    let note = tour.call("note.open", json!({ "place": place })).await;
    assert!(note["text"].as_str().unwrap().starts_with("# 温室"));
}

async fn moves(tour: &mut Tour, kb: &Value) {
    let at = |path: &str| json!({ "kbId": kb, "path": path });
    let weighed = tour.call("file.weigh", json!({ "places": [at("Trees.md"), at("empty")] })).await;
    assert_eq!((&weighed["contents"]["files"], &weighed["linkingNotes"]), (&json!(1), &json!(1)));
    assert_eq!(weighed["kept"], true);
    let there = json!({ "from": at("Trees.md"), "to": at("empty/Bäume.md"), "links": true });
    let moved = tour.call("file.move", there).await;
    assert_eq!(moved["applied"].as_array().unwrap().len(), 2);
    let note = tour.call("note.open", json!({ "place": at("温室.md") })).await;
    assert!(note["text"].as_str().unwrap().contains("[[Bäume]]"), "{note}");
    tour.call("change.undo", json!({ "changeSetId": moved["changeSetId"] })).await;
    let into = json!({ "from": at("empty"), "to": at("empty/deep"), "links": true });
    assert_eq!(tour.fails("file.move", into).await, Code::IntoItself);
    let over = json!({ "from": at("Trees.md"), "to": at("温室.md"), "links": true });
    assert_eq!(tour.fails("file.move", over).await, Code::Exists);
    assert_eq!(tour.fails("file.trash", json!({ "places": [at("gone.md")] })).await, Code::NotFound);
    assert_eq!(tour.fails("file.trash", json!({ "places": [at("")] })).await, Code::KbRoot);
    let nothing = json!({ "sessionId": "none", "turnId": 1 });
    assert_eq!(tour.fails("history.restoreTurn", nothing).await, Code::NothingApplied);
}

async fn sessions(tour: &mut Tour, kb: &Value) {
    let session = tour.call("session.create", json!({ "kbIds": [kb] })).await;
    let id = json!({ "sessionId": session["id"] });
    tour.call("session.rename", json!({ "sessionId": session["id"], "title": "橙子" })).await;
    let configured =
        tour.call("session.configure", json!({ "sessionId": session["id"], "level": "L1" })).await;
    assert_eq!(configured["level"], "L1");
    assert_eq!(tour.call("session.list", json!({})).await[0]["title"], "橙子");

    let mut events = Box::pin(tour.app.events(None).await);
    let asked = json!({ "sessionId": session["id"], "text": "温室里有什么？" });
    let turn = tour.call("agent.prompt", asked).await["turnId"].clone();
    ends(&mut events, &turn).await;
    assert!(tour.call("session.get", id.clone()).await["messages"].as_array().unwrap().len() >= 2);
    tour.call("agent.stop", id.clone()).await;
    assert_eq!(
        tour.fails("agent.answer", json!({ "approvalId": 99, "allow": true })).await,
        Code::NotWaiting
    );

    assert_eq!(tour.call("agent.brokenRules", json!({ "kbIds": [kb] })).await, json!([]));

    let tool = |name: &str, input: Value| {
        json!({
            "tool": name, "input": input, "kbIds": [kb], "level": "L2", "plan": false, "approve": false,
            "sessionId": session["id"],
        })
    };
    tour.call("tool.call", tool("read", json!({ "path": "Trees.md" }))).await;
    let edit = json!({ "path": "Trees.md", "operation": "replace", "original": "Thirty", "next": "Forty" });
    tour.call("tool.call", tool("edit", edit.clone())).await;
    let set = tour.call("change.list", json!({ "pending": true })).await[0]["id"].clone();
    let set_ref = json!({ "changeSetId": set });
    let operation = tour.call("change.get", set_ref.clone()).await["operations"][0]["id"].clone();
    let diff = tour.call("change.diff", json!({ "operationId": operation })).await;
    assert_eq!(diff["hunks"].as_array().unwrap().len(), 1);
    let first = json!({ "operationId": operation, "lines": { "start": 1, "end": 1 } });
    assert_eq!(tour.call("change.unchanged", first).await.as_array().unwrap().len(), 1);
    let decision = json!({ "operationId": operation, "hunk": 0, "decision": "accepted" });
    tour.call("change.review", json!({ "changeSetId": set, "decisions": [decision] })).await;
    let applied = tour.call("change.apply", set_ref.clone()).await;
    assert_eq!(applied["applied"], json!([operation]), "{applied}");
    tour.call("change.undo", set_ref).await;
    tour.call("tool.call", tool("read", json!({ "path": "Trees.md" }))).await;
    tour.call("tool.call", tool("edit", edit)).await;
    jobs(tour, &tool("exec", json!({ "command": "echo started; sleep 1000", "background": true }))).await;
    let again = tour.call("change.list", json!({ "pending": true })).await[0]["id"].clone();
    let turn = review(tour, &again).await;
    ends(&mut events, &turn).await;
    tour.call("session.remove", id).await;
    conversations(tour, kb).await;
}

/// What is done with conversations as wholes.
async fn conversations(tour: &mut Tour, kb: &Value) {
    let session = tour.call("session.create", json!({ "kbIds": [kb] })).await["id"].clone();
    let of = json!({ "sessionId": session });
    let mut events = Box::pin(tour.app.events(None).await);
    assert_eq!(tour.fails("session.compact", of.clone()).await, Code::NothingToShorten);
    for text in ["温室里有什么？", "What grows in the greenhouse?"] {
        let turn =
            tour.call("agent.prompt", json!({ "sessionId": session, "text": text })).await["turnId"].clone();
        ends(&mut events, &turn).await;
    }
    let turn = tour.call("session.compact", of.clone()).await["turnId"].clone();
    ends(&mut events, &turn).await;
    let messages = tour.call("session.get", of.clone()).await["messages"].clone();
    let by = |messages: &Value, role: &str| {
        let found = messages.as_array().unwrap().iter().rfind(|message| message["content"]["role"] == role);
        found.unwrap_or_else(|| panic!("{role} in {messages}"))["id"].clone()
    };
    let edited = json!({ "sessionId": session, "messageId": by(&messages, "checkpoint"), "text": "橙子" });
    tour.call("session.editCheckpoint", edited).await;

    let copy = tour.call("session.fork", of.clone()).await["id"].clone();
    let messages = tour.call("session.get", json!({ "sessionId": copy })).await["messages"].clone();
    let question = json!({ "sessionId": copy, "messageId": by(&messages, "user") });
    tour.call("session.rewind", question.clone()).await;
    assert_eq!(tour.fails("session.rewind", question).await, Code::NoQuestion);
    tour.call("session.arrange", json!({ "sessionId": copy, "pinned": true })).await;
    assert_eq!(tour.call("session.list", json!({})).await[0]["id"], copy, "what is pinned comes first");
    assert!(
        !tour.call("session.search", json!({ "text": "greenhouse" })).await.as_array().unwrap().is_empty()
    );
    assert_eq!(tour.call("session.sent", of.clone()).await, json!([]), "no model was asked");
    assert_eq!(tour.fails("session.sentParts", json!({ "id": 99 })).await, Code::NoSentRequest);
    for session in [session, copy] {
        tour.call("session.remove", json!({ "sessionId": session })).await;
    }
}

/// A command in the background: seen, read, ended.
async fn jobs(tour: &mut Tour, start: &Value) {
    let mut start = start.clone();
    start["level"] = json!("L4");
    let started = tour.call("tool.call", start).await;
    let job = json!({ "job": started["output"]["job"] });
    let session = json!({ "sessionId": started["sessionId"] });
    tour.until(|event| matches!(event, Event::Output { job: Some(_), .. })).await;
    assert_eq!(tour.call("job.output", job.clone()).await["stdout"], "started\n");
    assert_eq!(tour.call("job.list", session.clone()).await[0]["end"], Value::Null);
    tour.call("job.stop", job.clone()).await;
    assert_eq!(tour.call("job.list", session).await[0]["end"], json!({ "outcome": "cancelled" }));
    assert_eq!(tour.fails("job.stop", json!({ "job": 99 })).await, Code::NoJob);
}

async fn ends(
    events: &mut (impl futures::Stream<Item = orangery_api::domain::Numbered> + Unpin),
    turn: &Value,
) {
    loop {
        let event = serde_json::to_value(events.next().await.unwrap().event).unwrap();
        if event["type"] == "turnEnded" && event["turnId"] == *turn {
            return;
        }
    }
}

/// Everything a person does with a pending set but applying it; gives the turn that the comments began.
async fn review(tour: &mut Tour, set: &Value) -> Value {
    let set_ref = json!({ "changeSetId": set });
    let operation = tour.call("change.get", set_ref.clone()).await["operations"][0]["id"].clone();
    let words = json!({ "operationId": operation, "hunk": 0, "text": "Fifty.\n" });
    let diff = tour.call("change.editProposal", words).await;
    assert_eq!(diff["operation"]["warnings"][0]["code"], "editedByUser", "{diff}");
    tour.call("change.reject", set_ref.clone()).await;
    let again = json!({ "operationId": operation });
    let waiting = tour.call("change.proposeAgain", again.clone()).await;
    assert_eq!(waiting["operations"][0]["state"], "undecided");
    assert_eq!(tour.fails("change.proposeAgain", again).await, Code::NothingRejected);
    let choose = json!({ "operationId": operation, "choices": [] });
    assert_eq!(tour.fails("change.resolve", choose).await, Code::NotAConflict);

    assert_eq!(tour.fails("change.sendComments", set_ref.clone()).await, Code::NothingToSend);
    let line = json!({ "side": "new", "line": 3 });
    let say = json!({ "operationId": operation, "line": line, "text": "why fifty?" });
    let comment = tour.call("change.comment", say.clone()).await;
    assert_eq!(comment["quote"], "Fifty.");
    tour.call("change.removeComment", json!({ "commentId": comment["id"] })).await;
    tour.call("change.comment", say).await;
    let turn = tour.call("change.sendComments", set_ref.clone()).await["turnId"].clone();
    let sent = tour.call("change.get", set_ref).await["operations"][0]["comments"][0]["sentAt"].clone();
    assert!(sent.is_number());
    turn
}

async fn models_and_settings(tour: &mut Tour) {
    let mut settings = tour.call("setting.get", json!({})).await;
    settings["language"] = json!("zh-CN");
    tour.call("setting.set", json!({ "settings": settings })).await;
    let model = json!({
        "name": "", "baseUrl": "http://127.0.0.1:9/v1/", "model": "m", "contextTokens": 8000, "tools": true,
    });
    let mut far = model.clone();
    far["baseUrl"] = json!("http://models.example/v1");
    assert_eq!(tour.fails("model.save", far).await, Code::BadAddress);
    let saved = tour.call("model.save", model).await;
    assert_eq!((&saved["name"], &saved["baseUrl"]), (&json!("m"), &json!("http://127.0.0.1:9/v1")));
    let id = json!({ "modelId": saved["id"] });
    assert_eq!(tour.call("model.list", json!({})).await.as_array().unwrap().len(), 1);
    assert_eq!(tour.call("model.check", id.clone()).await["trouble"]["code"], "modelNotListening");
    let asked = json!({ "protocol": "anthropic", "baseUrl": "http://127.0.0.1:9", "key": "k" });
    assert_eq!(tour.call("model.offers", asked).await["trouble"]["code"], "modelNotListening");
    tour.call("secret.status", json!({})).await;
    assert_eq!(tour.fails("secret.open", json!({ "passphrase": "" })).await, Code::EmptyPassphrase);
    tour.call("secret.set", json!({ "of": { "model": saved["id"] }, "key": "k", "keep": "run" })).await;
    tour.call("model.remove", id.clone()).await;
    assert_eq!(tour.fails("model.check", id).await, Code::ModelNotFound);
    tour.call("host.doctor", json!({})).await;
    assert!(tour.call("host.verify", json!({})).await["findings"].is_array());
}
