//! Folders that hold another volume.

use orangery_domain::OperationState;
use orangery_store::root::fault;

use super::support::*;
use crate::Refusal;

#[test]
fn what_holds_another_volume_is_neither_deleted_nor_moved() {
    with_trash("tests::volume::what_holds_another_volume_is_neither_deleted_nor_moved", async || {
        let house = House::new().await;
        house.put("p/a.md", "a\n");
        house.put("p/disk/b.md", "b\n");
        let volume = fault::volume(&house.path("p/disk"));
        for name in ["p", "p/disk"] {
            let refusal = house.proposals.delete(&by("s"), &house.place(name)).await.unwrap_err();
            assert!(
                matches!(&refusal, Refusal::VolumeWithin { at, .. } if at.as_str() == "p/disk"),
                "{refusal}"
            );
            let error = house.changes.trash(&[house.place(name)]).await.unwrap_err();
            assert_eq!(error.code(), "volumeWithin");
        }
        let (from, to) = (house.place("p/disk"), house.place("disk"));
        let refusal = house.proposals.relocate(&by("s"), &from, &to).await.unwrap_err();
        assert!(matches!(refusal, Refusal::OtherVolume { .. }), "{refusal}");
        // What is in it lies on one volume.
        drop(volume);
        let proposed = house.proposals.delete(&by("s"), &house.place("p")).await.unwrap();
        // And is found out where it came in between.
        let _volume = fault::volume(&house.path("p/disk"));
        let applied = house.apply(&proposed).await;
        assert_eq!((applied.applied.len(), applied.failed.len()), (0, 1));
        let operation = &house.changes.get(proposed.change_set_id).await.unwrap().operations[0];
        assert_eq!(operation.state, OperationState::Failed);
        assert_eq!(operation.note.as_ref().unwrap().code, "volumeWithin");
        house.holds("p/disk/b.md", "b\n");
        assert_eq!(trashed(), Vec::<String>::new());
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_mounted_from_the_same_volume_is_neither_deleted_nor_moved() {
    with_trash(
        "tests::volume::a_folder_mounted_from_the_same_volume_is_neither_deleted_nor_moved",
        async || {
            let house = House::new().await;
            house.put("p/a.md", "a\n");
            house.put("p/bound/b.md", "b\n");
            let mount = fault::bind(&house.path("p/bound"));
            for name in ["p", "p/bound"] {
                let refusal = house.proposals.delete(&by("s"), &house.place(name)).await.unwrap_err();
                assert!(
                    matches!(&refusal, Refusal::VolumeWithin { at, .. } if at.as_str() == "p/bound"),
                    "{refusal}"
                );
            }
            for (from, to) in [("p/bound", "bound"), ("p/bound/b.md", "b.md"), ("p/a.md", "p/bound/a.md")] {
                let (from, to) = (house.place(from), house.place(to));
                let refusal = house.proposals.relocate(&by("s"), &from, &to).await.unwrap_err();
                assert!(matches!(refusal, Refusal::OtherVolume { .. }), "{refusal}");
            }
            // What lies in it is deleted as anything else.
            let proposed = house.proposals.delete(&by("s"), &house.place("p/bound/b.md")).await.unwrap();
            assert_eq!(house.apply(&proposed).await.applied.len(), 1);
            drop(mount);
            let proposed = house.proposals.delete(&by("s"), &house.place("p")).await.unwrap();
            assert_eq!(house.apply(&proposed).await.applied.len(), 1);
        },
    );
}
