//! Questions to the user: asked, answered, closed. None is ever answered by time.

use orangery_domain::{
    Approval, ApprovalCard, ApprovalId, ApprovalState, Event, RuleReach, Session, SessionId, TurnId,
};
use orangery_store::now_ms;
use orangery_store::table;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::assistant::{Assistant, Inner, Waiting};
use crate::gate::{Pending, Reason};
use crate::rules;
use crate::{Error, Result};

/// How a question ended.
#[derive(Debug)]
pub(crate) enum Reply {
    Allowed,
    Denied,
    /// Level, Plan or rules deny it now.
    Closed(Reason),
    /// The turn ended first.
    Expired,
    /// Nobody is there to be asked.
    Unasked,
}

impl Assistant {
    /// The user's answer. With `rule` it is also the answer of the next times: the lines that the card
    /// showed are written into the user's rules first, and where they cannot be, the question stays.
    pub async fn answer(&self, id: ApprovalId, allow: bool, rule: Option<RuleReach>) -> Result<()> {
        if let (true, Some(reach)) = (allow, rule) {
            self.0.write_rule(id, reach).await?;
        }
        let waiting = self.0.waiting().remove(&id).ok_or(Error::NotWaiting(id))?;
        let (reply, state) = if allow {
            (Reply::Allowed, ApprovalState::Allowed)
        } else {
            (Reply::Denied, ApprovalState::Denied)
        };
        table::approval::close(&self.0.house.db, id, state, now_ms()).await?;
        // A turn that was stopped in this very moment no longer listens.
        waiting.reply.send(reply).ok();
        Ok(())
    }
}

impl Inner {
    async fn write_rule(&self, id: ApprovalId, reach: RuleReach) -> Result<()> {
        let offer = {
            let waiting = self.waiting();
            let question = waiting.get(&id).ok_or(Error::NotWaiting(id))?;
            question.rules.iter().find(|offer| offer.reach == reach).cloned()
        };
        let offer = offer.ok_or(Error::NoRuleOffered(id))?;
        let file = rules::user_file(&self.house);
        let write = tokio::task::spawn_blocking(move || rules::write(&file, &offer.lines));
        write.await.map_err(|error| Error::Task(error.to_string()))?
    }
}

/// Asks and waits for an answer, however long that takes.
pub(crate) async fn ask(
    inner: &Inner,
    session_id: &SessionId,
    turn_id: TurnId,
    call_id: &str,
    mut card: ApprovalCard,
    pending: &Pending,
    cancel: &CancellationToken,
) -> Result<Reply> {
    let db = &inner.house.db;
    let session = inner.session(session_id).await?;
    let known = rules::of_session(&inner.house, &session).await?;
    card.rules = rules::offers(&inner.house, &session, &known, pending.action());
    let offered = card.rules.clone();
    let mut approval = table::approval::insert(db, session_id, turn_id, call_id, card, now_ms()).await?;
    let (reply, answer) = oneshot::channel();
    let waiting = Waiting { session_id: session_id.clone(), pending: pending.clone(), rules: offered, reply };
    inner.waiting().insert(approval.id, waiting);
    inner.emit(Event::Approval { approval: approval.clone() });
    let reply = tokio::select! {
        answer = answer => answer.unwrap_or(Reply::Expired),
        () = cancel.cancelled() => Reply::Expired,
    };
    inner.waiting().remove(&approval.id);
    approval.state = match &reply {
        Reply::Allowed => ApprovalState::Allowed,
        Reply::Denied => ApprovalState::Denied,
        Reply::Closed(_) => ApprovalState::ClosedByLevel,
        Reply::Expired | Reply::Unasked => ApprovalState::Expired,
    };
    table::approval::close(db, approval.id, approval.state, now_ms()).await?;
    emit(inner, approval);
    Ok(reply)
}

fn emit(inner: &Inner, approval: Approval) {
    inner.emit(Event::Approval { approval });
}

/// Closes the questions of a session that its settings of now deny.
pub(crate) async fn close_denied(inner: &Inner, session: &Session) -> Result<()> {
    let rules = rules::of_session(&inner.house, session).await?;
    let mut waiting = inner.waiting();
    let denied: Vec<(ApprovalId, Reason)> = waiting
        .iter()
        .filter(|(_, question)| question.session_id == session.id)
        .filter_map(|(id, question)| {
            question.pending.denied_by(session.level, session.plan, &rules).map(|reason| (*id, reason))
        })
        .collect();
    for (id, reason) in denied {
        if let Some(question) = waiting.remove(&id) {
            question.reply.send(Reply::Closed(reason)).ok();
        }
    }
    Ok(())
}
