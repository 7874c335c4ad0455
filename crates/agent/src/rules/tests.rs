use orangery_domain::{FileKind, FilePlace, KbId, KbPath, Level};

use super::*;
use crate::gate::{Address, CommandLine, Decision, Fetch, Reach, Target, decide};
use crate::shell::Reading;

fn read(path: &str) -> Action {
    let place = FilePlace { kb_id: KbId(1), path: KbPath::parse(path).unwrap() };
    Action::Read(vec![Target {
        reach: Reach::Selected(place),
        kind: FileKind::Markdown,
        paths: vec![path.into(), format!("/home/me/kb/{path}")],
        size: None,
    }])
}

/// Absent: a line of which nobody can tell what it runs.
fn exec(commands: Option<&[&str]>) -> Action {
    let line = commands.map_or("$RUN".into(), |commands| commands.join(" && "));
    let reading = Reading::of_bash(&line);
    Action::Exec(CommandLine {
        line,
        folder: "/".into(),
        commands: reading.commands,
        unread: reading.unread,
        sensitive: false,
        timeout: None,
        background: false,
        confined: None,
    })
}

fn url(host: &str) -> Action {
    let address = Address { url: format!("https://{host}/page"), host: host.into() };
    Action::ReadUrl(Fetch { address, headers: vec![] })
}

fn rules(text: &str) -> Rules {
    let mut rules = Rules::default();
    rules.add("permissions.yaml", text, Trust::User);
    rules
}

/// `yaml` against `action` at L3, where most things are asked.
fn check(yaml: &str, action: &Action, expected: &str) {
    let got = match decide(Level::L3, false, action, &rules(yaml)) {
        Decision::Allow => "allow",
        Decision::Ask(_) => "ask",
        Decision::Deny(_) => "deny",
    };
    assert_eq!(got, expected, "{yaml} against {action:?}");
}

#[test]
fn paths_are_globs_over_every_spelling_and_folders_stand_for_their_content() {
    let private = read("work/private/a.md");
    for rule in [
        "read(path:work/private/**)",
        "read(path:work/private)",
        "read(path:work/private/)",
        "read(path:/home/me/kb/w*/*)",
        "read(path:**/a.md)",
        "read(/private/)",
        "'*'",
        "read",
    ] {
        check(&format!("deny: [{rule}]"), &private, "deny");
        check(&format!("ask: [{rule}]"), &private, "ask");
    }
    for rule in ["read(path:work/priv)", "read(path:private)", "edit(path:work/**)", "read(path:other/**)"] {
        check(&format!("deny: ['{rule}']"), &private, "allow");
    }
    check("deny: ['read(path:cafe\u{301}/*)']", &read("café/a.md"), "deny");
    // Whole components: `work` is not `work-hack`.
    check("deny: ['read(path:work)']", &read("work-hack/a.md"), "allow");
}

#[test]
fn domains_include_their_subdomains_and_nothing_else() {
    for rule in ["web(domain:docs.rs)", "read(domain:docs.rs)", "web(domain:Docs.RS.)", "web"] {
        check(&format!("allow: ['{rule}']"), &url("docs.rs"), "allow");
        check(&format!("allow: ['{rule}']"), &url("a.docs.rs"), "allow");
    }
    for host in ["evildocs.rs", "docs.rs.evil.example", "rs"] {
        check("allow: ['web(domain:docs.rs)']", &url(host), "ask");
    }
    // `read` alone speaks of files: as a permission it opens no web page, as a prohibition it does.
    check("allow: [read]", &url("docs.rs"), "ask");
    check("deny: [read]", &url("docs.rs"), "deny");
    check("deny: ['web(domain:bücher.example)']", &url("xn--bcher-kva.example"), "deny");
}

#[test]
fn commands_match_by_whole_words_and_every_part_counts() {
    let test = "allow: ['exec(cargo test:*)']";
    check(test, &exec(Some(&["cargo test"])), "allow");
    check(test, &exec(Some(&["/usr/bin/cargo test --all"])), "allow");
    check(test, &exec(Some(&["cargo testevil"])), "ask");
    check(test, &exec(Some(&["cargo"])), "ask");
    check(test, &exec(Some(&["cargo test", "rm -rf x"])), "ask");
    check(test, &exec(Some(&[""])), "ask");
    check("allow: ['exec(git status)']", &exec(Some(&["git status --short"])), "ask");
    check("deny: ['exec(rm:*)']\nallow: [exec]", &exec(Some(&["cargo test", "rm -rf x"])), "deny");
    // Known only at run time: no permission covers it, and with prohibitions about it is asked.
    check(test, &exec(None), "ask");
    check("allow: [exec]", &exec(None), "ask");
    // A word that is known at run time alone: the prohibition holds where it cannot escape it.
    for (rule, expected) in
        [("rm:*", "deny"), ("rm", "ask"), ("rm -f:*", "ask"), ("cp:*", "allow"), ("/-rf/", "ask")]
    {
        let rule = format!("allow: [exec]\ndeny: ['exec({rule})']");
        check(&rule, &exec(Some(&["rm $WHAT"])), expected);
    }
    check("allow: ['exec(rm:*)']", &exec(Some(&["rm $WHAT"])), "ask");
    check("allow: [exec]", &exec(Some(&["rm $WHAT"])), "allow");
    check("allow: ['exec(rm:*)']\nask: ['exec(rm -rf:*)']", &exec(Some(&["rm $WHAT"])), "ask");
}

