//! The desktop host: a window around the UI, and the same API behind it that the loopback host has.
//!
//! Nothing is decided here. What only a desktop can do is here: the window, its first paint, the system's
//! folder chooser, and one instance for each data directory.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod bridge;
mod page;
mod paint;
mod window;

use std::process::ExitCode;

use anyhow::Context;
use orangery_api::app::Config;
use tauri::{Manager, RunEvent};
use tauri_plugin_window_state::StateFlags;
use tracing_subscriber::EnvFilter;

use crate::bridge::Bridge;
use crate::paint::Paint;

fn main() -> anyhow::Result<ExitCode> {
    if let Some(ended) = orangery_api::child::main() {
        return Ok(ended);
    }
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_from_env("ORANGERY_LOG").unwrap_or_else(|_| EnvFilter::new("warn")))
        .with_writer(std::io::stderr)
        .init();
    let with_sample = std::env::args().skip(1).any(|argument| argument == "--sample");
    let mut config = Config::from_environment("desktop", None)?;
    config.capabilities.native_dialogs = true;
    let state_file = config.data_dir.join("window.json").to_string_lossy().into_owned();
    // Two data directories may each have a window; one may not have two.
    let instance = format!("org.orangery.desktop.{}", config.data_name());
    let head = page::Head(config.data_name());

    tauri::Builder::default()
        .plugin(
            tauri_plugin_single_instance::Builder::new()
                .callback(|app, _, _| window::raise(app))
                .dbus_id(instance)
                .build(),
        )
        .plugin(
            tauri_plugin_window_state::Builder::default()
                .with_filename(state_file)
                .with_state_flags(StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED)
                .build(),
        )
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .register_asynchronous_uri_scheme_protocol(page::SCHEME, page::serve)
        .manage(Paint::default())
        .invoke_handler(tauri::generate_handler![bridge::rpc, bridge::events, paint::painted])
        .setup(move |app| {
            // The window does not wait for the rooms: calls do.
            app.manage(Bridge::open(config, with_sample));
            window::open(app.handle(), head)?;
            paint::watch(app.handle());
            Ok(())
        })
        .build(tauri::generate_context!())
        .context("start the window")?
        .run(|app, event| {
            if let RunEvent::Exit = event {
                tauri::async_runtime::block_on(app.state::<Bridge>().close());
            }
        });
    Ok(ExitCode::SUCCESS)
}
