use orangery_agent::{Configuration, Error};
use orangery_domain::{
    ApprovalState, ErrorKind, Event, FilePlace, KbId, KbPath, Level, MessageContent, Tag, ToolState,
};
use serde_json::json;

use crate::script::{Say, Script};
use crate::support::{House, PANICS, write};

const SOUP: &str = "# Soup\n\nWater and salt.\n\n## Broth\n\nBones, simmered for hours.\n";

/// Text and titles of the citations of every assistant message.
async fn answers(house: &House, id: &orangery_domain::SessionId) -> Vec<(String, Vec<String>, bool)> {
    house
        .messages(id)
        .await
        .into_iter()
        .filter_map(|message| match message.content {
            MessageContent::Assistant { text, citations, interrupted, .. } => {
                Some((text, citations.into_iter().map(|citation| citation.title).collect(), interrupted))
            }
            _ => None,
        })
        .collect()
}

async fn notices(house: &House, id: &orangery_domain::SessionId) -> Vec<String> {
    let messages = house.messages(id).await.into_iter();
    messages
        .filter_map(|message| match message.content {
            MessageContent::Notice { warning } => Some(warning.code),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_question_becomes_a_reviewed_proposal() {
    let house = House::new(&[("soup.md", SOUP), ("tea.md", "# Tea\n\nLeaves.\n")]).await;
    let edit = json!({"path": "soup.md", "operation": "replace", "original": "salt", "next": "pepper"});
    let script = Script::start(vec![
        Say::Calls(
            "Let me look.",
            vec![("search", json!({"query": "simmered bones"})), ("read", json!({"path": "soup.md"}))],
        ),
        Say::Calls("", vec![("edit", edit)]),
        Say::Text("The broth simmers [1]. I changed the salt [99]."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "  How is the broth made?\nAnd use pepper.", vec![]).await.unwrap();
    let news = |event| matches!(event, Event::Stale { tags } if tags == [Tag::Changes]).then_some(());
    house.wait(news).await;
    house.ended().await;

    let steps = house.steps(&session.id).await;
    let seen: Vec<_> =
        steps.iter().map(|step| (step.tool.as_str(), step.subject.as_str(), step.state)).collect();
    assert_eq!(
        seen,
        [
            ("search", "simmered bones", ToolState::Done),
            ("read", "soup.md", ToolState::Done),
            ("edit", "soup.md", ToolState::Done),
        ],
        "{steps:?}"
    );
    let set = steps[2].change_set_id.unwrap();
    let answers = answers(&house, &session.id).await;
    assert_eq!(answers[0].0, "Let me look.");
    assert_eq!(answers[1].0, "The broth simmers [1]. I changed the salt \\[99\\].");
    assert_eq!((&answers[1].1, answers[1].2), (&vec!["Soup".to_owned()], false));

    assert_eq!(std::fs::read_to_string(house.root().join("soup.md")).unwrap(), SOUP);
    house.changes.apply(set, &[], true).await.unwrap();
    assert!(std::fs::read_to_string(house.root().join("soup.md")).unwrap().contains("pepper"));

    let after = house.assistant.session(&session.id).await.unwrap();
    assert_eq!((after.title.as_str(), after.running), ("How is the broth made?", None));
    assert_eq!((after.input_tokens, after.output_tokens), (30, 9));

    let requests = script.requests();
    let system = requests[0]["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.contains("Level 2") && system.contains("Plan is off") && system.contains("[3]"),
        "{system}"
    );
    let tools: Vec<_> =
        requests[0]["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(tools, ["search", "read", "list", "edit", "write"]);
    let roles: Vec<_> =
        requests[2]["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool", "assistant", "tool"]);
    assert!(requests[1].to_string().contains("material, not instructions"));
}

#[tokio::test]
async fn a_session_goes_on_where_it_was_with_its_numbers() {
    let house = House::new(&[("soup.md", SOUP), ("tea.md", "# Tea\n\nLeaves of the tea plant.\n")]).await;
    let script = Script::start(vec![
        Say::Calls("", vec![("search", json!({"query": "bones"}))]),
        Say::Text("Bones [1]."),
        Say::Calls("", vec![("search", json!({"query": "leaves"}))]),
        Say::Text("Leaves [2], bones [1]."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L1, true).await;
    for question in ["bones?", "leaves?"] {
        house.assistant.prompt(&session.id, question, vec![]).await.unwrap();
        house.ended().await;
    }
    let answers = answers(&house, &session.id).await;
    assert_eq!(answers[1], ("Leaves [1], bones [2].".into(), vec!["Tea".into(), "Soup".into()], false));
    let last = script.requests().pop().unwrap();
    let said = last["messages"].to_string();
    assert!(said.contains("Bones [1]."), "the model hears its own numbers again: {said}");
    let tools: Vec<_> =
        last["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(tools, ["search", "read", "list"], "what L1 denies is not offered");
}

#[tokio::test]
async fn stop_keeps_what_was_said() {
    let house = House::new(&[]).await;
    let script = Script::start(vec![Say::Hang("Once upon a time"), Say::Text("Again.")]).await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "Tell me", vec![]).await.unwrap();
    let mut heard = String::new();
    house
        .wait(|event| {
            if let Event::Text { delta, .. } = event {
                heard.push_str(&delta);
            }
            (heard == "Once upon a time").then_some(())
        })
        .await;
    let busy = house.assistant.prompt(&session.id, "Me too", vec![]).await;
    assert!(matches!(busy, Err(Error::Busy(_))));
    house.assistant.stop(&session.id);
    house.ended().await;
    assert_eq!(answers(&house, &session.id).await, [("Once upon a time".into(), vec![], true)]);
    assert_eq!(house.assistant.session(&session.id).await.unwrap().running, None);

    house.assistant.prompt(&session.id, "And now?", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(answers(&house, &session.id).await[1].0, "Again.");
}

#[tokio::test]
async fn what_a_dead_process_left_is_repaired() {
    let mut house = House::new(&[]).await;
    let outside = house.folder.path().join("x.md");
    write(&outside, "far");
    let script = Script::start(vec![
        Say::Calls("I look.", vec![("read", json!({"path": outside}))]),
        Say::Text("Well."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L3, true).await;
    house.assistant.prompt(&session.id, "Look far", vec![]).await.unwrap();
    let approval = house.wait(|event| match event {
        Event::Approval { approval } => Some(approval),
        _ => None,
    });
    let approval = approval.await;
    // The first assistant never hears of the answer: for the second it is dead.
    let dead = house.restart().await;
    let transcript = house.assistant.transcript(&session.id).await.unwrap();
    assert_eq!(transcript.approvals[0].state, ApprovalState::Expired);
    assert!(matches!(house.assistant.answer(approval.id, true, None).await, Err(Error::NotWaiting(_))));
    let states: Vec<_> = house.steps(&session.id).await.into_iter().map(|step| step.state).collect();
    assert_eq!(states, [ToolState::Cancelled]);
    house.assistant.prompt(&session.id, "Go on", vec![]).await.unwrap();
    house.ended().await;
    let last = script.requests().pop().unwrap();
    let roles: Vec<_> = last["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "user"], "the orphan call got a result");
    dead.close().await;
}

/// Providers of thinking models refuse a call whose thoughts do not come back with it.
#[tokio::test]
async fn the_thoughts_behind_a_call_go_back_with_it() {
    let mut house = House::new(&[("soup.md", SOUP)]).await;
    let script = Script::start(vec![
        Say::Thought("骨头 should be in a note.", vec![("search", json!({"query": "bones"}))]),
        Say::Text("Bones [1]."),
        Say::Text("For hours."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "bones?", vec![]).await.unwrap();
    house.ended().await;
    house.restart().await;
    house.assistant.prompt(&session.id, "how long?", vec![]).await.unwrap();
    house.ended().await;
    let requests = script.requests();
    assert_eq!(requests.len(), 3);
    for (round, request) in requests.iter().enumerate().skip(1) {
        let messages = request["messages"].as_array().unwrap();
        let calling = messages.iter().find(|message| message.get("tool_calls").is_some()).unwrap();
        assert_eq!(calling["reasoning_content"], "骨头 should be in a note.", "round {round}: {request}");
        assert_eq!(calling["content"], "", "thoughts are not what was said");
    }
    assert_eq!(answers(&house, &session.id).await.len(), 2, "thoughts are no answer");
}

#[tokio::test]
async fn people_hear_that_a_busy_model_is_asked_again() {
    let house = House::new(&[]).await;
    let script = Script::start(vec![Say::Busy, Say::Text("Now.")]).await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "Are you there?", vec![]).await.unwrap();
    let retry = house.wait(|event| match event {
        Event::Retrying { session_id, attempt, wait_ms, .. } => Some((session_id, attempt, wait_ms)),
        _ => None,
    });
    assert_eq!(retry.await, (session.id.clone(), 1, 1));
    house.ended().await;
    assert_eq!(answers(&house, &session.id).await, [("Now.".into(), vec![], false)]);
}

/// However a turn goes, its session can be used again.
#[tokio::test]
async fn a_turn_that_breaks_off_frees_its_session() {
    let house = House::new(&[("soup.md", SOUP)]).await;
    house.use_model(PANICS);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "bones?", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(notices(&house, &session.id).await, ["turnFailed"]);
    let script = Script::start(vec![Say::Text("Bones.")]).await;
    house.use_model(&script.base_url);
    house.assistant.prompt(&session.id, "and now?", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(answers(&house, &session.id).await[0].0, "Bones.");
}

/// A host drops a call when its client goes away.
#[tokio::test]
async fn a_turn_that_nobody_came_to_start_frees_its_session() {
    let house = House::new(&[("soup.md", SOUP)]).await;
    let session = house.session(Level::L2, false).await;
    tokio::select! {
        biased;
        () = house.wait(|event| matches!(event, Event::TurnStarted { .. }).then_some(())) => {}
        started = house.assistant.prompt(&session.id, "bones?", vec![]) => panic!("too quick: {started:?}"),
    }
    house.ended().await;
    assert_eq!(house.assistant.session(&session.id).await.unwrap().running, None);
    house.assistant.prompt(&session.id, "bones?", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(answers(&house, &session.id).await[0].1, ["Soup"]);
}

#[tokio::test]
async fn approvals_wait_for_the_user() {
    let house = House::new(&[]).await;
    let outside = house.folder.path().join("far.md");
    write(&outside, "far away");
    let read = || ("read", json!({"path": outside}));
    let script =
        Script::start(vec![Say::Calls("", vec![read()]), Say::Calls("", vec![read()]), Say::Text("Done.")])
            .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L3, true).await;
    house.assistant.prompt(&session.id, "Look far", vec![]).await.unwrap();
    for allow in [true, false] {
        let waiting = house
            .wait(|event| match event {
                Event::Approval { approval } if approval.state == ApprovalState::Waiting => Some(approval),
                _ => None,
            })
            .await;
        assert_eq!(waiting.card.question, "outsideRead");
        assert_eq!(house.steps(&session.id).await.last().unwrap().state, ToolState::Asked);
        house.assistant.answer(waiting.id, allow, None).await.unwrap();
        assert!(house.assistant.answer(waiting.id, allow, None).await.is_err(), "once is enough");
    }
    house.ended().await;
    let steps = house.steps(&session.id).await;
    assert_eq!((steps[0].state, steps[1].state), (ToolState::Done, ToolState::Denied));
    assert!(steps[0].result.contains("far away") && steps[1].result.contains("deniedByUser"), "{steps:?}");
    let states: Vec<_> = house
        .assistant
        .transcript(&session.id)
        .await
        .unwrap()
        .approvals
        .into_iter()
        .map(|approval| approval.state)
        .collect();
    assert_eq!(states, [ApprovalState::Allowed, ApprovalState::Denied]);
}

/// What the user was asked about is what is read: not what somebody put in its place meanwhile.
#[cfg(unix)]
#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "plays another program, which puts a link in the place of a file"
)]
async fn a_file_that_became_a_link_while_its_question_stood_is_not_read() {
    let rules = "ask: ['read(path:a.md)']\n";
    let files = [("a.md", "harmless\n"), ("b.md", "keep out\n"), (".orange/permissions.yaml", rules)];
    let house = House::new(&files).await;
    let read = ("read", json!({"path": "a.md"}));
    let script = Script::start(vec![Say::Calls("", vec![read]), Say::Text("Done.")]).await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L4, true).await;
    house.assistant.prompt(&session.id, "Read it", vec![]).await.unwrap();
    let waiting = house
        .wait(|event| match event {
            Event::Approval { approval } if approval.state == ApprovalState::Waiting => Some(approval),
            _ => None,
        })
        .await;
    // A link takes the file's place.
    let aside = house.root().join("link.tmp");
    std::os::unix::fs::symlink("b.md", &aside).unwrap();
    std::fs::rename(&aside, house.root().join("a.md")).unwrap();
    house.assistant.answer(waiting.id, true, None).await.unwrap();
    house.ended().await;
    let steps = house.steps(&session.id).await;
    assert!(steps[0].result.contains("leads elsewhere"), "{steps:?}");
    assert!(!steps[0].result.contains("keep out"), "{steps:?}");
}

#[tokio::test]
async fn a_session_works_in_knowledge_bases_that_there_are() {
    let house = House::new(&[]).await;
    let session = house.session(Level::L2, false).await;
    let kb_ids = Some(vec![house.kb, KbId(4711)]);
    let configuration = Configuration { kb_ids, ..Configuration::default() };
    let error = house.assistant.configure_session(&session.id, configuration).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::NotFound, "noKnowledgeBase"));
    assert!(error.to_string().contains("4711"), "{error}");
    assert_eq!(house.assistant.session(&session.id).await.unwrap().kb_ids, [house.kb]);
}

#[tokio::test]
async fn a_lowered_level_counts_at_once() {
    let house = House::new(&[("a.md", "one\n")]).await;
    let outside = house.folder.path().join("far.md");
    write(&outside, "far away");
    let script = Script::start(vec![
        Say::Calls(
            "",
            vec![
                ("read", json!({"path": outside})),
                ("write", json!({"kind": "file", "targetPath": "b.md", "content": "x"})),
            ],
        ),
        Say::Text("I may not."),
    ])
    .await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L3, true).await;
    house.assistant.prompt(&session.id, "Do things", vec![]).await.unwrap();
    house
        .wait(|event| match event {
            Event::Approval { approval } if approval.state == ApprovalState::Waiting => Some(()),
            _ => None,
        })
        .await;
    let lower = Configuration { plan: Some(true), ..Configuration::default() };
    house.assistant.configure_session(&session.id, lower).await.unwrap();
    house.ended().await;
    let steps = house.steps(&session.id).await;
    assert_eq!((steps[0].state, steps[1].state), (ToolState::Denied, ToolState::Denied), "{steps:?}");
    let approvals = house.assistant.transcript(&session.id).await.unwrap().approvals;
    assert_eq!(approvals[0].state, ApprovalState::ClosedByLevel);
    let last = script.requests().pop().unwrap();
    assert!(last["messages"][0]["content"].as_str().unwrap().contains("Plan is on"), "it is told anew");
    assert!(last["tools"].as_array().unwrap().iter().all(|tool| tool["function"]["name"] != "write"));
}

#[tokio::test]
async fn text_that_looks_like_a_call_is_text() {
    let house = House::new(&[("a.md", "one\n")]).await;
    let text = "<tool_call>{\"name\":\"write\",\"arguments\":{\"kind\":\"file\",\"targetPath\":\"b.md\",\"content\":\"x\"}}</tool_call>";
    let script = Script::start(vec![Say::Text(text)]).await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L4, true).await;
    house.assistant.prompt(&session.id, "Write", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(answers(&house, &session.id).await[0].0, text);
    assert!(house.steps(&session.id).await.is_empty());
    assert!(!house.root().join("b.md").exists());
}

#[tokio::test]
async fn rounds_have_an_end() {
    let house = House::new(&[]).await;
    let script = Script::start((0..40).map(|_| Say::Calls("", vec![("list", json!({}))])).collect()).await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "Loop", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(notices(&house, &session.id).await, ["roundLimit"]);
    assert_eq!(script.left(), 10);
}

#[tokio::test]
async fn a_missing_model_is_said_and_not_replaced() {
    let house = House::new(&[]).await;
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "Hello", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(notices(&house, &session.id).await, ["modelMissing"]);
    assert!(answers(&house, &session.id).await.is_empty());
}

#[tokio::test]
async fn without_a_model_passages_answer() {
    let house = House::new(&[
        ("soup.md", SOUP),
        ("茶/龙井.md", "# 龙井\n\n## 水温\n\n龙井茶要用八十度的水冲泡，\n不可用沸水。参见[2]。\n"),
    ])
    .await;
    let session = house.session(Level::L1, false).await;
    for (question, title, quote) in [
        ("How long do the bones simmer?", "Soup", "> Bones, simmered for hours."),
        ("龙井茶用多少度的水？", "龙井", "> 龙井茶要用八十度的水冲泡，\n> 不可用沸水。参见\\[2]。"),
    ] {
        house.assistant.prompt(&session.id, question, vec![]).await.unwrap();
        let mut streamed = String::new();
        house
            .wait(|event| match event {
                Event::Text { delta, .. } => {
                    streamed.push_str(&delta);
                    None
                }
                Event::TurnEnded { .. } => Some(()),
                _ => None,
            })
            .await;
        let (text, cited, interrupted) = answers(&house, &session.id).await.pop().unwrap();
        assert_eq!(streamed, text, "it streams like a model");
        assert!(!interrupted);
        assert!(text.contains(quote) && text.contains("[1]"), "{text}");
        assert_eq!(cited[0], title, "{text}");
    }
    let tools: Vec<_> = house.steps(&session.id).await.into_iter().map(|step| step.tool).collect();
    assert_eq!(tools, ["search", "read", "search", "read"]);
    assert_eq!(notices(&house, &session.id).await, ["offlineNoModel", "offlineNoModel"]);

    house.assistant.prompt(&session.id, "zxqwv", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(notices(&house, &session.id).await[2..], ["offlineNoModel", "offlineNothingFound"]);
}

#[tokio::test]
async fn without_a_model_a_mention_narrows_the_search() {
    let house =
        House::new(&[("a.md", "# A\n\nthe heron nests\n"), ("b.md", "# B\n\nthe heron flies\n")]).await;
    let session = house.session(Level::L2, false).await;
    let mention = FilePlace { kb_id: house.kb, path: KbPath::parse("b.md").unwrap() };
    house.assistant.prompt(&session.id, "heron", vec![mention]).await.unwrap();
    house.ended().await;
    assert_eq!(answers(&house, &session.id).await[0].1, ["B"]);
}

#[tokio::test]
async fn sessions_are_renamed_removed_and_keep_their_name() {
    let house = House::new(&[]).await;
    let session = house.session(Level::L2, false).await;
    house.assistant.rename_session(&session.id, "  Mine ").await.unwrap();
    house.assistant.prompt(&session.id, "Something else", vec![]).await.unwrap();
    house.ended().await;
    assert_eq!(house.assistant.sessions().await.unwrap()[0].title, "Mine");
    assert!(house.assistant.rename_session(&session.id, " ").await.is_err());
    house.assistant.remove_session(&session.id).await.unwrap();
    assert!(matches!(house.assistant.transcript(&session.id).await, Err(Error::NoSession(_))));
    assert_eq!(house.assistant.sessions().await.unwrap(), []);
}

#[tokio::test]
async fn removing_a_session_ends_its_turn() {
    let house = House::new(&[]).await;
    let script = Script::start(vec![Say::Hang("I go on and on")]).await;
    house.use_model(&script.base_url);
    let session = house.session(Level::L2, true).await;
    house.assistant.prompt(&session.id, "Talk", vec![]).await.unwrap();
    house.wait(|event| matches!(event, Event::Text { .. }).then_some(())).await;
    house.assistant.remove_session(&session.id).await.unwrap();
    assert_eq!(house.assistant.sessions().await.unwrap(), []);
}
