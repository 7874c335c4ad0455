//! An answer as it grows, whatever the protocol.

use std::collections::VecDeque;

use orangery_domain::Protocol;
use serde_json::Value;

use crate::calls::{Calls, Fragment};
use crate::{
    ChatRequest, Endpoint, Error, Finish, Piece, Reasoning, ReasoningForm, anthropic, gemini, openai, refusal,
};

#[derive(Debug)]
pub(crate) struct Answer {
    protocol: Protocol,
    model: String,
    calls: Calls,
    finish: Option<Finish>,
    usage: Usage,
    /// Something of the answer itself has come.
    content: bool,
    /// Any object has come.
    begun: bool,
    /// What is said and not yet taken.
    ready: VecDeque<Piece>,
}

/// Tokens, as far as the provider has told them.
#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    input: Option<u64>,
    output: Option<u64>,
}

impl Answer {
    /// Of the model at `endpoint` to `request`, whose ids of calls are taken.
    pub(crate) fn new(endpoint: &Endpoint, request: &ChatRequest) -> Self {
        Self {
            protocol: endpoint.protocol,
            model: endpoint.model.clone(),
            calls: Calls::new(&request.messages),
            finish: None,
            usage: Usage::default(),
            content: false,
            begun: false,
            ready: VecDeque::new(),
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

    /// The next piece of what came.
    pub(crate) fn take(&mut self) -> Option<Piece> {
        self.ready.pop_front()
    }

    /// Adds one object: an event, a chunk or a whole answer.
    pub(crate) fn add(&mut self, data: &str) -> Result<(), Error> {
        let value: Value = serde_json::from_str(data).map_err(|error| Error::Malformed(error.to_string()))?;
        if let Some(error) = refusal::carried(&value, &self.model) {
            return Err(error);
        }
        self.begun = true;
        match self.protocol {
            Protocol::OpenAi => openai::read(&value, self),
            Protocol::Anthropic => anthropic::read(&value, self),
            Protocol::Gemini => gemini::read(&value, self)?,
        }
        Ok(())
    }

    /// The answer is over; `done` if the server said so rather than just hung up.
    pub(crate) fn end(&mut self, done: bool) -> Result<(), Error> {
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
        self.ready.extend(self.calls.finish().into_iter().map(Piece::Call));
        let Usage { input, output } = self.usage;
        if input.is_some() || output.is_some() {
            self.ready.push_back(Piece::Usage { input: input.unwrap_or(0), output: output.unwrap_or(0) });
        }
        self.ready.push_back(Piece::End { finish });
        Ok(())
    }
}

/// What the protocols tell. Whatever text looks like, it is text.
impl Answer {
    pub(crate) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.content = true;
            self.ready.push_back(Piece::Text(text.into()));
        }
    }

    pub(crate) fn thought(&mut self, text: &str, form: ReasoningForm) {
        self.reasoning(Reasoning { text: text.into(), form, seals: Vec::new() });
    }

    pub(crate) fn reasoning(&mut self, reasoning: Reasoning) {
        if !reasoning.is_empty() {
            self.content = true;
            self.ready.push_back(Piece::Reasoning(reasoning));
        }
    }

    pub(crate) fn call(&mut self, fragment: Fragment<'_>) {
        self.content = true;
        self.calls.add(fragment);
    }

    pub(crate) fn finish(&mut self, finish: Finish) {
        self.finish = Some(finish);
    }

    /// Keeps token counts; later ones include earlier ones.
    pub(crate) fn count(&mut self, input: Option<u64>, output: Option<u64>) {
        self.usage.input = input.or(self.usage.input);
        self.usage.output = output.or(self.usage.output);
    }
}
