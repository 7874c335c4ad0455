//! The gate: what a level, Plan and the rules say to an action, and the only maker of permits.
//!
//! [`decide`] is pure and is the whole policy; its truth table is the test in `gate/table.rs`. It knows
//! no tool and no disk, and it judges before anybody asks whether a thing is installed.

mod action;
mod reason;
#[cfg(test)]
mod table;

pub use action::{Action, Address, BrowserStep, CommandLine, Fetch, Reach, Target, TaskStep};
pub use reason::{Question, Reason};

use orangery_domain::{ApprovalCard, CardFact, FileKind, Level};
use orangery_process::{AllowedCommand, AllowedTarget, Command, Confinement};

use crate::rules::{Attitude, Rules};

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Allow,
    /// Only the user can say.
    Ask(ApprovalCard),
    /// No approval lifts this.
    Deny(Reason),
}

/// What becomes of a proposed change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Landing {
    /// It waits in the change set for the user.
    Pending,
    /// It is accepted and applied as soon as it is proposed.
    AtOnce,
}

/// What the level alone says.
enum Stance {
    Allow,
    Ask(Question),
    Deny(Reason),
}

/// Judges one action. Plan's refusal comes first, then a rule's, then the level's; what is left is
/// asked when level or rules want it so and no rule answers.
pub fn decide(level: Level, plan: bool, action: &Action, rules: &Rules) -> Decision {
    let planned = if plan { under_plan(level, action) } else { by_level(level, action) };
    if plan && let Stance::Deny(reason) = planned {
        return Decision::Deny(reason);
    }
    let attitude = rules.attitude(action);
    if let Attitude::Deny(reason) = attitude {
        return Decision::Deny(reason);
    }
    match (planned, attitude) {
        (Stance::Deny(reason), _) => Decision::Deny(reason),
        (Stance::Ask(question), Attitude::Ask(rule)) => Decision::Ask(card(question, action, Some(rule))),
        (Stance::Allow, Attitude::Ask(rule)) => Decision::Ask(card(Question::Rule, action, Some(rule))),
        (Stance::Ask(question), Attitude::Allow) if question.rules_may_answer() => Decision::Allow,
        (Stance::Ask(question), _) => Decision::Ask(card(question, action, None)),
        (Stance::Allow, _) => Decision::Allow,
    }
}

/// Whether a change that was allowed waits for review. What steers assistants always waits.
pub fn landing(level: Level, plan: bool, action: &Action) -> Landing {
    let steers = action.targets().iter().any(Target::instruction);
    if level == Level::L4 && !plan && !steers { Landing::AtOnce } else { Landing::Pending }
}

/// Plan makes any level read the workspace and nothing more, but for looking things up on the web.
fn under_plan(level: Level, action: &Action) -> Stance {
    let looks_outside = match action {
        Action::WebSearch { .. } | Action::ReadUrl(_) => true,
        Action::Browser(step) => matches!(
            step.operation.as_str(),
            "browser.get_state" | "page.text.snapshot" | "page.elements.snapshot" | "page.wait_for"
        ),
        _ => false,
    };
    let stance = if looks_outside && level >= Level::L3 {
        by_level(level, action)
    } else {
        by_level(Level::L1, action)
    };
    match stance {
        Stance::Deny(Reason::Level { what, .. }) => Stance::Deny(Reason::Plan { what }),
        stance => stance,
    }
}

