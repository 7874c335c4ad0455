//! The few calls to the system that nothing wraps. All unsafe code of this crate is here.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rustix::process::Pid;

pub(crate) enum Fork {
    Child,
    Parent(Pid),
}

/// Makes a copy of this process.
///
/// Only the watchdog and its supervisors call it, and they have a single thread, so the child finds no
/// lock held and may do what it likes. (A test binary that plays the watchdog has a second thread that
/// waits for the first; the allocator of every C library here is safe to use after such a fork.)
pub(crate) fn fork() -> io::Result<Fork> {
    #[expect(unsafe_code, reason = "no crate can promise that a process has one thread")]
    // SAFETY: fork takes no argument and touches no memory of the caller; single thread, see above.
    let id = unsafe { libc::fork() };
    match id {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Fork::Child),
        id => Pid::from_raw(id).map(Fork::Parent).ok_or_else(|| io::Error::other("fork gave no process")),
    }
}

/// Takes what is connected to standard input and leaves nothing there.
pub(crate) fn take_stdin() -> io::Result<OwnedFd> {
    let taken = io::stdin().as_fd().try_clone_to_owned()?;
    let nothing = std::fs::File::open("/dev/null")?;
    #[expect(unsafe_code, reason = "standard input is owned by nobody, so no safe call can replace it")]
    // SAFETY: both are open; dup2 replaces descriptor 0 at once, and it stays open for whoever uses it.
    let replaced = unsafe { libc::dup2(nothing.as_raw_fd(), 0) };
    if replaced == -1 { Err(io::Error::last_os_error()) } else { Ok(taken) }
}

/// Has the system keep for us how children ended, even if whoever started the app did not want to know.
pub(crate) fn hear_of_children() {
    #[expect(unsafe_code, reason = "rustix wraps no signal dispositions")]
    // SAFETY: the default disposition runs no code of ours.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
    }
}

/// Keeps what libraries of the app left open from every command: nothing but the three standard
/// descriptors outlives the start of another program.
#[cfg(target_os = "linux")]
pub(crate) fn close_all_on_exec() {
    #[expect(unsafe_code, reason = "rustix does not wrap close_range")]
    // SAFETY: no descriptor is closed now, so nobody's descriptor becomes invalid. Kernels before 5.11
    // refuse, which leaves what each library has set itself.
    unsafe {
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
    }
}

/// From here on no program that this process starts gains rights, set-user-id or not.
#[cfg(target_os = "linux")]
pub(crate) fn no_new_privileges() -> io::Result<()> {
    #[expect(
        unsafe_code,
        reason = "rustix has it behind a feature that every crate here would be rebuilt for"
    )]
    // SAFETY: this option takes numbers only.
    let done = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    if done == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
