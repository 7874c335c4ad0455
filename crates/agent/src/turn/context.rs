//! What a model can read at once, and what of it a request takes.

use orangery_domain::{ContextUse, Event, ModelId, Tag, Warning};
use orangery_model::{ChatMessage, ChatRequest, Endpoint, estimate_request};
use orangery_store::table;

use super::{Turn, model};
use crate::{Result, picture};

/// Kept free for the answer and for what an estimate misses, at least.
const RESERVE: u64 = 16_000;
/// What a provider's count may make of an estimate, in thousandths: more is no question of tokens.
const RATIOS: std::ops::RangeInclusive<u64> = 400..=2_500;

/// Measures requests to one model in one session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gauge {
    /// Tokens that the model reads at once.
    window: u64,
    /// Tokens of its provider for 1000 estimated ones.
    ratio: u64,
    model: Option<ModelId>,
}

impl Gauge {
    pub fn new(window: u64, ratio: u64) -> Self {
        Self { window, ratio, model: None }
    }

    pub async fn of(turn: &Turn, endpoint: &Endpoint) -> Result<Self> {
        let session = turn.inner.session(&turn.session_id).await?;
        let ratio = match session.model_id {
            Some(model) => table::session::token_ratio(&turn.bench.house.db, &turn.session_id, model).await?,
            None => None,
        };
        let gauge = Self::new(u64::from(endpoint.context_tokens), ratio.unwrap_or(1_000));
        Ok(Self { model: session.model_id, ..gauge })
    }

    /// What estimated tokens are in tokens of the provider.
    pub fn corrected(&self, estimated: u64) -> u64 {
        estimated * self.ratio / 1_000
    }

    /// Beyond this, older turns are shortened. A small window keeps half of itself free, as a fixed reserve
    /// would leave nothing of it.
    pub fn limit(&self) -> u64 {
        self.window - (self.window / 5).max(RESERVE).min(self.window / 2)
    }

    /// Beyond this, a request is not sent: there would be no room for an answer.
    pub fn most(&self) -> u64 {
        self.window - self.window / 16
    }

    /// Tokens of the tail that stays whole.
    pub fn tail(&self) -> u64 {
        self.limit() / 3
    }

    /// Tokens of a checkpoint.
    pub fn checkpoint(&self) -> u64 {
        (self.limit() / 8).clamp(200, 4_000)
    }

    /// Shortening must give back at least this, or it would be done again in the next round.
    fn gain(&self) -> u64 {
        self.window / 10
    }

    /// Whether this is worth it, or must be.
    fn pays(&self, before: u64, after: u64) -> bool {
        after + self.gain() <= before || (before > self.most() && after < before)
    }

    fn tokens(&self, request: &ChatRequest) -> u64 {
        self.corrected(estimate_request(request))
    }
}

impl Turn {
    /// The request that comes next, with older turns shortened where the whole is too long; `None`, with
    /// a notice, where it stays too long.
    pub(super) async fn fitted(
        &self,
        endpoint: &Endpoint,
        said: &mut Vec<ChatMessage>,
    ) -> Result<Option<ChatRequest>> {
        picture::load(&self.bench.house.db, said).await;
        let mut request = model::request(self, endpoint, said).await?;
        let gauge = Gauge::of(self, endpoint).await?;
        let before = gauge.tokens(&request);
        if before > gauge.limit() && self.shorten(endpoint, &gauge, before).await? {
            *said = self.history().await?;
            picture::load(&self.bench.house.db, said).await;
            request = model::request(self, endpoint, said).await?;
        }
        if self.stopped() {
            return Ok(None);
        }
        let tokens = gauge.tokens(&request);
        if tokens > gauge.most() {
            let sizes = format!("{tokens} > {}", gauge.window);
            self.notice(Warning::new("contextFull", sizes)).await?;
            return Ok(None);
        }
        self.takes(ContextUse { tokens, counted: false }).await?;
        Ok(Some(request))
    }

    /// The provider did not take the request because of its length: shortens whatever can be.
    pub(super) async fn shorten_more(&self, endpoint: &Endpoint, request: &ChatRequest) -> Result<bool> {
        let mut gauge = Gauge::of(self, endpoint).await?;
        // Its window is smaller than it is set to be, or its tokens are.
        let tokens = gauge.tokens(request);
        gauge.window = gauge.window.min(tokens);
        self.shorten(endpoint, &gauge, tokens).await
    }

    async fn shorten(&self, endpoint: &Endpoint, gauge: &Gauge, before: u64) -> Result<bool> {
        let Some(cut) = self.cut(gauge.tail(), gauge).await? else { return Ok(false) };
        let after = (before + gauge.checkpoint()).saturating_sub(cut.tokens);
        if !gauge.pays(before, after) {
            return Ok(false);
        }
        self.put_checkpoint(cut, Some(endpoint), gauge, before).await
    }

    /// Takes up what the provider counted for a request and its answer.
    pub(super) async fn counted(
        &self,
        endpoint: &Endpoint,
        request: &ChatRequest,
        input: u64,
        output: u64,
    ) -> Result<()> {
        let db = &self.bench.house.db;
        table::session::add_usage(db, &self.session_id, input, output).await?;
        let estimated = estimate_request(request);
        let shows = request.messages.iter().any(|message| matches!(message, ChatMessage::Pictures { .. }));
        let ratio = (input * 1_000).checked_div(estimated).unwrap_or(0);
        // Some servers count only what their cache does not hold; pictures cost what nobody can tell.
        if RATIOS.contains(&ratio) {
            let gauge = Gauge::of(self, endpoint).await?;
            if let (Some(model), false) = (gauge.model, shows) {
                table::session::set_token_ratio(db, &self.session_id, model, ratio).await?;
            }
            self.takes(ContextUse { tokens: input + output, counted: true }).await?;
        }
        Ok(())
    }

    pub(super) async fn takes(&self, context: ContextUse) -> Result<()> {
        table::session::set_context(&self.bench.house.db, &self.session_id, context).await?;
        self.inner.emit(Event::Stale { tags: vec![Tag::Sessions] });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_or_sixteen_thousand_tokens_stay_free_and_never_more_than_half() {
        let limit = |window| Gauge::new(window, 1_000).limit();
        assert_eq!(limit(200_000), 160_000);
        assert_eq!(limit(64_000), 48_000);
        assert_eq!(limit(32_000), 16_000);
        assert_eq!(limit(8_000), 4_000);
        assert_eq!(limit(0), 0);
    }

    #[test]
    fn shortening_that_gives_back_little_is_not_done_unless_nothing_could_be_sent() {
        let gauge = Gauge::new(100_000, 1_000);
        assert!(gauge.pays(85_000, 30_000));
        assert!(!gauge.pays(85_000, 80_000));
        assert!(gauge.pays(99_000, 95_000));
        assert!(!gauge.pays(99_000, 99_000));
    }

    #[test]
    fn what_a_provider_counts_corrects_the_estimate() {
        assert_eq!(Gauge::new(8_000, 1_300).corrected(1_000), 1_300);
    }
}
