//! An answer out of completion objects, whole or in chunks.

use std::collections::VecDeque;

use serde_json::Value;

use super::{calls::Calls, carried};
use crate::{ChatMessage, Error, Finish, Piece, Reasoning, ReasoningForm};

#[derive(Debug)]
pub(crate) struct Answer {
    model: String,
    calls: Calls,
    finish: Option<Finish>,
    usage: Option<(u64, u64)>,
    /// Something of the answer itself has come.
    content: bool,
    /// Any object has come.
    begun: bool,
}

impl Answer {
    /// Of `model` in the conversation `messages`, whose ids of calls are taken.
    pub(crate) fn new(model: &str, messages: &[ChatMessage]) -> Self {
        Self {
            model: model.into(),
            calls: Calls::new(messages),
            finish: None,
            usage: None,
            content: false,
            begun: false,
        }
    }

    /// Whether anything came that another try would say twice.
    pub(crate) fn has_content(&self) -> bool {
        self.content
    }

    /// Whether the model has said how it finished.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Adds one object, a chunk or a whole completion.
    pub(crate) fn add(&mut self, data: &str, ready: &mut VecDeque<Piece>) -> Result<(), Error> {
        let value: Value = serde_json::from_str(data).map_err(|error| Error::Malformed(error.to_string()))?;
        if let Some(error) = carried(&value, &self.model) {
            return Err(error);
        }
        self.begun = true;
        self.count(&value["usage"]);
        let choices = value["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
        // One answer was asked for. Chunks without any carry token counts or filter results.
        let Some(choice) = choices.iter().find(|choice| choice["index"].as_u64().unwrap_or(0) == 0) else {
            return Ok(());
        };
        let said = match &choice["delta"] {
            Value::Null => &choice["message"],
            delta => delta,
        };
        self.think(said, ready);
        self.speak(&said["content"], ready);
        for call in said["tool_calls"].as_array().into_iter().flatten() {
            self.content = true;
            self.calls.add(call);
        }
        if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
            self.finish = Some(finish(reason));
        }
        self.count(&choice["usage"]);
        Ok(())
    }

    /// Thoughts beside the content. Some servers say them in both fields.
    fn think(&mut self, said: &Value, ready: &mut VecDeque<Piece>) {
        let fields = [("reasoning_content", ReasoningForm::Content), ("reasoning", ReasoningForm::Field)];
        let thought = fields.into_iter().find_map(|(field, form)| {
            said[field].as_str().filter(|text| !text.is_empty()).map(|text| (text, form))
        });
        if let Some((text, form)) = thought {
            self.push_thought(text, form, ready);
        }
    }

    /// Content: text, or a list of parts, thoughts among them. Whatever text looks like, it is text.
    fn speak(&mut self, content: &Value, ready: &mut VecDeque<Piece>) {
        if let Some(text) = content.as_str() {
            self.push_text(text, ready);
        }
        for part in content.as_array().into_iter().flatten() {
            match part["type"].as_str() {
                Some("thinking" | "reasoning") => {
                    let thought = ["thinking", "reasoning", "text"]
                        .into_iter()
                        .map(|key| flat(&part[key]))
                        .find(|text| !text.is_empty());
                    self.push_thought(&thought.unwrap_or_default(), ReasoningForm::Part, ready);
                }
                _ => self.push_text(&flat(part), ready),
            }
        }
    }

    fn push_text(&mut self, text: &str, ready: &mut VecDeque<Piece>) {
        if !text.is_empty() {
            self.content = true;
            ready.push_back(Piece::Text(text.into()));
        }
    }

    fn push_thought(&mut self, text: &str, form: ReasoningForm, ready: &mut VecDeque<Piece>) {
        if !text.is_empty() {
            self.content = true;
            ready.push_back(Piece::Reasoning(Reasoning { text: text.into(), form }));
        }
    }

    /// Keeps token counts; later ones include earlier ones.
    fn count(&mut self, usage: &Value) {
        let number = |keys: [&str; 2]| keys.into_iter().find_map(|key| usage[key].as_u64());
        let input = number(["prompt_tokens", "input_tokens"]);
        let output = number(["completion_tokens", "output_tokens"]);
        if input.is_some() || output.is_some() {
            self.usage = Some((input.unwrap_or(0), output.unwrap_or(0)));
        }
    }

    /// The answer is over; `done` if the server said so rather than just hung up.
    pub(crate) fn end(&mut self, done: bool, ready: &mut VecDeque<Piece>) -> Result<(), Error> {
        let called = !self.calls.is_empty();
        let finish = match self.finish.take() {
            // Some servers stop where they should say that they call.
            Some(Finish::Stop) if called => Finish::Calls,
            Some(finish) => finish,
            None if done && called => Finish::Calls,
            None if done && self.content => Finish::Stop,
            None if done => return Err(Error::Malformed("an empty answer".into())),
            None if self.begun => return Err(Error::BrokenOff),
            None => return Err(Error::Malformed("no events".into())),
        };
        ready.extend(self.calls.finish().into_iter().map(Piece::Call));
        if let Some((input, output)) = self.usage.take() {
            ready.push_back(Piece::Usage { input, output });
        }
        ready.push_back(Piece::End { finish });
        Ok(())
    }
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" | "end_turn" => Finish::Stop,
        "length" | "max_tokens" => Finish::Length,
        "tool_calls" | "function_call" => Finish::Calls,
        "content_filter" => Finish::Filtered,
        other => Finish::Other(other.into()),
    }
}

/// Text that may itself be a part or a list of parts.
fn flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(flat).collect(),
        Value::Object(part) => part.get("text").map(flat).unwrap_or_default(),
        _ => String::new(),
    }
}
