//! What is learned from refusals.

use orangery_domain::Protocol;

use crate::request::shows_pictures;
use crate::{ChatRequest, Endpoint, openai};

/// What a server was found not to take, learned from its refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fallback {
    /// Do not ask for token counts.
    pub plain_stream: bool,
    /// Stand in for the thoughts behind calls where there are none: the conversation began with another
    /// model.
    pub thoughts: bool,
    /// Say what pictures are of instead of sending them: the model cannot see after all.
    pub blind: bool,
    /// The most tokens that an answer may have here.
    pub answer_tokens: Option<u64>,
}

impl Fallback {
    /// Whether a refusal taught something new, so that asking once more makes sense.
    pub(crate) fn learn(
        &mut self,
        status: u16,
        body: &[u8],
        endpoint: &Endpoint,
        request: &ChatRequest,
    ) -> bool {
        if status != 400 && status != 422 {
            return false;
        }
        let body = String::from_utf8_lossy(body);
        let before = *self;
        match endpoint.protocol {
            Protocol::OpenAi => {
                if body.contains("stream_options") {
                    self.plain_stream = true;
                } else if body.contains("reasoning_content") && openai::lacks_thoughts(&request.messages) {
                    self.thoughts = true;
                }
            }
            Protocol::Anthropic => {
                if let Some(most) = most_tokens(&body) {
                    // A limit that does not fall would be asked for without end.
                    self.answer_tokens = Some(self.answer_tokens.map_or(most, |before| before.min(most)));
                }
            }
            Protocol::Gemini => {
                if body.contains("thought_signature") || body.contains("thoughtSignature") {
                    self.thoughts = true;
                }
            }
        }
        if *self == before && body.contains("image") && shows_pictures(&request.messages) {
            self.blind = true;
        }
        *self != before
    }
}

/// The limit in `max_tokens: 32000 > 8192, which is the maximum …`.
fn most_tokens(body: &str) -> Option<u64> {
    let (_, limit) = body.split_once("max_tokens:")?.1.split_once('>')?;
    let digits = limit.trim_start().split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok().filter(|most| *most > 0)
}
