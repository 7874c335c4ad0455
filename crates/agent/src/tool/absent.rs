//! Capabilities that the gate knows and this build lacks. A call of one is judged first: what the level
//! denies is denied for that reason, and only what it would permit is said to be unavailable.

use serde_json::Value;

use crate::gate::{Action, Address, BrowserStep, TaskStep};

/// What a call of a capability that is not built would do; `None` for everything else.
pub(crate) fn absent(tool: &str, arguments: &str) -> Option<Action> {
    let input: Value = serde_json::from_str(arguments).unwrap_or_default();
    let text = |field: &str| input.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let action = match tool {
        "read" if input.get("skillId").is_some() => Action::ReadSkill { skill: text("skillId") },
        "browser" => Action::Browser(BrowserStep {
            operation: text("operation"),
            address: input.get("url").map(|_| address(&text("url"))),
            facts: vec![],
        }),
        "desktop" => Action::Desktop { operation: text("operation") },
        "task" => Action::Task(task(&text("operation"), &input)),
        _ => {
            let (server, tool) = tool.strip_prefix("mcp__")?.split_once("__")?;
            Action::Mcp { server: server.into(), tool: tool.into() }
        }
    };
    Some(action)
}

fn task(operation: &str, input: &Value) -> TaskStep {
    // Roles of the user's own may write: only the two built-in readers are known to be harmless.
    let read_only = |role: Option<&str>| matches!(role, Some("explore" | "researcher"));
    let text = |value: &Value, field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    let worktree = |value: &Value| value.get("worktree").is_some_and(|flag| *flag != Value::Bool(false));
    match operation {
        "run" if worktree(input) => TaskStep::Worktree,
        "run" => {
            let role = text(input, "agent");
            TaskStep::Run { read_only: read_only(role.as_deref()), role: role.unwrap_or_default() }
        }
        "team" => {
            let members = input.get("members").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            if members.iter().any(worktree) {
                return TaskStep::Worktree;
            }
            TaskStep::Team {
                read_only: members.iter().all(|member| read_only(text(member, "role").as_deref())),
            }
        }
        "worktree" => TaskStep::Worktree,
        "hook" => TaskStep::Hook { command: text(input, "command").unwrap_or_default() },
        _ => TaskStep::Note { operation: operation.into() },
    }
}

fn address(text: &str) -> Address {
    let host =
        url::Url::parse(text).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    Address { url: text.into(), host }
}