fn by_level(level: Level, action: &Action) -> Stance {
    let full = level >= Level::L3;
    let denied = |what| Stance::Deny(Reason::Level { level, what });
    let asked_until_automatic = |what, question| match level {
        Level::L1 | Level::L2 => denied(what),
        Level::L3 => Stance::Ask(question),
        Level::L4 => Stance::Allow,
    };
    match action {
        Action::Search(targets) | Action::List(targets) => worst(targets, |target| look(level, target)),
        Action::Read(targets) => worst(targets, |target| match target.reach {
            Reach::Unselected(_) | Reach::Outside(_) if target.kind == FileKind::Image => {
                Stance::Deny(Reason::ImageOutside { path: target.shown().into() })
            }
            _ => look(level, target),
        }),
        Action::ReadSkill { .. } => Stance::Allow,
        Action::Edit(_) | Action::Write(_) if level == Level::L1 => denied("changes of files"),
        Action::Edit(targets) | Action::Write(targets) => worst(targets, |target| match target.reach {
            Reach::Selected(_) if target.sensitive() => Stance::Ask(Question::SensitiveFile),
            Reach::Selected(_) => Stance::Allow,
            Reach::Unselected(_) | Reach::Outside(_) => {
                Stance::Deny(Reason::ChangeOutside { path: target.shown().into() })
            }
        }),
        Action::Exec(command) if full && command.sensitive => Stance::Ask(Question::SensitiveFile),
        // Nobody can tell which files it names, so that it is asked wherever those are.
        Action::Exec(command) if full && command.hides_commands() => Stance::Ask(Question::CommandUnread),
        Action::Exec(_) => asked_until_automatic("commands", Question::Command),
        Action::Job { .. } if full => Stance::Allow,
        Action::Job { .. } => denied("commands"),
        Action::OpenPath(target) if full && target.sensitive() => Stance::Ask(Question::SensitiveFile),
        Action::OpenPath(_) => asked_until_automatic("opening files in other programs", Question::OpenPath),
        Action::OpenUrl(_) if full => Stance::Ask(Question::OpenUrl),
        Action::OpenUrl(_) => denied("opening addresses"),
        Action::WebSearch { .. } => asked_until_automatic("the web", Question::Web),
        Action::ReadUrl(_) => asked_until_automatic("the web", Question::Web),
        Action::Browser(_) => asked_until_automatic("the browser", Question::Browser),
        Action::Mcp { .. } => asked_until_automatic("tools of MCP servers", Question::Mcp),
        Action::Desktop { .. } => asked_until_automatic("control of the desktop", Question::Desktop),
        Action::Task(TaskStep::Run { read_only, .. } | TaskStep::Team { read_only }) => {
            if level == Level::L1 && !read_only {
                denied("sub-agents that change files")
            } else {
                Stance::Allow
            }
        }
        Action::Task(TaskStep::Note { .. }) => Stance::Allow,
        Action::Task(TaskStep::Worktree) => asked_until_automatic("work trees", Question::Worktree),
        Action::Task(TaskStep::Hook { .. }) if full => Stance::Ask(Question::Hook),
        Action::Task(TaskStep::Hook { .. }) => denied("hooks"),
    }
}

/// Reading, listing and searching one place.
fn look(level: Level, target: &Target) -> Stance {
    let inside = matches!(target.reach, Reach::Selected(_));
    match level {
        Level::L1 | Level::L2 if !inside => {
            Stance::Deny(Reason::Level { level, what: "what lies outside the selected knowledge bases" })
        }
        _ if target.sensitive() => Stance::Ask(Question::SensitiveFile),
        Level::L3 if !inside => Stance::Ask(Question::OutsideRead),
        _ => Stance::Allow,
    }
}

/// A call is as forbidden as the most forbidden thing it touches.
fn worst(targets: &[Target], judge: impl Fn(&Target) -> Stance) -> Stance {
    targets.iter().map(judge).fold(Stance::Allow, |so_far, next| match (&so_far, &next) {
        (Stance::Deny(_), _) => so_far,
        (_, Stance::Deny(_)) => next,
        // A secret weighs more than a foreign folder: its question is the one to show.
        (Stance::Ask(Question::SensitiveFile), _) => so_far,
        (_, Stance::Ask(_)) => next,
        _ => so_far,
    })
}

fn card(question: Question, action: &Action, rule: Option<String>) -> ApprovalCard {
    let mut facts = action.facts();
    facts.extend(rule.map(|value| CardFact { label: "rule".into(), value }));
    ApprovalCard { tool: action.tool().into(), question: question.code().into(), facts, rules: vec![] }
}

/// Leave to do exactly one action. Tools reach files, hosts and proposals only through it.
#[derive(Debug)]
pub struct Permit {
    action: Action,
    landing: Landing,
}

