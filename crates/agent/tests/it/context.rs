//! Conversations that become longer than a model can read.

use std::sync::atomic::Ordering;

use orangery_agent::Error;
use orangery_domain::{Level, Message, MessageContent, MessageId, SessionId};
use serde_json::{Value, json};

use crate::script::{Say, Script};
use crate::support::House;

const SOUP: &str = "# Soup\n\nWater and salt.\n";

async fn ask(house: &House, id: &SessionId, text: &str) {
    house.assistant.prompt(id, text, vec![]).await.unwrap();
    house.ended().await;
}

/// Who wrote each checkpoint, and what it says.
async fn checkpoints(house: &House, id: &SessionId) -> Vec<(MessageId, Option<String>, String)> {
    let found = |message: Message| match message.content {
        MessageContent::Checkpoint { text, model, .. } => Some((message.id, model, text)),
        _ => None,
    };
    house.messages(id).await.into_iter().filter_map(found).collect()
}

async fn notices(house: &House, id: &SessionId) -> Vec<String> {
    let found = |message: Message| match message.content {
        MessageContent::Notice { warning } => Some(warning.code),
        _ => None,
    };
    house.messages(id).await.into_iter().filter_map(found).collect()
}

fn said(request: &Value) -> Vec<(&str, String)> {
    let message = |message: &'_ Value| message["content"].to_string();
    let messages = request["messages"].as_array().unwrap().iter();
    messages.map(|one| (one["role"].as_str().unwrap(), message(one))).collect()
}

/// A question of about 6,000 tokens.
fn long(number: u32) -> String {
    format!("Question {number}: {}", "the soup and its salt ".repeat(1_150))
}

#[tokio::test]
async fn older_turns_become_a_checkpoint_that_the_model_writes_and_the_recent_tail_stays_whole() {
    let house = House::new(&[("soup.md", SOUP)]).await;
    let script = Script::start(vec![
        Say::Calls("", vec![("read", json!({"path": "soup.md"}))]),
        Say::Text("First answer [1]."),
        Say::Text("Second answer."),
        Say::Text("The user asked twice about soup; it has salt [1]."),
        Say::Text("Third answer."),
        Say::Text("Fourth answer."),
    ])
    .await;
    house.use_model(&script.base_url);
    house.use_window(36_000);
    let session = house.session(Level::L1, true).await;
    for number in 1..=3 {
        ask(&house, &session.id, &long(number)).await;
    }
    let kept = checkpoints(&house, &session.id).await;
    assert_eq!(kept.len(), 1);
    assert_eq!(
        (kept[0].1.as_deref(), kept[0].2.as_str()),
        (Some("scripted"), "The user asked twice about soup; it has salt [1].")
    );
    ask(&house, &session.id, "And pepper?").await;
    assert_eq!(checkpoints(&house, &session.id).await.len(), 1, "it is not done again");

    let requests = script.requests();
    let asked = requests[3]["messages"][1]["content"].as_str().unwrap();
    assert!(asked.contains("User: Question 1") && requests[3]["tools"].is_null(), "{asked}");
    for request in &requests[4..] {
        let said = said(request);
        assert_eq!(said[1].0, "user", "never an answer or a result first");
        assert!(said[1].1.contains("it has salt [1]") && !said[1].1.contains("Question 1"), "{said:?}");
    }
    assert!(said(&requests[5]).iter().any(|(_, text)| text.contains("Third answer")));
    assert_eq!(script.left(), 0);
}

#[tokio::test]
async fn a_model_that_writes_no_checkpoint_is_done_without() {
    let house = House::new(&[]).await;
    let script = Script::start(vec![
        Say::Text("First answer."),
        Say::Text("Second answer."),
        Say::Text(""),
        Say::Text("Third answer."),
    ])
    .await;
    house.use_model(&script.base_url);
    house.use_window(36_000);
    let session = house.session(Level::L1, true).await;
    for number in 1..=3 {
        ask(&house, &session.id, &long(number)).await;
    }
    let kept = checkpoints(&house, &session.id).await;
    assert_eq!((kept.len(), &kept[0].1), (1, &None));
    assert!(
        kept[0].2.starts_with("User: Question 1") && kept[0].2.contains("First answer."),
        "{}",
        kept[0].2
    );
    assert_eq!(script.left(), 0);
}

