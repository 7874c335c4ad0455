//! Which files keep secrets, and which steer assistants. Both are judged by name alone, on every
//! spelling of a path, so that a link with a harmless name does not hide them.

/// Folders whose whole content is sensitive.
const FOLDERS: &[&str] =
    &[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", "keyrings"];

/// Names of files that keep credentials or what was typed.
const NAMES: &[&str] = &[
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".bash_history",
    ".zsh_history",
    ".sh_history",
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
    ".sqlite_history",
    ".lesshst",
    "fish_history",
    "consolehost_history.txt",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "login.keychain-db",
    "logins.json",
    "key4.db",
];

const EXTENSIONS: &[&str] = &["pem", "key", "p12", "pfx", "ppk", "jks", "keystore", "kdbx", "gpg", "asc"];

/// Private keys, credential stores, shell histories and the like. Asked for at every level.
pub fn is_sensitive(path: &str) -> bool {
    let mut name = "";
    for part in path.split(['/', '\\']).filter(|part| !part.is_empty()) {
        if matches_any(part, FOLDERS) {
            return true;
        }
        name = part;
    }
    let lower = name.to_lowercase();
    matches_any(name, NAMES)
        || lower == ".env"
        || lower.starts_with(".env.")
        || lower.rsplit_once('.').is_some_and(|(_, extension)| matches_any(extension, EXTENSIONS))
}

/// What tells assistants how to behave: anything below an `.orange` folder, and `AGENTS.md`.
pub fn is_instruction(path: &str) -> bool {
    let mut parts = path.split(['/', '\\']).filter(|part| !part.is_empty()).peekable();
    while let Some(part) = parts.next() {
        if part.eq_ignore_ascii_case(".orange")
            || (parts.peek().is_none() && part.eq_ignore_ascii_case("agents.md"))
        {
            return true;
        }
    }
    false
}

fn matches_any(name: &str, list: &[&str]) -> bool {
    list.iter().any(|entry| name.eq_ignore_ascii_case(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_name() {
        for path in [
            "a/.env",
            ".env.local",
            ".ENV",
            "home/.ssh/config",
            "x/ID_RSA",
            "cert.PEM",
            "deep/.aws/x/y",
            ".netrc",
            "C:\\Users\\me\\.ssh\\known_hosts",
            "vault.kdbx",
            "/root/.bash_history",
        ] {
            assert!(is_sensitive(path), "{path}");
        }
        for path in [
            "environment.md",
            ".envelope",
            "keys.md",
            "notes/ssh.md",
            "key",
            "",
            "monkey.txt",
            "aws/notes.md",
        ] {
            assert!(!is_sensitive(path), "{path}");
        }
    }

    #[test]
    fn instructions_are_known_by_place() {
        for path in [".orange/memory.md", "a/.Orange/skills/x", "AGENTS.md", "sub/agents.MD", ".orange"] {
            assert!(is_instruction(path), "{path}");
        }
        for path in ["orange/a.md", "AGENTS.md/a.md", "my-agents.md", ".orange.md"] {
            assert!(!is_instruction(path), "{path}");
        }
    }
}
