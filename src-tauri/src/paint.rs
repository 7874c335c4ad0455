//! Whether the page was ever painted. On some drivers WebKitGTK's DMA-BUF renderer leaves the window blank;
//! then the app starts once more without it.

use std::ffi::OsStr;
use std::time::Duration;

use tauri::{AppHandle, Manager, State};
use tokio::sync::Notify;

/// Switches the renderer off; a user who set it, to whatever value, has decided already.
const SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs in the page before its own scripts. Two frames after there is something to paint, it was painted.
pub const PROBE: &str = "
    addEventListener('DOMContentLoaded', () =>
        requestAnimationFrame(() => requestAnimationFrame(() => window.__TAURI_INTERNALS__.invoke('painted'))));
";

#[derive(Default)]
pub struct Paint(Notify);

#[tauri::command]
pub fn painted(paint: State<'_, Paint>) {
    paint.0.notify_one();
}

pub fn watch(app: &AppHandle) {
    if !may_fall_back(std::env::var_os(SWITCH).as_deref()) {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let paint = app.state::<Paint>();
        if tokio::time::timeout(PATIENCE, paint.0.notified()).await.is_err() {
            tracing::warn!("nothing was painted; starting again with {SWITCH}=1");
            start_again(&app).await;
        }
    });
}

/// `switch` is what the switch is set to.
fn may_fall_back(switch: Option<&OsStr>) -> bool {
    cfg!(target_os = "linux") && switch.is_none()
}

#[cfg(target_os = "linux")]
async fn start_again(app: &AppHandle) {
    use std::os::unix::process::CommandExt;

    app.state::<crate::bridge::Bridge>().close().await;
    let Ok(program) = std::env::current_exe() else { return };
    // The same process goes on as the new program, so whoever started it still knows it.
    let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(SWITCH, "1").exec();
    tracing::error!(%error, "could not start again");
}

#[cfg(not(target_os = "linux"))]
async fn start_again(_: &AppHandle) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_set_the_switch_has_decided() {
        assert_eq!(may_fall_back(None), cfg!(target_os = "linux"));
        for set in ["", "0", "1"] {
            assert!(!may_fall_back(Some(OsStr::new(set))), "{set:?}");
        }
    }
}
