//! `tool`: one call through the gate, exactly as the assistant would make it.

use std::pin::Pin;

use orangery_api::domain::{ApprovalCard, SessionId};
use orangery_api::json;
use orangery_api::request::{CallTool, SessionRef, ToolCalled};

use crate::Result;
use crate::args::Tool;
use crate::call::{Caller, usage};
use crate::knowledge_base;
use crate::out::{Exit, Out};

pub async fn run(
    caller: &Caller,
    tool: Tool,
    mut interrupt: Pin<&mut impl Future<Output = ()>>,
    out: Out,
) -> Result {
    let input = json::parse(tool.input.as_bytes()).map_err(|error| usage(format!("the input: {error}")))?;
    let mut kb_ids = Vec::new();
    for path in &tool.kb {
        tokio::select! {
            kb = knowledge_base::ready(caller, path) => kb_ids.push(kb?.id),
            () = &mut interrupt => return Ok(Exit::Interrupted),
        }
    }
    let passing = tool.session.is_none();
    // Named here, so that the call can be stopped in whatever process it runs.
    let session_id = SessionId(tool.session.unwrap_or_else(own_session));
    let request = CallTool {
        tool: tool.name,
        input,
        kb_ids,
        level: tool.level,
        plan: tool.plan,
        approve: tool.approve,
        session_id: Some(session_id.clone()),
        passing,
    };
    let mut calling = std::pin::pin!(caller.call::<ToolCalled>("tool.call", request));
    let called = tokio::select! {
        called = &mut calling => called?,
        () = &mut interrupt => {
            let stop = async {
                caller.call::<()>("agent.stop", SessionRef { session_id }).await?;
                calling.await.map(drop)
            };
            tokio::select! {
                stopped = stop => stopped?,
                // Asked twice, it does not wait for the end.
                () = crate::interrupted() => {}
            }
            return Ok(Exit::Interrupted);
        }
    };
    let (text, exit) = match &called {
        ToolCalled { denied: Some(reason), .. } => (reason.clone(), Exit::Denied),
        ToolCalled { misused: Some(reason), .. } => (reason.clone(), Exit::Usage),
        ToolCalled { refused: Some(reason), .. } => (reason.clone(), Exit::Failed),
        ToolCalled { asked: Some(card), .. } => (self::card(card), Exit::Asked),
        _ => (String::new(), Exit::Done),
    };
    out.value(&called, |out| {
        // A command that failed has said something all the same.
        if exit == Exit::Done || called.output.get("outcome").is_some() {
            // What the model would read, and nothing else.
            match &called.output {
                serde_json::Value::String(text) => out.line(text),
                output => out.line(output),
            }
        }
    });
    if exit != Exit::Done {
        out.note(text);
    }
    Ok(exit)
}

/// A name that no other call of this machine has.
fn own_session() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("command-{}-{}", std::process::id(), since.as_nanos())
}

/// An approval card as text.
pub fn card(card: &ApprovalCard) -> String {
    let mut text = format!("{}: {}", card.tool, question(&card.question));
    for fact in &card.facts {
        text.push_str(&format!("\n  {}: {}", fact.label, fact.value));
    }
    text
}

/// Why it is asked, by its code.
fn question(code: &str) -> &str {
    match code {
        "outsideRead" => "it reads outside your knowledge bases",
        "sensitiveFile" => "it reads a file that may hold secrets",
        "command" => "it runs a command",
        "commandUnread" => "it runs a command of which cannot be told beforehand what it runs",
        "openPath" => "it opens a file with another program",
        "openUrl" => "it opens an address with another program",
        "web" => "it reads from the web",
        "browser" => "it acts in the browser",
        "mcp" => "it uses a tool of another server",
        "desktop" => "it acts on your desktop",
        "worktree" => "it makes or ends a work tree",
        "hook" => "it changes what runs by itself",
        "askedByRule" => "a rule of yours wants it asked",
        code => code,
    }
}
