//! The whole truth table of the gate, written by hand from the product's description and compared cell
//! by cell. A change here is a change of what the assistant may do: review it as such.

use std::path::PathBuf;

use orangery_domain::{FileKind, FilePlace, KbId, KbPath, Level};

use super::*;

fn target(reach: fn(FilePlace) -> Reach, path: &str) -> Target {
    let place = FilePlace { kb_id: KbId(1), path: KbPath::parse(path).expect("path") };
    Target {
        reach: reach(place),
        kind: FileKind::of_name(path),
        paths: vec![path.into(), format!("/kb/{path}")],
        size: Some(12),
    }
}

fn selected(path: &str) -> Target {
    target(Reach::Selected, path)
}

fn unselected(path: &str) -> Target {
    target(Reach::Unselected, path)
}

fn outside(path: &str) -> Target {
    Target {
        reach: Reach::Outside(PathBuf::from(path)),
        kind: FileKind::of_name(path),
        paths: vec![path.into()],
        size: None,
    }
}

fn browser(operation: &str) -> Action {
    Action::Browser(BrowserStep { operation: operation.into(), address: Some(address()), facts: vec![] })
}

fn address() -> Address {
    Address { url: "https://example.org/a".into(), host: "example.org".into() }
}

fn command(sensitive: bool) -> Action {
    line("cargo test", sensitive)
}

fn line(text: &str, sensitive: bool) -> Action {
    let reading = crate::shell::Reading::of_bash(text);
    Action::Exec(CommandLine {
        line: text.into(),
        folder: "/kb".into(),
        commands: reading.commands,
        unread: reading.unread,
        sensitive,
        timeout: Some(std::time::Duration::from_secs(120)),
        background: false,
        confined: None,
    })
}

fn run(read_only: bool) -> Action {
    Action::Task(TaskStep::Run { role: "role".into(), read_only })
}

fn note(operation: &str) -> Action {
    Action::Task(TaskStep::Note { operation: operation.into() })
}

fn rows() -> Vec<(&'static str, Action)> {
    vec![
        ("search selected", Action::Search(vec![selected("")])),
        ("search unselected kb", Action::Search(vec![unselected("")])),
        ("search outside", Action::Search(vec![outside("/other")])),
        ("search sensitive folder", Action::Search(vec![selected(".ssh")])),
        ("list selected", Action::List(vec![selected("notes")])),
        ("list unselected kb", Action::List(vec![unselected("notes")])),
        ("list outside", Action::List(vec![outside("/other")])),
        ("read selected", Action::Read(vec![selected("a.md")])),
        ("read .orange", Action::Read(vec![selected(".orange/memory.md")])),
        ("read skill", Action::ReadSkill { skill: "note-research".into() }),
        ("read unselected kb", Action::Read(vec![unselected("a.md")])),
        ("read outside", Action::Read(vec![outside("/other/a.md")])),
        ("read selected + outside", Action::Read(vec![selected("a.md"), outside("/other/a.md")])),
        ("read sensitive", Action::Read(vec![selected(".env")])),
        ("read sensitive outside", Action::Read(vec![outside("/home/me/.ssh/id_rsa")])),
        ("read image selected", Action::Read(vec![selected("a.png")])),
        ("read image unselected kb", Action::Read(vec![unselected("a.png")])),
        ("read image outside", Action::Read(vec![outside("/other/a.png")])),
        ("edit selected", Action::Edit(vec![selected("a.md")])),
        ("edit sensitive", Action::Edit(vec![selected(".env.md")])),
        ("edit .orange", Action::Edit(vec![selected(".orange/memory.md")])),
        ("edit AGENTS.md", Action::Edit(vec![selected("AGENTS.md")])),
        ("edit unselected kb", Action::Edit(vec![unselected("a.md")])),
        ("edit outside", Action::Edit(vec![outside("/other/a.md")])),
        ("write selected", Action::Write(vec![selected("new.md")])),
        ("write .orange", Action::Write(vec![selected(".orange/skills/x/SKILL.md")])),
        ("write unselected kb", Action::Write(vec![unselected("new.md")])),
        ("write outside", Action::Write(vec![outside("/other/new.md")])),
        ("exec", command(false)),
        ("exec on sensitive file", command(true)),
        ("exec that hides commands", line("eval \"$LINE\"", false)),
        ("exec job output", Action::Job { id: 1, ends: false }),
        ("exec job stop", Action::Job { id: 1, ends: true }),
        ("exec open path", Action::OpenPath(selected("a.pdf"))),
        ("exec open sensitive path", Action::OpenPath(selected("key.pem"))),
        ("exec open url", Action::OpenUrl(address())),
        ("web search", Action::WebSearch { query: "q".into() }),
        ("read url", Action::ReadUrl(Fetch { address: address(), headers: vec![] })),
        ("browser.get_state", browser("browser.get_state")),
        ("page.text.snapshot", browser("page.text.snapshot")),
        ("page.elements.snapshot", browser("page.elements.snapshot")),
        ("page.wait_for", browser("page.wait_for")),
        ("browser.get_history", browser("browser.get_history")),
        ("page.screenshot", browser("page.screenshot")),
        ("tab.navigate", browser("tab.navigate")),
        ("page.element.click", browser("page.element.click")),
        ("page.evaluate", browser("page.evaluate")),
        ("mcp", Action::Mcp { server: "s".into(), tool: "t".into() }),
        ("desktop", Action::Desktop { operation: "click".into() }),
        ("task run, read-only role", run(true)),
        ("task run, writer role", run(false)),
        ("task team, read-only", Action::Task(TaskStep::Team { read_only: true })),
        ("task team, writers", Action::Task(TaskStep::Team { read_only: false })),
        ("task ask", note("ask")),
        ("task todo", note("todo")),
        ("task board", note("board")),
        ("task plan", note("plan")),
        ("task compact", note("compact")),
        ("task output", note("output")),
        ("task worktree", Action::Task(TaskStep::Worktree)),
        ("task hook", Action::Task(TaskStep::Hook { command: "true".into() })),
    ]
}

