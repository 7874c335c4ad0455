//! Files that hold secrets: never indexed, and asked for at every level.

use orangery_domain::{FileKind, KbPath};

/// Whether the file at `path` holds secrets by its name or by a folder above it. A note called after one
/// (`id_rsa.txt`) is most likely a copy.
pub fn is_sensitive(path: &KbPath) -> bool {
    let in_folder = || {
        path.parent().is_some_and(|parent| {
            parent.components().any(|folder| FOLDERS.contains(&folder.to_lowercase().as_str()))
        })
    };
    is_called_sensitive(path.name()) || in_folder()
}

/// The same by the name alone, where the folders above are none that keep secrets.
pub fn is_called_sensitive(name: &str) -> bool {
    let name = name.to_lowercase();
    let copied = match name.rsplit_once('.') {
        Some((stem, _)) if FileKind::of_name(&name).is_note() => {
            !WORDS.contains(&stem) && keeps_secrets(stem)
        }
        _ => false,
    };
    keeps_secrets(&name) || copied
}

/// By its name in lower case alone.
fn keeps_secrets(name: &str) -> bool {
    FOLDERS.contains(&name)
        || NAMES.contains(&name)
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || name.starts_with(".env")
        || name.strip_prefix("id_").is_some_and(|key| KEYS.contains(&key))
        || (name.starts_with('.') && name.ends_with("_history"))
}

/// Whether a text is itself a private key, whatever its file is called.
pub fn is_private_key(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    first.starts_with("-----BEGIN ") && first.contains("PRIVATE KEY")
        || first.starts_with("PuTTY-User-Key-File-")
}

const FOLDERS: &[&str] = &[".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store"];
const NAMES: &[&str] = &[
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".git-credentials",
    ".htpasswd",
    "credentials",
    "credentials.json",
    "secrets.yaml",
    "secrets.yml",
    "secrets.json",
    "logins.json",
    "key4.db",
    ".dockercfg",
    "htpasswd",
    "shadow",
    "master.key",
    "fish_history",
    "consolehost_history.txt",
];
/// Names that are also words, of which people write notes.
const WORDS: &[&str] = &["credentials", "shadow", "htpasswd", "fish_history"];
const ENDINGS: &[&str] = &[
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".ppk",
    ".jks",
    ".keystore",
    ".kdbx",
    ".kdb",
    ".gpg",
    ".asc.key",
    ".ovpn",
];
const KEYS: &[&str] = &["rsa", "dsa", "ecdsa", "ed25519", "ecdsa_sk", "ed25519_sk"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_name_and_content() {
        for (path, expected) in [
            ("a/server.PEM", true),
            (".env", true),
            ("x/.env.local", true),
            (".envrc", true),
            ("x/.env-prod", true),
            (".ENV_local", true),
            (".env2.md", true),
            ("env.md", false),
            ("x.env.md", false),
            ("id_ed25519", true),
            ("id_ed25519.pub", false),
            (".ssh/config", true),
            ("notes/.bash_history", true),
            ("environment.md", false),
            ("keys.md", false),
            ("credentials.md", false),
            ("id_rsa.txt", true),
            ("Server.PEM.md", true),
            ("a/secrets.yaml.txt", true),
            (".netrc.txt", true),
            ("shadow.txt", false),
            ("id_rsa.pub.txt", false),
            ("pem.md", false),
        ] {
            assert_eq!(is_sensitive(&KbPath::parse(path).unwrap()), expected, "{path}");
        }
        assert!(is_private_key("\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc"));
        assert!(!is_private_key("-----BEGIN CERTIFICATE-----\nabc"));
    }
}
