//! The one window.

use tauri::{AppHandle, Manager, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use crate::{page, paint};

const LABEL: &str = "main";

pub fn open(app: &AppHandle, head: page::Head) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title("Orangery")
        .inner_size(1440.0, 900.0)
        .min_inner_size(900.0, 600.0)
        .initialization_script(paint::PROBE)
        .on_web_resource_request(move |_, response| head.put_into(response))
        .build()?;
    show_pre_edit(&window)
}

/// A second start shows the window of the first.
pub fn raise(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // A window that cannot be raised is still there.
        let _ = window.unminimize();
        let _ = window.set_focus();
    }
}

/// Lets an input method compose inside the page. It is off when the view is made, and then the window of
/// candidates is far from the caret and compositions arrive only when they end.
#[cfg(target_os = "linux")]
fn show_pre_edit(window: &WebviewWindow) -> tauri::Result<()> {
    use webkit2gtk::{InputMethodContextExt, WebViewExt};

    window.with_webview(|view| {
        if let Some(context) = view.inner().input_method_context() {
            context.set_enable_preedit(true);
            // It cannot be asked whether it does so; a test hears from this line that there was somebody to tell.
            tracing::debug!("compositions are shown in the page");
        }
    })
}

#[cfg(not(target_os = "linux"))]
fn show_pre_edit(_: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}
