//! One tool call from outside a turn.

use orangery_agent::CommandCall;

use crate::error::Result;
use crate::request::{CallTool, ToolCalled};
use crate::rooms::Rooms;

pub(crate) async fn call(rooms: &Rooms, request: CallTool) -> Result<ToolCalled> {
    let CallTool { tool, input, kb_ids, level, plan, approve, session_id, passing } = request;
    let call = CommandCall { tool, input, kb_ids, level, plan, approve, session_id, passing };
    let result = rooms.assistant.call_tool(call).await?;
    Ok(ToolCalled {
        output: result.output,
        session_id: result.session_id,
        asked: result.asked,
        denied: result.denied,
        refused: result.refused,
        misused: result.misused,
    })
}
