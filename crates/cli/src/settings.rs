//! `settings` and `doctor`.

use orangery_api::domain;
use orangery_api::request::{ChangeSettings, DoctorReport};
use serde_json::{Map, Value};

use crate::Result;
use crate::args::Settings;
use crate::call::{Caller, usage};
use crate::out::{Exit, Out};
use crate::place;

pub async fn run(caller: &Caller, command: Settings, out: Out) -> Result {
    let mut fields: Map<String, Value> = caller.call("setting.get", ()).await?;
    match command {
        Settings::Get { key: None } => out.value(&fields, |out| {
            for (key, value) in &fields {
                out.line(format_args!("{key}\t{}", plain(value)));
            }
        }),
        Settings::Get { key: Some(key) } => {
            let value = fields.get(&key).ok_or_else(|| unknown(&key, &fields))?;
            out.value(value, |out| out.line(plain(value)));
        }
        Settings::Set { key, value } => {
            if !fields.contains_key(&key) {
                return Err(unknown(&key, &fields));
            }
            // `true`, `3` and `null` are JSON; everything else is a word.
            let mut given = serde_json::from_str(&value).unwrap_or_else(|_| Value::String(value.clone()));
            if let (true, Value::String(name)) = (MODELS.contains(&key.as_str()), &given) {
                given = place::model(caller, name).await?.id.0.into();
            }
            fields.insert(key.clone(), given);
            let settings: domain::Settings = serde_json::from_value(Value::Object(fields))
                .map_err(|error| usage(format!("set {key} to {value}: {}", misfit(&error))))?;
            let settings: Map<String, Value> =
                caller.call("setting.set", ChangeSettings { settings }).await?;
            let value = settings.get(&key).unwrap_or(&Value::Null);
            out.value(value, |out| out.line(plain(value)));
        }
    }
    Ok(Exit::Done)
}

/// Settings that name a model.
const MODELS: &[&str] = &["defaultModel", "transcriptionModel"];

/// What a value should have been, in the words of people who do not write Rust.
fn misfit(error: &serde_json::Error) -> String {
    let error = error.to_string();
    match error.split_once("expected ") {
        Some((_, "a boolean")) => "it is true or false".into(),
        Some((_, "i64")) => "it is a number, or null".into(),
        Some((_, wanted)) => format!("it is {}", wanted.replace('`', "").replace("one of ", "")),
        None => error,
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn unknown(key: &str, fields: &Map<String, Value>) -> orangery_api::error::WireError {
    let known = fields.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    usage(format!("no setting {key}; there are {known}"))
}

pub async fn doctor(caller: &Caller, verify: bool, out: Out) -> Result {
    let mut report: DoctorReport = caller.call("host.doctor", ()).await?;
    let mut equal = true;
    if verify {
        let compared: DoctorReport = caller.call("host.verify", ()).await?;
        equal = compared.findings.iter().all(|finding| finding.ok);
        report.findings.extend(compared.findings);
    }
    show(&report, out);
    Ok(if equal { Exit::Done } else { Exit::Failed })
}

pub fn show(report: &DoctorReport, out: Out) {
    out.value(report, |out| {
        for finding in &report.findings {
            let sign = if finding.ok { "ok" } else { "not ok" };
            out.line(format_args!("{sign}\t{}\t{}", finding.name, finding.detail));
            if let Some(remedy) = &finding.remedy {
                out.line(format_args!("\t\t{remedy}"));
            }
        }
    });
}