#[test]
fn deny_beats_ask_beats_allow() {
    check("allow: [web]\nask: ['web(domain:docs.rs)']", &url("docs.rs"), "ask");
    check("allow: [web]\nask: ['*']\ndeny: ['web(domain:docs.rs)']", &url("docs.rs"), "deny");
    check("allow_all: true", &url("docs.rs"), "allow");
    check("allow_all: false", &url("docs.rs"), "ask");
}

#[test]
fn mcp_tools_are_named_alone_or_all_together() {
    let call = Action::Mcp { server: "notes".into(), tool: "add".into() };
    check("allow: [mcp]", &call, "allow");
    check("allow: [mcp__notes__add]", &call, "allow");
    check("allow: [mcp__notes__remove]", &call, "ask");
}

#[test]
fn what_comes_with_a_knowledge_base_never_allows() {
    let mut rules = Rules::default();
    rules.add(
        "kb",
        "allow_all: true\nallow: [web]\nask: [list]\ndeny: ['read(path:secret)']",
        Trust::KnowledgeBase,
    );
    assert_eq!(rules.attitude(&url("docs.rs")), Attitude::Silent);
    assert!(matches!(rules.attitude(&Action::List(vec![])), Attitude::Ask(_)));
    assert!(matches!(rules.attitude(&read("secret/a.md")), Attitude::Deny(_)));
    assert!(rules.hides("search", &["secret/a.md"]));
    assert!(!rules.hides("list", &["secret/a.md"]));
}

#[test]
fn a_file_that_cannot_be_understood_counts_against_the_assistant() {
    for (text, line) in [
        ("allow: [\n", None),
        ("allow:\n  - web\ndeny:\n  - exce(rm:*)\n", Some(4)),
        ("deny:\n- read(path:a\n", Some(2)),
        ("denied: [read]\n", Some(1)),
        ("deny: read\n", Some(1)),
        ("deny: ['read(/(/)']", Some(1)),
        ("deny: ['read(docs)']", Some(1)),
        ("deny: ['*(path:a)']", Some(1)),
        ("deny: ['exec(path:a)']", Some(1)),
    ] {
        let rules = rules(text);
        let [broken] = rules.broken() else { panic!("{text} passes for sound") };
        if line.is_some() {
            assert_eq!(broken.line, line, "{text}: {broken:?}");
        }
        assert!(matches!(rules.attitude(&url("docs.rs")), Attitude::Deny(_)), "{text}");
        assert!(matches!(rules.attitude(&exec(Some(&["ls"]))), Attitude::Deny(_)), "{text}");
        assert!(matches!(rules.attitude(&read("a.md")), Attitude::Ask(_)), "{text}");
    }
    for text in ["", "# nothing yet\n", "allow:\n", "\u{feff}deny: []\n"] {
        assert_eq!(rules(text).broken(), [], "{text:?}");
    }
}

fn exec_in(folder: &str, line: &str) -> Action {
    let Action::Exec(mut command) = exec(Some(&[line])) else { panic!() };
    command.folder = folder.into();
    Action::Exec(command)
}

#[test]
fn a_rule_may_hold_in_one_folder_and_below_it() {
    let within = r#"allow: ['exec(cargo test) in "/home/me/kb (old)"']"#;
    check(within, &exec_in("/home/me/kb (old)", "cargo test"), "allow");
    check(within, &exec_in("/home/me/kb (old)/deep", "cargo test"), "allow");
    check(within, &exec_in("/home/me/kb (old) not", "cargo test"), "ask");
    check(within, &exec_in("/home/me", "cargo test"), "ask");
    check(within, &exec_in("/home/me/kb (old)", "cargo test --all"), "ask");
    check(r#"deny: ['exec(rm:*) in "/kb"']"#, &exec_in("/kb", "rm -r x"), "deny");
    check(r#"deny: ['exec(rm:*) in "/kb"']"#, &exec_in("/other", "rm -r x"), "ask");
    for broken in [r#"exec(ls) in "kb""#, r#"read(path:a) in "/kb""#, r#"exec(ls) in "/kb"#] {
        check(&format!("allow: ['{broken}']"), &exec_in("/kb", "ls"), "deny");
    }
}

#[test]
fn a_program_that_is_allowed_by_its_path_is_no_namesake() {
    check("allow: [exec(./run.sh)]", &exec(Some(&["./run.sh"])), "allow");
    check("allow: [exec(./run.sh)]", &exec(Some(&["deep/run.sh"])), "ask");
    check("deny: [exec(/bin/rm:*)]", &exec(Some(&["rm -r x"])), "deny");
}
