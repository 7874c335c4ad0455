//! `AGENTS.md` of the selected knowledge bases: how their user wants work done there.
//!
//! They steer what the assistant writes, and nothing else: levels, Plan and rules do not read them, and a
//! change of one waits for the user at every level.

use orangery_domain::text::decode;
use orangery_domain::{ErrorKind, KbPath, KnowledgeBase, Session};
use orangery_store::root::Root;

use crate::assistant::AssistantConfig;
use crate::{Error, Result};

const FILE: &str = "AGENTS.md";
/// Characters of one file that the model reads.
const LONGEST: usize = 16_384;
/// Bytes; what is larger was not written to be read before every request.
const LARGEST: u64 = 1 << 20;

/// What one knowledge base says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Instructions {
    /// The name of the knowledge base.
    pub of: String,
    /// At most [`LONGEST`] characters.
    pub text: String,
    /// Characters that did not fit.
    pub cut: usize,
    /// Why it could not be read.
    pub trouble: Option<String>,
}

/// Of the session's knowledge bases, in its order, as they are on disk now.
pub(crate) async fn of_session(
    house: &AssistantConfig,
    session: &Session,
    registered: &[KnowledgeBase],
) -> Result<Vec<Instructions>> {
    let selected: Vec<_> = session
        .kb_ids
        .iter()
        .filter_map(|id| registered.iter().find(|kb| kb.id == *id))
        .map(|kb| (kb.id, kb.name.clone()))
        .collect();
    let library = house.library.clone();
    let load = move || {
        let read = |(kb, name): (_, String)| {
            // Offline: nothing can be done there either.
            let root = library.root(kb).ok()?;
            match bytes(&root) {
                Ok(bytes) => Some(match decode(&bytes, None, &[]) {
                    Ok(decoded) => Instructions::of(name, &decoded.text),
                    Err(error) => Instructions::unreadable(name, error.to_string()),
                }),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) => Some(Instructions::unreadable(name, error.to_string())),
            }
        };
        selected.into_iter().filter_map(read).filter(|one| !one.is_empty()).collect()
    };
    tokio::task::spawn_blocking(load).await.map_err(|error| Error::Task(error.to_string()))
}

fn bytes(root: &Root) -> orangery_store::Result<Vec<u8>> {
    let path = KbPath::parse(FILE).map_err(|error| orangery_store::Error::NotFound(error.to_string()))?;
    let checked = root.resolve(&path)?;
    let size = checked.metadata()?.size;
    if size > LARGEST {
        return Err(orangery_store::Error::TooLarge { path: FILE.into(), size, limit: LARGEST });
    }
    checked.read()
}

impl Instructions {
    fn unreadable(of: String, trouble: String) -> Self {
        Self { of, text: String::new(), cut: 0, trouble: Some(trouble) }
    }

    fn of(name: String, text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim();
        let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(end, _)| end);
        let (kept, cut) = text.split_at(end);
        Self { of: name, text: kept.to_owned(), cut: cut.chars().count(), trouble: None }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.trouble.is_none()
    }

    /// As the model reads it, with where it comes from and what is missing.
    pub fn told(&self) -> String {
        if let Some(trouble) = &self.trouble {
            return format!("\n## AGENTS.md of {:?}\n(It could not be read: {trouble})\n", self.of);
        }
        let cut = match self.cut {
            0 => String::new(),
            cut => format!(
                "(Cut here: {cut} more characters were left out, because only the first {LONGEST} are read.)\n"
            ),
        };
        format!("\n## AGENTS.md of {:?}\n{}\n{cut}(End of AGENTS.md of {:?}.)\n", self.of, self.text, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_between_characters_and_said() {
        let short = Instructions::of("家".into(), "\u{feff}# Tone\n\nBrief.\n");
        assert_eq!(
            short.told(),
            "\n## AGENTS.md of \"家\"\n# Tone\n\nBrief.\n(End of AGENTS.md of \"家\".)\n"
        );
        let long = Instructions::of("家".into(), &"笔".repeat(LONGEST + 5));
        assert_eq!((long.text.chars().count(), long.cut), (LONGEST, 5));
        assert!(long.told().contains("5 more characters were left out"));
    }
}