/// Four levels without Plan, then four with it. `-` denied, `ask` asked, `yes` runs or becomes a
/// pending change set, `now` is a change that is applied at once.
const TABLE: &str = "
search selected           yes yes yes yes | yes yes yes yes
search unselected kb      -   -   ask yes | -   -   -   -
search outside            -   -   ask yes | -   -   -   -
search sensitive folder   ask ask ask ask | ask ask ask ask
list selected             yes yes yes yes | yes yes yes yes
list unselected kb        -   -   ask yes | -   -   -   -
list outside              -   -   ask yes | -   -   -   -
read selected             yes yes yes yes | yes yes yes yes
read .orange              yes yes yes yes | yes yes yes yes
read skill                yes yes yes yes | yes yes yes yes
read unselected kb        -   -   ask yes | -   -   -   -
read outside              -   -   ask yes | -   -   -   -
read selected + outside   -   -   ask yes | -   -   -   -
read sensitive            ask ask ask ask | ask ask ask ask
read sensitive outside    -   -   ask ask | -   -   -   -
read image selected       yes yes yes yes | yes yes yes yes
read image unselected kb  -   -   -   -   | -   -   -   -
read image outside        -   -   -   -   | -   -   -   -
edit selected             -   yes yes now | -   -   -   -
edit sensitive            -   ask ask ask | -   -   -   -
edit .orange              -   yes yes yes | -   -   -   -
edit AGENTS.md            -   yes yes yes | -   -   -   -
edit unselected kb        -   -   -   -   | -   -   -   -
edit outside              -   -   -   -   | -   -   -   -
write selected            -   yes yes now | -   -   -   -
write .orange             -   yes yes yes | -   -   -   -
write unselected kb       -   -   -   -   | -   -   -   -
write outside             -   -   -   -   | -   -   -   -
exec                      -   -   ask yes | -   -   -   -
exec on sensitive file    -   -   ask ask | -   -   -   -
exec that hides commands  -   -   ask ask | -   -   -   -
exec job output           -   -   yes yes | -   -   -   -
exec job stop             -   -   yes yes | -   -   -   -
exec open path            -   -   ask yes | -   -   -   -
exec open sensitive path  -   -   ask ask | -   -   -   -
exec open url             -   -   ask ask | -   -   -   -
web search                -   -   ask yes | -   -   ask yes
read url                  -   -   ask yes | -   -   ask yes
browser.get_state         -   -   ask yes | -   -   ask yes
page.text.snapshot        -   -   ask yes | -   -   ask yes
page.elements.snapshot    -   -   ask yes | -   -   ask yes
page.wait_for             -   -   ask yes | -   -   ask yes
browser.get_history       -   -   ask yes | -   -   -   -
page.screenshot           -   -   ask yes | -   -   -   -
tab.navigate              -   -   ask yes | -   -   -   -
page.element.click        -   -   ask yes | -   -   -   -
page.evaluate             -   -   ask yes | -   -   -   -
mcp                       -   -   ask yes | -   -   -   -
desktop                   -   -   ask yes | -   -   -   -
task run, read-only role  yes yes yes yes | yes yes yes yes
task run, writer role     -   yes yes yes | -   -   -   -
task team, read-only      yes yes yes yes | yes yes yes yes
task team, writers        -   yes yes yes | -   -   -   -
task ask                  yes yes yes yes | yes yes yes yes
task todo                 yes yes yes yes | yes yes yes yes
task board                yes yes yes yes | yes yes yes yes
task plan                 yes yes yes yes | yes yes yes yes
task compact              yes yes yes yes | yes yes yes yes
task output               yes yes yes yes | yes yes yes yes
task worktree             -   -   ask yes | -   -   -   -
task hook                 -   -   ask ask | -   -   -   -
";

