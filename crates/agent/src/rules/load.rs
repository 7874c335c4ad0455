//! Finding the rules that apply to a session.

use std::path::PathBuf;

use orangery_domain::{ErrorKind, KbId, KbPath, Session, Warning};
use orangery_store::files;

use super::{Broken, Rules, Trust};
use crate::assistant::{Assistant, AssistantConfig};
use crate::{Error, Result};

const FILE: &str = "permissions.yaml";

impl Assistant {
    /// Rule files that cannot be understood, of the user and of these knowledge bases (empty: of all), for
    /// whoever wonders why so much is asked and denied.
    pub async fn broken_rules(&self, kb_ids: &[KbId]) -> Result<Vec<Warning>> {
        let house = &self.0.house;
        let kb_ids = match kb_ids {
            [] => house.library.knowledge_bases().into_iter().map(|kb| kb.id).collect(),
            kb_ids => kb_ids.to_vec(),
        };
        let rules = of(house, kb_ids).await?;
        let warning =
            |broken: &Broken| Warning::new("rulesBroken", format!("{}: {}", broken.file, broken.problem()));
        Ok(rules.broken().iter().map(warning).collect())
    }
}

/// The user's rules and those of every selected knowledge base, as they are on disk now.
pub(crate) async fn of_session(house: &AssistantConfig, session: &Session) -> Result<Rules> {
    of(house, session.kb_ids.clone()).await
}

/// Where the user's own rules are.
pub(crate) fn user_file(house: &AssistantConfig) -> PathBuf {
    house.home.join(FILE)
}

async fn of(house: &AssistantConfig, kb_ids: Vec<KbId>) -> Result<Rules> {
    let user = user_file(house);
    let library = house.library.clone();
    let load = move || {
        let mut rules = Rules::default();
        add(&mut rules, &user.display().to_string(), files::read(&user), Trust::User);
        for kb in kb_ids {
            let Ok(root) = library.root(kb) else {
                // Offline: nothing in it can be reached, so nothing in it needs a rule.
                continue;
            };
            let name = root.path().join(".orange").join(FILE).display().to_string();
            let bytes = KbPath::parse(&format!(".orange/{FILE}"))
                .map_err(|error| orangery_store::Error::NotFound(error.to_string()))
                .and_then(|path| root.resolve(&path))
                .and_then(|checked| checked.read());
            let bytes = match bytes {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                other => other.map(Some),
            };
            add(&mut rules, &name, bytes, Trust::KnowledgeBase);
        }
        rules
    };
    tokio::task::spawn_blocking(load).await.map_err(|error| Error::Task(error.to_string()))
}

fn add(rules: &mut Rules, name: &str, bytes: Result<Option<Vec<u8>>, orangery_store::Error>, trust: Trust) {
    let broken = |message: String| Broken { file: name.into(), line: None, message };
    match bytes.map(|bytes| bytes.map(String::from_utf8)) {
        Ok(None) => {}
        Ok(Some(Ok(text))) => rules.add(name, &text, trust),
        Ok(Some(Err(_))) => rules.add_broken(broken("is not UTF-8".into())),
        Err(error) => rules.add_broken(broken(error.to_string())),
    }
}
