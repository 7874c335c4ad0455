//! What lies together, so that a rename can go from one to the other.

use cap_std::fs::Dir;

use super::checked::{CheckedPath, Entry};
use super::fault;
use crate::Result;

/// Where an entry lies. A folder of a volume can be mounted a second time elsewhere on it: then the volume is one and no
/// rename goes across all the same.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Volume {
    device: Option<u64>,
    mount: Option<u64>,
}

impl Volume {
    /// Whether it is known that nothing can be renamed from the one to the other.
    #[must_use]
    pub fn is_other(self, than: Self) -> bool {
        let differ =
            |one: Option<u64>, other: Option<u64>| one.zip(other).is_some_and(|(one, other)| one != other);
        differ(self.device, than.device) || differ(self.mount, than.mount)
    }
}

impl CheckedPath {
    /// # Errors
    /// `NotFound` when nothing is there.
    pub fn volume(&self) -> Result<Volume> {
        let device = self.metadata()?.device;
        let at = || self.root().path().join(self.place().as_str());
        Ok(Volume { device, mount: fault::mount(at, mount(self.root().dir(), self.relative())) })
    }

    /// Where each of the `entries` of this folder lies, as [`CheckedPath::list`] gave them.
    pub fn volumes(&self, entries: &[Entry]) -> Result<Vec<Volume>> {
        let folder = self.root().dir().open_dir(self.relative()).map_err(self.error("list"))?;
        let volume = |entry: &Entry| {
            let own = if entry.unicode { mount(&folder, &entry.name) } else { None };
            let at = || self.root().path().join(self.place().as_str()).join(&entry.name);
            Volume { device: entry.meta.device, mount: fault::mount(at, own) }
        };
        Ok(entries.iter().map(volume).collect())
    }
}

/// What is mounted where the entry is; absent where the kernel does not say it.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn mount(folder: &Dir, name: &str) -> Option<u64> {
    use rustix::fs::{AtFlags, StatxFlags, statx};
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
    let found = statx(folder, name, flags, StatxFlags::MNT_ID).ok()?;
    (found.stx_mask & StatxFlags::MNT_ID.bits() != 0).then_some(found.stx_mnt_id)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn mount(_: &Dir, _: &str) -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use orangery_domain::KbPath;

    use super::super::Root;

    #[test]
    fn what_is_mounted_is_told_from_the_folder_that_holds_it() {
        let root = Root::open(std::path::Path::new("/")).unwrap();
        let at = |path: &str| root.resolve_entry(&KbPath::parse(path).unwrap()).unwrap();
        let top = root.resolve(&KbPath::root()).unwrap();
        let own = top.volume().unwrap();
        assert!(own.mount.is_some());
        assert_ne!(at("proc").volume().unwrap().mount, own.mount);
        assert_eq!(at("proc/self/status").volume().unwrap(), at("proc").volume().unwrap());
        let entries = top.list().unwrap();
        let volumes = top.volumes(&entries).unwrap();
        let proc = entries.iter().position(|entry| entry.name == "proc").unwrap();
        assert_eq!(volumes[proc], at("proc").volume().unwrap());
    }
}