impl Permit {
    /// What is allowed.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The files and folders that may be touched, in the order in which the call named them.
    pub fn targets(&self) -> &[Target] {
        self.action.targets()
    }

    pub fn landing(&self) -> Landing {
        self.landing
    }

    /// Leave to go on to `address`, to which the page that this permit is for has moved. What denies that
    /// address denies it now; what would ask about it asked about this page, and covers the other only on the
    /// same host.
    pub fn follow(self, address: Address, level: Level, plan: bool, rules: &Rules) -> Result<Self, Detour> {
        let Action::ReadUrl(Fetch { address: from, headers }) = self.action else { return Err(Detour::Ask) };
        let bare = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
        let same_host = bare(&from.host) == bare(&address.host);
        let action = Action::ReadUrl(Fetch { address, headers });
        match decide(level, plan, &action, rules) {
            Decision::Deny(reason) => Err(Detour::Deny(reason)),
            Decision::Ask(_) if !same_host => Err(Detour::Ask),
            Decision::Allow | Decision::Ask(_) => Ok(Self { action, landing: self.landing }),
        }
    }

    /// The command that may run, as the engine takes it: exactly what was judged. `None` for what is no
    /// command; an error for one that cannot be run at all.
    #[expect(clippy::disallowed_methods, reason = "this is the decision")]
    pub fn command(&self) -> Option<Result<AllowedCommand, orangery_process::Error>> {
        let Action::Exec(line) = &self.action else { return None };
        let mut command = Command::new(&line.line, &line.folder);
        command.timeout = line.timeout;
        command.confinement = line.confined.clone().map(|writable| Confinement { writable });
        Some(AllowedCommand::check(command))
    }

    /// What may be opened in the user's own program.
    #[expect(clippy::disallowed_methods, reason = "this is the decision")]
    pub fn opening(&self) -> Option<Result<AllowedTarget, orangery_process::Error>> {
        match &self.action {
            Action::OpenPath(target) => Some(AllowedTarget::check(target.real())),
            Action::OpenUrl(address) => Some(AllowedTarget::check(&address.url)),
            _ => None,
        }
    }
}

/// Why a permit does not lead on.
#[derive(Debug)]
pub enum Detour {
    /// Only the user can say.
    Ask,
    Deny(Reason),
}

/// [`decide`], with the action handed on to whoever may use it.
#[derive(Debug)]
pub enum Verdict {
    Run(Permit),
    Ask(ApprovalCard, Pending),
    Deny(Reason),
}

/// An action whose question waits for the user.
#[derive(Debug, Clone)]
pub struct Pending {
    action: Action,
}

/// Judges `action` and, where nothing stands against it, makes the permit.
pub fn judge(level: Level, plan: bool, action: Action, rules: &Rules) -> Verdict {
    match decide(level, plan, &action, rules) {
        Decision::Allow => Verdict::Run(Permit { landing: landing(level, plan, &action), action }),
        Decision::Ask(card) => Verdict::Ask(card, Pending { action }),
        Decision::Deny(reason) => Verdict::Deny(reason),
    }
}

impl Pending {
    /// The user said yes. Level, Plan and rules may have changed while the question stood, so what
    /// they deny now stays denied.
    pub fn approved(self, level: Level, plan: bool, rules: &Rules) -> Result<Permit, Reason> {
        match decide(level, plan, &self.action, rules) {
            Decision::Deny(reason) => Err(reason),
            Decision::Allow | Decision::Ask(_) => {
                Ok(Permit { landing: landing(level, plan, &self.action), action: self.action })
            }
        }
    }

    /// What the question is about.
    pub(crate) fn action(&self) -> &Action {
        &self.action
    }

    /// Whether the question has become pointless.
    pub fn denied_by(&self, level: Level, plan: bool, rules: &Rules) -> Option<Reason> {
        match decide(level, plan, &self.action, rules) {
            Decision::Deny(reason) => Some(reason),
            Decision::Allow | Decision::Ask(_) => None,
        }
    }
}
