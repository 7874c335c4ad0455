//! Whether a command line names a file that keeps secrets.

use orangery_domain::KbPath;
use orangery_library::is_sensitive;

/// Whether any part of `text` that could be a path is that of a sensitive file: alone, after `=`, `@` or a
/// quotation mark, with a drive or a home before it.
pub(super) fn names(text: &str) -> bool {
    let belongs = |c: char| c.is_alphanumeric() || "._-~/+%*?".contains(c);
    text.replace('\\', "/")
        .split(|c: char| !belongs(c))
        .map(|part| part.trim_start_matches(['~', '/', '-']).trim_end_matches(['/', '.']))
        .filter(|part| !part.is_empty())
        .any(|part| without_dots(part).is_some_and(|path| is_sensitive(&path)))
}

/// What a path ends in is what it is, wherever it starts.
fn without_dots(part: &str) -> Option<KbPath> {
    let parts: Vec<&str> = part.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    KbPath::parse(&parts.join("/")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensitive_names_are_found_wherever_they_stand() {
        for text in [
            ".env",
            "./.env.local",
            "~/.ssh/id_ed25519",
            "../../.aws/credentials",
            "/home/me/.netrc",
            "--key=server.pem",
            "-d@.env",
            "file:.env",
            "open('.env').read()",
            r"C:\Users\me\.ssh\config",
            "*.pem",
            "/.ssh/id_rsa",
            "cat .env # all of it",
            "~/.bash_history",
        ] {
            assert!(names(text), "{text}");
        }
        for text in
            ["", "ls -la", "notes/a.md", "process.environment", "cargo test --all", "environment.md", "a/b/c"]
        {
            assert!(!names(text), "{text}");
        }
    }
}
