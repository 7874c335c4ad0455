//! A data directory, a folder of notes, and the binary.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub struct Bench {
    top: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let bench = Self { top: tempfile::tempdir().unwrap() };
        std::fs::create_dir(bench.notes()).unwrap();
        bench
    }

    /// With these notes, indexed.
    pub fn with(notes: &[(&str, &[u8])]) -> Self {
        let bench = Self::new();
        for (name, bytes) in notes {
            bench.write(name, bytes);
        }
        bench.json(["index", bench.notes().to_str().unwrap()]);
        bench
    }

    pub fn top(&self) -> PathBuf {
        self.top.path().to_owned()
    }

    pub fn notes(&self) -> PathBuf {
        self.top.path().join("notes")
    }

    pub fn path(&self, name: &str) -> String {
        self.notes().join(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.notes().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.notes().join(name)).unwrap()
    }

    /// The binary with its folders in `top` and no keyring.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_orangery"));
        self.surround(&mut command);
        command
    }

    /// Gives a command the folders of `top` and takes the keyring away.
    pub fn surround(&self, command: &mut Command) {
        command
            .env("ORANGERY_DATA_DIR", self.top.path().join("data"))
            .env("ORANGERY_HOME", self.top.path().join("home"))
            .env("ORANGERY_SAMPLE_DIR", self.top.path().join("documents"))
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env_remove("XDG_RUNTIME_DIR")
            .current_dir(self.top.path());
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// Runs with `--json`, which must end as `code`.
    pub fn ends<S: AsRef<OsStr>>(&self, code: i32, arguments: impl IntoIterator<Item = S>) -> Value {
        let output = self.command().arg("--json").args(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{text}\n{errors}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    /// Runs with `--json`, which must succeed.
    pub fn json<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Value {
        self.ends(0, arguments)
    }

    /// One tool call in the folder of notes, in the session `s`.
    pub fn tool(&self, code: i32, level: &str, name: &str, input: &Value) -> Value {
        let (notes, input) = (self.path(""), input.to_string());
        self.ends(code, ["tool", name, &input, "--kb", &notes, "--level", level, "--session", "s"])
    }
}
