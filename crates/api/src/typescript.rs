//! The TypeScript side of the command list, generated from the Rust types.

use std::path::Path;

use orangery_domain::Numbered;
use ts_rs::TS;

use crate::commands;
use crate::request::WireError;

/// Writes one file per type and `commands.ts`, the map of methods, into `folder`, which is emptied first.
#[expect(clippy::disallowed_methods, reason = "generated sources, not a user's file")]
pub fn generate(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let config = ts_rs::Config::new().with_large_int("number").with_out_dir(folder);
    let mut methods = String::new();
    Numbered::export_all(&config)?;
    WireError::export_all(&config)?;
    commands::visit_types(&config, |method, request, reply| {
        methods.push_str(&format!("  \"{method}\": {{ request: {request}; reply: {reply} }};\n"));
    })?;
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".ts") {
            names.push(name.to_owned());
        }
    }
    names.sort();
    let mut out = String::from("// Generated from the command list in crates/api. Do not edit.\n\n");
    for name in &names {
        out.push_str(&format!("import type {{ {name} }} from \"./{name}\";\n"));
    }
    out.push_str(&format!("\nexport type {{ {} }};\n", names.join(", ")));
    out.push_str("\n/** Every method with its request and its reply. */\nexport interface Commands {\n");
    out.push_str(&methods);
    out.push_str("}\n\n/** Answers that go stale with these tags. */\nexport const READS: Partial<Record<keyof Commands, Tag[]>> = {\n");
    for command in commands::COMMANDS.iter().filter(|command| !command.writes && !command.tags.is_empty()) {
        let tags = command.tags.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        out.push_str(&format!("  \"{}\": [{}],\n", command.method, tags.join(", ")));
    }
    out.push_str("};\n");
    std::fs::write(folder.join("commands.ts"), out)?;
    Ok(())
}
