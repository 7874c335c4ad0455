//! Which variables a command sees.

use std::ffi::{OsStr, OsString};

/// The variables of the app without what looks like a secret, and a few more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    added: Vec<(OsString, OsString)>,
}

/// Nothing asks, nothing pages, nothing draws: there is nobody at a terminal.
const QUIET: [(&str, &str); 9] = [
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // Set and empty keeps Git from the window that other variables name.
    ("GIT_ASKPASS", ""),
    ("GCM_INTERACTIVE", "never"),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("DEBIAN_FRONTEND", "noninteractive"),
];

/// Words that make a name secret wherever they stand in it, also within a word.
const ANYWHERE: [&str; 8] =
    ["SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "TOKEN", "APIKEY", "PRIVATEKEY"];

/// Words that make a name secret when they are one of its words.
const AS_WORD: [&str; 10] =
    ["KEY", "KEYS", "PASS", "CREDS", "AUTH", "COOKIE", "COOKIES", "JWT", "BEARER", "SIGNATURE"];

/// Names that the words above would hit and that hold none: a socket, and a switch of a library.
const HARMLESS: [&str; 2] = ["SSH_AUTH_SOCK", "TOKENIZERS_PARALLELISM"];

/// What a shell would read as a profile, or take functions from.
const PROFILES: [&str; 3] = ["BASH_ENV", "ENV", "PROMPT_COMMAND"];

impl Environment {
    /// Adds a variable, whatever its name is.
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.added.push((name.into(), value.into()));
        self
    }

    /// What a command sees if the app sees `inherited`.
    pub(crate) fn resolve(
        &self,
        inherited: impl Iterator<Item = (OsString, OsString)>,
    ) -> Vec<(OsString, OsString)> {
        let mut variables: Vec<_> = inherited.filter(|(name, value)| is_passed_on(name, value)).collect();
        let quiet = QUIET.map(|(name, value)| (name.into(), value.into()));
        for (name, value) in quiet.into_iter().chain(self.added.iter().cloned()) {
            variables.retain(|(other, _)| !same_name(other, &name));
            variables.push((name, value));
        }
        variables
    }
}

/// Whether a command, or the watchdog, may see this variable of the app.
pub(crate) fn is_passed_on(name: &OsStr, value: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let is_profile = PROFILES.contains(&&*name) || name.starts_with("BASH_FUNC_");
    !is_profile && !is_secret_name(&name) && !is_address_with_password(&value.to_string_lossy())
}

fn same_name(one: &OsStr, other: &OsStr) -> bool {
    if cfg!(windows) { one.eq_ignore_ascii_case(other) } else { one == other }
}

fn is_secret_name(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    if HARMLESS.contains(&&*upper) {
        return false;
    }
    let words = words(name);
    // The working directory is PWD; a password is MYSQL_PWD.
    let is_password = words.len() > 1 && words.last().is_some_and(|word| word == "PWD");
    is_password
        || ANYWHERE.iter().any(|word| words.concat().contains(word))
        || words.iter().any(|word| AS_WORD.contains(&&**word) || word.ends_with("KEY"))
}

/// `openaiApiKey` and `OPENAI_API_KEY` are the same three words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        let begins = !character.is_alphanumeric() || (was_lower && character.is_uppercase());
        if begins {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(character.to_ascii_uppercase());
        }
        was_lower = character.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// `postgres://me:secret@host/`.
fn is_address_with_password(value: &str) -> bool {
    value.split_once("://").is_some_and(|(_, rest)| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        authority
            .rsplit_once('@')
            .is_some_and(|(user, _)| user.split_once(':').is_some_and(|(_, password)| !password.is_empty()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_like_secrets() {
        let secret = [
            "OPENAI_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ACCESS_KEY_ID",
            "AWS_SESSION_TOKEN",
            "AZURE_CLIENT_SECRET",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "GITHUB_TOKEN",
            "GH_TOKEN",
            "HF_TOKEN",
            "NPM_TOKEN",
            "NODE_AUTH_TOKEN",
            "npm_config__authToken",
            "DB_PASSWORD",
            "DB_PASS",
            "MYSQL_PWD",
            "PGPASSWORD",
            "RESTIC_PASSWORD_FILE",
            "GPG_PASSPHRASE",
            "SSHPASS_PASSWORD",
            "VAULT_ADDR_TOKEN",
            "openaiApiKey",
            "MY_APIKEY",
            "OPENAIKEY",
            "SIGNING_PRIVATE_KEY",
            "SECRETS",
            "TOKENS",
            "SESSION_COOKIE",
            "KUBE_BEARER",
            "JWT",
            "CREDS",
            "DOCKER_AUTH_CONFIG",
            "PIP_AUTH",
        ];
        let plain = [
            "PATH",
            "HOME",
            "PWD",
            "OLDPWD",
            "LANG",
            "LC_ALL",
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "XAUTHORITY",
            "SSH_AUTH_SOCK",
            "SSH_AGENT_PID",
            "DBUS_SESSION_BUS_ADDRESS",
            "XDG_RUNTIME_DIR",
            "KEYBOARD_LAYOUT",
            "KEYTIMEOUT",
            "XKB_DEFAULT_LAYOUT",
            "COMPASS_HOME",
            "AUTHOR",
            "GIT_AUTHOR_NAME",
            "TOKENIZERS_PARALLELISM",
            "SystemRoot",
            "PSModulePath",
            "CARGO_HOME",
            "GOPATH",
            "PASSENGER_ROOT",
        ];
        let wrong: Vec<_> = secret.iter().filter(|name| !is_secret_name(name)).collect();
        assert!(wrong.is_empty(), "passed on: {wrong:?}");
        let wrong: Vec<_> = plain.iter().filter(|name| is_secret_name(name)).collect();
        assert!(wrong.is_empty(), "taken away: {wrong:?}");
    }

    #[test]
    fn addresses_that_carry_a_password() {
        for (value, expected) in [
            ("postgres://me:secret@db.example.org/notes", true),
            ("http://me:secret@proxy.example.org:3128", true),
            ("amqp://guest:guest@localhost", true),
            ("http://proxy.example.org:3128", false),
            ("https://me@example.org/", false),
            ("https://example.org/a:b@c", false),
            ("unix:path=/run/user/1000/bus", false),
        ] {
            assert_eq!(is_address_with_password(value), expected, "{value}");
        }
    }

    #[test]
    fn no_secret_no_profile_and_what_was_added() {
        let inherited = [
            ("PATH", "/bin"),
            ("TERM", "xterm"),
            ("API_KEY", "s"),
            ("BASH_ENV", "/home/me/.env"),
            ("BASH_FUNC_ls%%", "() { rm; }"),
        ]
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let environment = Environment::default().with("PATH", "/usr/bin").with("LENT_KEY", "meant");
        let seen = environment.resolve(inherited.into_iter());
        let value = |name: &str| -> Vec<_> {
            seen.iter().filter(|(other, _)| other == name).map(|(_, value)| value.to_str().unwrap()).collect()
        };
        assert_eq!(value("PATH"), ["/usr/bin"]);
        assert_eq!(value("TERM"), ["dumb"]);
        assert_eq!(value("LENT_KEY"), ["meant"]);
        for name in ["API_KEY", "BASH_ENV", "BASH_FUNC_ls%%"] {
            assert!(value(name).is_empty(), "{name}");
        }
    }
}
