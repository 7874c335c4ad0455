//! Landlock for files, a system call filter for the network.

use std::collections::BTreeMap;
use std::ffi::OsString;

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

use super::{Missing, Support};

/// The first version that also keeps files from being cut; Linux 6.2.
const NEEDED: ABI = ABI::V3;

/// The newest that is asked for where it is there: 5 adds devices, 6 adds signals to processes outside.
const WANTED: ABI = ABI::V6;

/// Devices that hold nothing.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

pub(super) fn support() -> Support {
    if ruleset().is_err() {
        return Support::No(Missing::Landlock);
    }
    let actions = std::fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").unwrap_or_default();
    let filters = actions.split_whitespace().any(|action| action == "errno") && network_filter().is_ok();
    if filters { Support::Yes } else { Support::No(Missing::CallFilter) }
}

/// Puts this process, and all that it will start, within the walls for good.
pub(crate) fn enter(writable: &[OsString]) -> Result<(), String> {
    let status = files(writable).map_err(|error| error.to_string())?;
    if status == RulesetStatus::NotEnforced {
        return Err("the kernel does not enforce Landlock".into());
    }
    seccompiler::apply_filter(&network_filter()?).map_err(|error| error.to_string())
}

fn ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_write(WANTED))?
        .scope(Scope::from_all(WANTED))?
        .create()
}

fn files(writable: &[OsString]) -> Result<RulesetStatus, Box<dyn std::error::Error>> {
    let all = AccessFs::from_write(WANTED);
    let mut ruleset = ruleset()?;
    for folder in writable {
        // A folder that is not there is an error, not a wall less.
        ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new(folder)?, all))?;
    }
    let status = ruleset.add_rules(path_beneath_rules(DEVICES, all))?.restrict_self()?;
    Ok(status.ruleset)
}

/// No socket of any kind can be made: the ones to this machine would reach programs that are not
/// confined, which could do everything in its place. Pairs, which lead nowhere else, can. Rings of
/// system calls are refused since they would make sockets behind the filter.
fn network_filter() -> Result<BpfProgram, String> {
    let mut calls = vec![libc::SYS_socket, libc::SYS_io_uring_setup];
    // The other way to number calls on this processor.
    if cfg!(target_arch = "x86_64") {
        calls.extend(calls.clone().iter().map(|call| call | 0x4000_0000));
    }
    let rules: BTreeMap<i64, _> = calls.into_iter().map(|call| (call, Vec::new())).collect();
    let architecture = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| error.to_string())?;
    // "Network is down": true for the command, and hardly ever said by anything else.
    let refusal = SeccompAction::Errno(libc::ENETDOWN as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, refusal, architecture)
        .and_then(BpfProgram::try_from)
        .map_err(|error| error.to_string())
}