#[tokio::test]
async fn within_a_turn_the_question_survives_and_calls_keep_their_results() {
    let file = "Salt of the sea, boiled for hours.\n".repeat(900);
    let house = House::new(&[("a.md", &file), ("b.md", &file), ("c.md", &file), ("d.md", &file)]).await;
    let read = |path| Say::Calls("", vec![("read", json!({"path": path}))]);
    let mut answers =
        vec![read("a.md"), read("b.md"), read("c.md"), read("d.md"), read("a.md"), read("b.md")];
    answers.extend([Say::Text("Read a, b and c."), Say::Text("Done.")]);
    let script = Script::start(answers).await;
    house.use_model(&script.base_url);
    house.use_window(24_000);
    let session = house.session(Level::L1, true).await;
    ask(&house, &session.id, "Which file has pepper?").await;
    assert!(
        !checkpoints(&house, &session.id).await.is_empty(),
        "{:?}",
        house.messages(&session.id).await.len()
    );
    let last = script.requests().pop().unwrap();
    let said = said(&last);
    assert_eq!((said[1].0, said[2].0), ("user", "assistant"), "{said:?}");
    assert!(said[1].1.contains("The question to answer now") && said[1].1.contains("Which file has pepper?"));
    assert_eq!(
        said.iter().filter(|(role, _)| *role == "assistant").count(),
        said.iter().filter(|(role, _)| *role == "tool").count()
    );
}

#[tokio::test]
async fn a_conversation_that_cannot_be_shortened_ends_with_a_notice_and_asks_nobody() {
    let house = House::new(&[]).await;
    let script = Script::start(vec![]).await;
    house.use_model(&script.base_url);
    house.use_window(12_000);
    let session = house.session(Level::L1, true).await;
    ask(&house, &session.id, &long(1).repeat(3)).await;
    assert_eq!(notices(&house, &session.id).await, ["contextFull"]);
    assert_eq!(script.requests().len(), 0);
    // The long question goes, so that the conversation goes on.
    let script = Script::start(vec![Say::Text("A long question about soup."), Say::Text("Yes.")]).await;
    house.use_model(&script.base_url);
    ask(&house, &session.id, "Short?").await;
    assert_eq!(notices(&house, &session.id).await.len(), 1);
    assert_eq!(checkpoints(&house, &session.id).await.len(), 1);
}

