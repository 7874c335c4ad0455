//! Questions taken back, conversations copied, found and put in order.

use orangery_agent::Error;
use orangery_domain::{ChangeSetState, Level, MessageContent, MessageId, SessionId};
use serde_json::json;

use crate::script::{Say, Script};
use crate::support::House;

const SOUP: &str = "# Soup\n\nWater and salt.\n";

async fn ask(house: &House, id: &SessionId, text: &str) {
    house.assistant.prompt(id, text, vec![]).await.unwrap();
    house.ended().await;
}

/// The questions of a session.
async fn asked(house: &House, id: &SessionId) -> Vec<(MessageId, String)> {
    let messages = house.messages(id).await.into_iter();
    messages
        .filter_map(|message| match message.content {
            MessageContent::User { text } => Some((message.id, text)),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_question_taken_back_takes_what_came_after_it_and_its_waiting_proposals_along() {
    let house = House::new(&[("soup.md", SOUP)]).await;
    let edit = |original, next| json!({"path": "soup.md", "operation": "replace", "original": original, "next": next});
    let script = Script::start(vec![
        Say::Calls("", vec![("read", json!({"path": "soup.md"}))]),
        Say::Calls("", vec![("edit", edit("Water", "Broth"))]),
        Say::Text("Proposed."),
        Say::Calls("", vec![("edit", edit("salt", "pepper"))]),
        Say::Text("Proposed too."),
        Say::Text("Never mind."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    ask(&house, &session.id, "Use broth").await;
    ask(&house, &session.id, "Use pepper").await;
    let set = house.steps(&session.id).await[1].change_set_id.unwrap();
    let questions = asked(&house, &session.id).await;
    let answer = house.messages(&session.id).await.last().unwrap().id;
    assert!(matches!(house.assistant.rewind(&session.id, answer).await, Err(Error::NoQuestion(_))));

    house.assistant.rewind(&session.id, questions[1].0).await.unwrap();
    assert_eq!(asked(&house, &session.id).await, questions[..1]);
    let after = house.changes.get(set).await.unwrap();
    assert_eq!(after.summary.state, ChangeSetState::Pending, "what an earlier turn proposed still waits");
    house.changes.apply(set, &[], true).await.unwrap();
    assert_eq!(std::fs::read_to_string(house.root().join("soup.md")).unwrap(), "# Soup\n\nBroth and salt.\n");

    ask(&house, &session.id, "Thanks").await;
    let heard = script.requests().pop().unwrap()["messages"].to_string();
    assert!(heard.contains("Use broth") && !heard.contains("pepper"), "{heard}");
    assert_eq!(script.left(), 0);

    house.assistant.rewind(&session.id, questions[0].0).await.unwrap();
    assert!(house.messages(&session.id).await.is_empty());
    let after = house.changes.get(set).await.unwrap();
    assert_eq!(after.summary.state, ChangeSetState::Applied, "what was applied stays");
}

#[tokio::test]
async fn nothing_is_taken_back_while_the_assistant_works() {
    let house = House::new(&[]).await;
    let script = Script::start(vec![Say::Hang("Well")]).await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L1, true).await;
    house.assistant.prompt(&session.id, "Tell me", vec![]).await.unwrap();
    let question = asked(&house, &session.id).await[0].0;
    assert!(matches!(house.assistant.rewind(&session.id, question).await, Err(Error::Busy(_))));
    assert!(matches!(house.assistant.fork(&session.id, None).await, Err(Error::Busy(_))));
    house.assistant.stop(&session.id);
    house.ended().await;
    house.assistant.rewind(&session.id, question).await.unwrap();
}

#[tokio::test]
async fn a_copy_goes_on_by_itself_with_numbers_and_checkpoint() {
    let house = House::new(&[("soup.md", SOUP)]).await;
    let session = house.session(Level::L1, false).await;
    for question in ["salt", "water", "soup"] {
        ask(&house, &session.id, question).await;
    }
    house.assistant.compact(&session.id).await.unwrap();
    house.ended().await;
    let questions = asked(&house, &session.id).await;
    let whole = house.assistant.fork(&session.id, None).await.unwrap();
    let part = house.assistant.fork(&session.id, Some(questions[1].0)).await.unwrap();
    let words = |asked: Vec<(MessageId, String)>| asked.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
    assert_eq!(words(asked(&house, &whole.id).await), ["salt", "water", "soup"]);
    assert_eq!(words(asked(&house, &part.id).await), ["salt", "water"]);
    assert_eq!((whole.title.as_str(), whole.kb_ids.as_slice()), ("salt", &[house.kb][..]));

    let script = Script::start(vec![Say::Text("Yes.")]).await;
    house.use_model(&script.base_url);
    let model = Some(Some(orangery_domain::ModelId(1)));
    let configuration = orangery_agent::Configuration { model_id: model, ..Default::default() };
    house.assistant.configure_session(&whole.id, configuration).await.unwrap();
    ask(&house, &whole.id, "Go on").await;
    let heard = script.requests()[0]["messages"][1]["content"].to_string();
    assert!(
        heard.contains("Checkpoint") && heard.contains("User: salt") && heard.contains("soup"),
        "{heard}"
    );
    assert_eq!(asked(&house, &session.id).await.len(), 3, "the first one stays as it was");
}

#[tokio::test]
async fn sessions_are_found_by_what_was_said_pinned_and_archived() {
    let house = House::new(&[("soup.md", SOUP)]).await;
    let (one, other) = (house.session(Level::L1, false).await, house.session(Level::L1, false).await);
    ask(&house, &one.id, "How much SALT does the soup need, at 100%?").await;
    ask(&house, &other.id, "玻璃温室需要多少盐").await;
    let found = async |text: &str| {
        let hits = house.assistant.search_sessions(text).await.unwrap();
        hits.into_iter().map(|hit| (hit.session_id, hit.excerpt)).collect::<Vec<_>>()
    };
    let hits = found("salt does").await;
    assert_eq!(hits.len(), 1);
    assert!(hits[0].0 == one.id && hits[0].1.contains("SALT does"), "{hits:?}");
    assert_eq!(found("温室").await[0].0, other.id);
    assert_eq!(found("100%").await.len(), 1);
    assert_eq!(found("1%0").await, []);
    assert_eq!(found("  ").await, []);

    house.assistant.arrange_session(&one.id, Some(true), None).await.unwrap();
    house.assistant.arrange_session(&other.id, None, Some(true)).await.unwrap();
    let sessions = house.assistant.sessions().await.unwrap();
    let line: Vec<_> = sessions.iter().map(|one| (&one.id, one.pinned, one.archived)).collect();
    assert_eq!(line, [(&one.id, true, false), (&other.id, false, true)]);
}
