//! Tool calls out of fragments.
//!
//! The protocols give each fragment the index of its call, the first one an id and a name, and the
//! arguments as pieces of a string, or the call as a whole. Servers leave out the index, the id or both, repeat the name, give
//! every call the same index, or send the arguments whole or as an object. What belongs together is
//! told here by whatever is there.

use std::collections::HashSet;

use serde_json::Value;

use crate::{ChatMessage, ToolCall};

#[derive(Debug)]
pub(crate) struct Calls {
    open: Vec<Open>,
    /// Ids of the conversation so far, which a new call must not bear.
    taken: HashSet<String>,
}

#[derive(Debug, Default)]
struct Open {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    signature: Option<String>,
}

impl Open {
    /// Whether the arguments are a whole object, so that nothing more can belong to them.
    fn is_complete(&self) -> bool {
        serde_json::from_str::<Value>(&self.arguments).is_ok()
    }
}

/// What one fragment says; what it leaves out is empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fragment<'a> {
    pub index: Option<u64>,
    pub id: &'a str,
    pub name: &'a str,
    /// A piece of the JSON as a string, or the whole as an object.
    pub arguments: &'a Value,
    /// See [`ToolCall::signature`].
    pub signature: Option<&'a str>,
}

impl Calls {
    pub(crate) fn new(messages: &[ChatMessage]) -> Self {
        let taken = messages
            .iter()
            .flat_map(|message| match message {
                ChatMessage::Assistant { calls, .. } => calls.as_slice(),
                ChatMessage::User { .. } | ChatMessage::Tool { .. } | ChatMessage::Pictures { .. } => &[],
            })
            .map(|call| call.id.clone())
            .collect();
        Self { open: Vec::new(), taken }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Adds a fragment to the call that it belongs to.
    pub(crate) fn add(&mut self, fragment: Fragment<'_>) {
        let at = match self.place(&fragment) {
            Some(at) => at,
            None => {
                self.open.push(Open { index: fragment.index, ..Open::default() });
                self.open.len() - 1
            }
        };
        let open = &mut self.open[at];
        if open.id.is_empty() {
            open.id = fragment.id.into();
        }
        if open.name.is_empty() {
            open.name = fragment.name.into();
        }
        if open.signature.is_none() {
            open.signature = fragment.signature.map(Into::into);
        }
        match fragment.arguments {
            Value::Null => {}
            Value::String(piece) => open.arguments.push_str(piece),
            whole => open.arguments = whole.to_string(),
        }
    }

    /// The call that a fragment goes on with.
    fn place(&self, fragment: &Fragment<'_>) -> Option<usize> {
        let by_id = || {
            let known = |open: &Open| !fragment.id.is_empty() && open.id == fragment.id;
            self.open.iter().rposition(known)
        };
        let Some(index) = fragment.index else {
            // Without a name it can only go on with the last call.
            let last = self.open.len().checked_sub(1)?;
            return by_id().or_else(|| {
                let open = &self.open[last];
                let own_id = !fragment.id.is_empty() && !open.id.is_empty();
                let repeated =
                    fragment.name == open.name && !open.arguments.is_empty() && !open.is_complete();
                (!own_id && (fragment.name.is_empty() || repeated)).then_some(last)
            });
        };
        let at = self.open.iter().rposition(|open| open.index == Some(index))?;
        let open = &self.open[at];
        // Some servers give every call the index 0, others a new id to every fragment.
        let other_id = !fragment.id.is_empty() && !open.id.is_empty() && fragment.id != open.id;
        let begins = !fragment.name.is_empty() && (fragment.name != open.name || open.is_complete());
        let another = begins && (other_id || (fragment.id.is_empty() && open.is_complete()));
        if another { by_id() } else { Some(at) }
    }

    /// The calls, complete, in the order in which they began.
    pub(crate) fn finish(&mut self) -> Vec<ToolCall> {
        let open = std::mem::take(&mut self.open);
        self.taken.extend(open.iter().map(|call| call.id.clone()));
        let mut number = 0;
        open.into_iter()
            .map(|call| {
                let id = if call.id.is_empty() { self.fresh(&mut number) } else { call.id };
                let arguments = match call.arguments.trim() {
                    "" => "{}".into(),
                    _ => call.arguments,
                };
                ToolCall { id, name: call.name, arguments, signature: call.signature }
            })
            .collect()
    }

    fn fresh(&self, number: &mut u64) -> String {
        loop {
            *number += 1;
            let id = format!("call_{number}");
            if !self.taken.contains(&id) {
                return id;
            }
        }
    }
}