#[tokio::test]
async fn a_refusal_for_length_is_answered_once_with_less() {
    let house = House::new(&[]).await;
    let script = Script::start(vec![
        Say::Text("First answer."),
        Say::TooLong,
        Say::Text("A question about soup."),
        Say::Text("Second answer."),
        Say::TooLong,
        Say::TooLong,
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L1, true).await;
    ask(&house, &session.id, &long(1)).await;
    ask(&house, &session.id, "Shorter?").await;
    assert_eq!(checkpoints(&house, &session.id).await.len(), 1);
    assert!(notices(&house, &session.id).await.is_empty());
    ask(&house, &session.id, "Still?").await;
    assert_eq!(notices(&house, &session.id).await, ["modelTooLong"]);
}

#[tokio::test]
async fn the_user_shortens_a_conversation_and_edits_what_the_model_reads_instead() {
    let house = House::new(&[("soup.md", SOUP)]).await;
    let session = house.session(Level::L1, false).await;
    ask(&house, &session.id, "salt").await;
    assert!(matches!(house.assistant.compact(&session.id).await, Err(Error::NothingToShorten)));
    ask(&house, &session.id, "water").await;
    house.assistant.compact(&session.id).await.unwrap();
    house.ended().await;
    let kept = checkpoints(&house, &session.id).await;
    assert_eq!((kept.len(), &kept[0].1), (1, &None), "it needs no model");
    assert!(kept[0].2.starts_with("User: salt"), "{}", kept[0].2);
    assert!(matches!(house.assistant.compact(&session.id).await, Err(Error::NothingToShorten)));
    assert_eq!(house.assistant.session(&session.id).await.unwrap().title, "salt");

    house.assistant.edit_checkpoint(&session.id, kept[0].0, " Only salt matters. ").await.unwrap();
    assert!(matches!(
        house.assistant.edit_checkpoint(&session.id, MessageId(1), "x").await,
        Err(Error::NoCheckpoint(_))
    ));
    let script = Script::start(vec![Say::Text("Yes.")]).await;
    house.use_model(&script.base_url);
    let model = Some(Some(orangery_domain::ModelId(1)));
    let configuration = orangery_agent::Configuration { model_id: model, ..Default::default() };
    house.assistant.configure_session(&session.id, configuration).await.unwrap();
    ask(&house, &session.id, "Go on").await;
    let request = script.requests().pop().unwrap();
    let said = said(&request);
    assert!(said[1].1.contains("Only salt matters.") && said[1].1.contains("water"), "{said:?}");
    assert!(!said[1].1.contains("User: salt"));
}

#[tokio::test]
async fn what_a_provider_counts_is_shown_and_corrects_the_estimate() {
    let house = House::new(&[]).await;
    let script = Script::start(vec![Say::Text("First answer."), Say::Text("Second answer.")]).await;
    house.use_model(&script.base_url);
    house.use_window(100_000);
    let session = house.session(Level::L1, true).await;
    ask(&house, &session.id, "Short?").await;
    let estimated = house.assistant.session(&session.id).await.unwrap().context;
    // Ten tokens are no count of such a request.
    assert!(!estimated.counted && estimated.tokens > 1_000, "{estimated:?}");
    script.prompt_tokens.store(estimated.tokens * 2, Ordering::Relaxed);
    ask(&house, &session.id, "Short again?").await;
    let counted = house.assistant.session(&session.id).await.unwrap().context;
    assert_eq!((counted.counted, counted.tokens), (true, estimated.tokens * 2 + 3));
    // The same length is far too long in such tokens.
    let script = Script::start(vec![]).await;
    house.use_model(&script.base_url);
    house.use_window(u32::try_from(estimated.tokens * 3 / 2).unwrap());
    ask(&house, &session.id, "And now?").await;
    assert_eq!(notices(&house, &session.id).await, ["contextFull"]);
}

#[tokio::test]
async fn instructions_of_the_knowledge_base_go_with_every_request_and_all_that_was_sent_can_be_looked_at() {
    let house = House::new(&[("soup.md", SOUP), ("AGENTS.md", "# Tone\n\nAnswer in one sentence.\n")]).await;
    let script = Script::start(vec![
        Say::Calls("Let me look.", vec![("read", json!({"path": "soup.md"}))]),
        Say::Text("It has salt [1]."),
        Say::Text("Yes."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L1, true).await;
    ask(&house, &session.id, "Is there salt?").await;
    let agents = house.root().join("AGENTS.md");
    crate::support::write(&agents, "笔".repeat(16_400));
    ask(&house, &session.id, "Sure?").await;

    let systems: Vec<_> = script.requests().iter().map(|request| said(request)[0].1.clone()).collect();
    assert!(systems[0].contains("Answer in one sentence.") && systems[0].contains("AGENTS.md of"));
    assert!(systems[2].contains("16 more characters were left out"), "read anew, and what is cut is said");

    let sent = house.assistant.sent_requests(&session.id).await.unwrap();
    assert_eq!(sent.iter().map(|one| one.model.as_str()).collect::<Vec<_>>(), ["scripted"; 3]);
    let parts = house.assistant.sent_parts(sent[1].id).await.unwrap();
    let line: Vec<_> = parts.iter().map(|part| format!("{:?}", part.role)).collect();
    assert_eq!(line, ["System", "Tools", "User", "Assistant", "Result"]);
    assert_eq!(parts[2].text, "Is there salt?");
    assert!(parts[3].text.starts_with("Let me look.\nread {") && parts[4].text.contains("Water and salt."));
    assert!(parts[0].text.contains("Answer in one sentence."));
    assert!(matches!(
        house.assistant.sent_parts(orangery_domain::SentId(99)).await,
        Err(Error::NoSentRequest(_))
    ));
}

#[tokio::test]
async fn instructions_are_read_in_their_own_encoding_and_what_is_no_such_file_is_said_to_be_unread() {
    let house = House::new(&[("soup.md", SOUP)]).await;
    let script = Script::start(vec![Say::Text("One."), Say::Text("Two."), Say::Text("Three.")]).await;
    house.use_model(&script.base_url);
    let agents = house.root().join("AGENTS.md");
    let session = house.session(Level::L1, true).await;

    let utf16: Vec<u8> = "\u{feff}用一句话回答。\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    crate::support::write(&agents, utf16);
    ask(&house, &session.id, "First?").await;
    crate::support::write(&agents, "Be kind. ".repeat(120_000));
    ask(&house, &session.id, "Second?").await;
    crate::support::write(&agents, b"Be \0\x01\x02 kind.");
    ask(&house, &session.id, "Third?").await;

    let systems: Vec<_> = script.requests().iter().map(|request| said(request)[0].1.clone()).collect();
    assert!(systems[0].contains("用一句话回答。"), "{}", systems[0]);
    for system in &systems[1..] {
        assert!(!system.contains("kind"), "{system}");
        assert!(system.contains("AGENTS.md") && system.contains("could not be read"), "{system}");
    }
    assert!(systems[1].contains("1080000"), "the size is said: {}", systems[1]);
}