fn cell(level: Level, plan: bool, action: &Action) -> &'static str {
    let changes = matches!(action, Action::Edit(_) | Action::Write(_));
    match decide(level, plan, action, &Rules::default()) {
        Decision::Deny(_) => "-",
        Decision::Ask(_) => "ask",
        Decision::Allow if changes && landing(level, plan, action) == Landing::AtOnce => "now",
        Decision::Allow => "yes",
    }
}

#[test]
fn every_cell_is_as_written() {
    let rows = rows();
    let written: Vec<&str> = TABLE.trim().lines().collect();
    assert_eq!(written.len(), rows.len(), "one line for each kind of action");
    let mut wrong = Vec::new();
    for (line, (name, action)) in written.into_iter().zip(&rows) {
        let (written_name, cells) = line.split_at(26);
        assert_eq!(written_name.trim(), *name);
        let cells: Vec<&str> = cells.split_whitespace().filter(|cell| *cell != "|").collect();
        assert_eq!(cells.len(), 8, "{line}");
        let settings = [false, true].into_iter().flat_map(|plan| Level::ALL.map(|level| (level, plan)));
        for ((level, plan), expected) in settings.zip(cells) {
            let got = cell(level, plan, action);
            if got != expected {
                wrong.push(format!("{name} at {level}, plan {plan}: {got} instead of {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn rules(text: &str) -> Rules {
    let mut rules = Rules::default();
    rules.add("permissions.yaml", text, crate::rules::Trust::User);
    assert_eq!(rules.broken(), [], "{text}");
    rules
}

/// Plan, then a deny rule, then the level, then ask, then allow: whatever is written in the rules.
#[test]
fn the_order_of_precedence_holds_for_every_action() {
    let everything = "allow_all: true\nallow: ['*']\n";
    for (name, action) in rows() {
        for level in Level::ALL {
            for plan in [false, true] {
                let plain = decide(level, plan, &action, &Rules::default());
                let allowed = decide(level, plan, &action, &rules(everything));
                let asked = decide(level, plan, &action, &rules(&format!("{everything}ask: ['*']\n")));
                let denied = decide(level, plan, &action, &rules(&format!("{everything}deny: ['*']\n")));
                let context = format!("{name} at {level}, plan {plan}");
                match &plain {
                    Decision::Deny(reason) => {
                        assert_eq!(allowed, plain, "no rule lifts a level's refusal: {context}");
                        assert_eq!(asked, plain, "{context}");
                        let planned = matches!(
                            reason.code(),
                            "deniedByPlan" | "deniedImageOutside" | "deniedChangeOutside"
                        );
                        if plan {
                            assert!(planned, "{context}: {reason}");
                            assert_eq!(denied, plain, "Plan speaks before rules: {context}");
                        } else {
                            assert!(matches!(&denied, Decision::Deny(Reason::Rule { .. })), "{context}");
                        }
                    }
                    Decision::Ask(card) => {
                        let answerable = matches!(
                            card.question.as_str(),
                            "command" | "openPath" | "web" | "browser" | "mcp" | "desktop"
                        );
                        assert_eq!(allowed == Decision::Allow, answerable, "{context}");
                        assert!(matches!(asked, Decision::Ask(_)), "ask beats allow: {context}");
                        assert!(matches!(denied, Decision::Deny(Reason::Rule { .. })), "{context}");
                    }
                    Decision::Allow => {
                        assert_eq!(allowed, Decision::Allow, "{context}");
                        assert!(matches!(asked, Decision::Ask(_)), "{context}");
                        assert!(matches!(denied, Decision::Deny(Reason::Rule { .. })), "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_yes_counts_under_the_level_of_the_moment() {
    let none = Rules::default();
    let Verdict::Ask(card, pending) = judge(Level::L3, false, command(false), &none) else {
        panic!("a command is asked at L3");
    };
    let facts: Vec<_> = card.facts.iter().map(|fact| (fact.label.as_str(), fact.value.as_str())).collect();
    assert_eq!(
        facts,
        [("command", "cargo test"), ("cwd", "/kb"), ("confinement", "off"), ("timeout", "120")]
    );
    assert!(pending.denied_by(Level::L3, false, &none).is_none());
    assert!(pending.denied_by(Level::L2, false, &none).is_some());
    assert!(pending.clone().approved(Level::L3, true, &none).is_err(), "Plan came in between");
    assert!(pending.approved(Level::L3, false, &none).is_ok());
}
