//! "Always allow": the rule is shown, written and obeyed, and offered only where a rule can answer.

use orangery_domain::{Approval, ApprovalState, Event, Level, RuleReach, ToolState};
use serde_json::{Value, json};

use crate::script::{Say, Script};
use crate::support::{House, write};

fn waiting(event: Event) -> Option<Approval> {
    match event {
        Event::Approval { approval } if approval.state == ApprovalState::Waiting => Some(approval),
        _ => None,
    }
}

/// The card of a call at L3, and the house in which it waits.
async fn asked(house: &House, script: &Script, level: Level) -> (orangery_domain::SessionId, Approval) {
    house.use_model(&script.base_url);
    let session = house.session(level, true).await;
    house.assistant.prompt(&session.id, "Do it.", vec![]).await.unwrap();
    (session.id, house.wait(waiting).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_for_good_writes_the_line_that_was_shown_and_is_not_asked_again() {
    let house = House::new(&[]).await;
    let file = house.folder.path().join("home/permissions.yaml");
    write(&file, "# mine\ndeny:\n  - exec(rm:*) # never\n");
    let run = |line: &str| Say::Calls("", vec![("exec", json!({ "command": line }))]);
    let script = Script::start(vec![
        run("echo one && echo it"),
        run("echo one && echo it"),
        run("echo two"),
        Say::Text("Done."),
    ])
    .await;
    let (session, approval) = asked(&house, &script, Level::L3).await;
    let offers = &approval.card.rules;
    assert_eq!(
        offers.iter().map(|offer| offer.reach).collect::<Vec<_>>(),
        [RuleReach::Exact, RuleReach::AnyArguments]
    );
    let root = std::fs::canonicalize(house.root()).unwrap();
    let root = serde_json::to_string(&root).unwrap();
    let shown = [format!("  - 'exec(echo one) in {root}'"), format!("  - 'exec(echo it) in {root}'")];
    assert_eq!(offers[0].lines, shown);
    assert_eq!(offers[0].file, file.display().to_string());
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 3, "shown, not written");

    house.assistant.answer(approval.id, true, Some(RuleReach::Exact)).await.unwrap();
    // The second call is not asked for; the third is another command.
    let third = house.wait(waiting).await;
    assert_eq!(third.card.facts[0].value, "echo two");
    let written = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        written,
        format!("# mine\ndeny:\n  - exec(rm:*) # never\nallow:\n{}\n{}\n", shown[0], shown[1])
    );
    house.assistant.answer(third.id, false, None).await.unwrap();
    house.ended().await;
    let states: Vec<ToolState> = house.steps(&session).await.iter().map(|step| step.state).collect();
    assert_eq!(states, [ToolState::Done, ToolState::Done, ToolState::Denied]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_added_to_stays_and_so_does_the_question() {
    let house = House::new(&[]).await;
    let file = house.folder.path().join("home/permissions.yaml");
    write(&file, "allow: [exec(ls)]\n");
    let call = json!({ "command": "echo one" });
    let script = Script::start(vec![Say::Calls("", vec![("exec", call)]), Say::Text("Done.")]).await;
    let (session, approval) = asked(&house, &script, Level::L3).await;
    let refused = house.assistant.answer(approval.id, true, Some(RuleReach::Exact)).await.unwrap_err();
    assert_eq!(refused.code(), "rulesNotWritten");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "allow: [exec(ls)]\n");
    house.assistant.answer(approval.id, true, None).await.unwrap();
    house.ended().await;
    assert_eq!(house.steps(&session).await[0].state, ToolState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_offered_where_rules_do_not_answer() {
    let calls: [(Level, &str, Value); 5] = [
        (Level::L3, "exec", json!({ "command": "cat .env" })),
        (Level::L3, "exec", json!({ "command": "$RUN now" })),
        (Level::L3, "exec", json!({ "open": "https://a.example" })),
        (Level::L3, "read", json!({ "path": "/etc/hostname" })),
        (Level::L2, "read", json!({ "path": ".env" })),
    ];
    for (level, tool, input) in calls {
        let house = House::new(&[(".env", "KEY=1\n")]).await;
        let script = Script::start(vec![Say::Calls("", vec![(tool, input.clone())]), Say::Text("No.")]).await;
        let (_, approval) = asked(&house, &script, level).await;
        assert_eq!(approval.card.rules, [], "{input}");
        let refused = house.assistant.answer(approval.id, true, Some(RuleReach::Exact)).await;
        assert_eq!(refused.unwrap_err().code(), "noRuleOffered");
        house.assistant.answer(approval.id, false, None).await.unwrap();
        house.ended().await;
    }
    // A rule that asks is not outweighed by one that allows.
    let house = House::new(&[]).await;
    write(&house.folder.path().join("home/permissions.yaml"), "ask: ['exec(echo:*)']\n");
    let call = json!({ "command": "echo one" });
    let script = Script::start(vec![Say::Calls("", vec![("exec", call)]), Say::Text("No.")]).await;
    let (_, approval) = asked(&house, &script, Level::L3).await;
    assert_eq!(approval.card.rules, []);
}
