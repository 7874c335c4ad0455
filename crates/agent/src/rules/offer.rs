//! The rules that "always allow" offers: the narrowest that answer a question, and the next wider ones.

use std::path::Path;

use orangery_domain::{RuleOffer, RuleReach, Session};

use super::file::WITHIN;
use super::{Rules, Trust};
use crate::assistant::AssistantConfig;
use crate::gate::{Action, CommandLine, Decision, decide};
use crate::shell::Word;

/// What could be written so that `action` is not asked for again, in this folder. Each is tried on the
/// gate first: where rules do not answer, nothing is offered.
pub(crate) fn offers(
    house: &AssistantConfig,
    session: &Session,
    rules: &Rules,
    action: &Action,
) -> Vec<RuleOffer> {
    let Action::Exec(command) = action else { return vec![] };
    let file = super::user_file(house).display().to_string();
    let folder = within(house, session, &command.folder);
    let mut offers: Vec<RuleOffer> = Vec::new();
    for reach in [RuleReach::Exact, RuleReach::AnyArguments] {
        let Some(lines) = lines(command, rules, action, folder, reach) else { continue };
        let mut tried = rules.clone();
        tried.add(&file, &format!("allow:\n{}\n", lines.join("\n")), Trust::User);
        let answers = decide(session.level, session.plan, action, &tried) == Decision::Allow;
        if answers && offers.iter().all(|offer| offer.lines != lines) {
            offers.push(RuleOffer { reach, file: file.clone(), lines });
        }
    }
    offers
}

/// The selected knowledge base that the command runs in, else its folder.
fn within<'a>(house: &AssistantConfig, session: &Session, folder: &'a Path) -> &'a Path {
    let roots = session.kb_ids.iter().filter_map(|id| house.library.root(*id).ok());
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let roots: Vec<_> = roots.map(|root| real(root.path())).collect();
    folder.ancestors().find(|above| roots.iter().any(|root| real(above) == *root)).unwrap_or(folder)
}

/// One line for each command that no rule allows yet; `None` where one cannot be written down.
fn lines(
    command: &CommandLine,
    rules: &Rules,
    action: &Action,
    folder: &Path,
    reach: RuleReach,
) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    let folder = serde_json::to_string(folder.to_str()?).ok()?;
    for simple in &command.commands {
        if simple.wraps || rules.allows_command(action, &simple.words) {
            continue;
        }
        let condition = condition(&simple.words, reach)?;
        let rule = format!("exec({condition}{WITHIN}{}", folder.strip_prefix('"')?);
        let line = format!("  - '{}'", rule.replace('\'', "''"));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    Some(lines)
}

/// A rule separates words by spaces and knows no quotation marks: what does not fit is not offered.
fn condition(words: &[Word], reach: RuleReach) -> Option<String> {
    let words: Vec<&str> = words.iter().map(Option::as_deref).collect::<Option<_>>()?;
    // What is written to and which variables are set is not widened: with any file it would be all files.
    let program = words.first()?;
    let effect = program.starts_with('>') || program.contains('=');
    match reach {
        reach if effect || reach == RuleReach::Exact => {
            let text = words.join(" ");
            // Read back as a pattern, a path or a prefix it would mean something else.
            let other = text.ends_with(":*")
                || text.starts_with('/') && text.ends_with('/')
                || ["path:", "domain:"].iter().any(|start| text.starts_with(start));
            (words.iter().copied().all(plain) && !other).then_some(text)
        }
        _ => {
            let (program, rest) = words.split_first()?;
            // `git status` and anything behind it, but not all of git; `ls -l` is any ls.
            let verb =
                rest.first().filter(|word| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
            let verb = verb.filter(|word| !word.starts_with('-'));
            let text = verb.map_or((*program).to_owned(), |verb| format!("{program} {verb}"));
            plain(program).then(|| format!("{text}:*"))
        }
    }
}

fn plain(word: &str) -> bool {
    !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c.is_control())
}
