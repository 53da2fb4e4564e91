//! Opens pages in the browser.

use std::env;

/// Opens an address in the browser of `BROWSER`, otherwise in that of the desktop. A browser in the terminal does not
/// return before its end.
///
/// # Errors
///
/// Returns a message with the address if no browser opens.
pub fn open_in_browser(address: &str) -> Result<(), String> {
    let opened =
        if has_display() { open(address) } else { Err("there is no display, and BROWSER is not set".to_owned()) };
    opened.map_err(|why| format!("no browser opened: {why}; the page is at {address}"))
}

// On Linux, a browser that `opener` starts cannot fail, and on macOS `webbrowser` needs a crate without a license file.
#[cfg(target_os = "linux")]
fn open(address: &str) -> Result<(), String> {
    webbrowser::open(address).map_err(|error| error.to_string())
}

#[cfg(not(target_os = "linux"))]
fn open(address: &str) -> Result<(), String> {
    opener::open_browser(address).map_err(|error| error.to_string())
}

/// Whether a browser can open a window. Without a display, it starts and exits silently.
fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(is_set)
}
