//! Random proposals on one file, decided at random, applied in parts: what was taken back is the very
//! file that there was.

use orangery_domain::{ChangeSetState, HunkDecision, OperationState};
use proptest::prelude::*;

use super::support::*;

/// What a user writes in place of what was proposed.
const WORDS: [&str; 5] = ["", "mine\n", "mine\nand more", "line 1 of it\n", "\n"];

#[derive(Debug, Clone)]
struct Mix {
    endings: Vec<usize>,
    /// Line, what becomes of it.
    edits: Vec<(usize, u8)>,
    /// Operation, hunk, verdict.
    verdicts: Vec<(usize, u32, bool)>,
    /// Operation, hunk, which words of the user.
    rewords: Vec<(usize, u32, usize)>,
    /// Taken up again.
    again: Vec<(usize, u32)>,
    /// Applied one by one first.
    alone: Vec<usize>,
}

prop_compose! {
    fn mix()(
        endings in proptest::collection::vec(0usize..3, 8..20),
        edits in proptest::collection::vec((0usize..20, 0u8..5), 1..5),
        verdicts in proptest::collection::vec((0usize..5, 0u32..3, any::<bool>()), 0..4),
        rewords in proptest::collection::vec((0usize..5, 0u32..3, 0usize..WORDS.len()), 0..3),
        again in proptest::collection::vec((0usize..5, 0u32..3), 0..2),
        alone in proptest::collection::vec(0usize..5, 0..3),
    ) -> Mix {
        Mix { endings, edits, verdicts, rewords, again, alone }
    }
}

async fn check(house: &House, name: &str, mix: &Mix) -> Result<(), TestCaseError> {
    let before: String = (0..mix.endings.len())
        .map(|at| format!("line {at} of it{}", ["\n", "\r\n", "\r"][mix.endings[at]]))
        .collect();
    house.put(name, &before);
    let mut operations = Vec::new();
    let mut set = None;
    for (line, shape) in &mix.edits {
        let original = format!("line {line} of it");
        let far = format!("line {} of it", (line + 9) % mix.endings.len());
        let request = match shape {
            0 => replace(&original, &format!("{original}, more")),
            1 => replace(&original, &format!("new\n{original}")),
            2 => replace(&original, "gone"),
            3 => append(&format!("end {line}")),
            _ => crate::EditRequest::MultiReplace {
                edits: [(&original, "x"), (&far, "y\nz")]
                    .map(|(original, next)| crate::ReplaceEdit {
                        original: original.clone(),
                        next: next.into(),
                        ..Default::default()
                    })
                    .into(),
            },
        };
        // A line may be gone in the pending text, and a call refused.
        if let Ok(proposed) = house.edit(name, request).await {
            operations.push(proposed.operation_id);
            set = Some(proposed.change_set_id);
        }
    }
    let Some(set) = set else { return Ok(()) };
    for (operation, hunk, accept) in &mix.verdicts {
        let Some(id) = operations.get(*operation) else { continue };
        let verdict = if *accept { HunkDecision::Accepted } else { HunkDecision::Rejected };
        // There may be no such hunk.
        let _ = house.changes.review(set, &[decision(*id, Some(*hunk), verdict)]).await;
    }
    for (operation, hunk, words) in &mix.rewords {
        let Some(id) = operations.get(*operation) else { continue };
        let _ = house.changes.edit_proposal(*id, *hunk, WORDS[*words]).await;
    }
    for (operation, hunk) in &mix.again {
        let Some(id) = operations.get(*operation) else { continue };
        let _ = house.changes.propose_again(*id, Some(*hunk)).await;
    }
    // What is listed is what is shown.
    for operation in house.changes.get(set).await.unwrap().operations {
        prop_assert_eq!(&house.changes.diff(operation.id).await.unwrap().operation, &operation);
    }
    for at in &mix.alone {
        let Some(id) = operations.get(*at) else { continue };
        if house.state(*id).await != OperationState::Applied {
            house.changes.apply(set, &[*id], false).await.unwrap();
        }
    }
    house.changes.apply(set, &[], true).await.unwrap();
    prop_assert!(house.journal_is_empty().await);
    let all = house.changes.get(set).await.unwrap();
    let applied =
        all.operations.iter().filter(|operation| operation.state == OperationState::Applied).count();
    if applied > 0 && house.get(name).unwrap() != before.as_bytes() {
        let undone = house.changes.undo(set).await.unwrap();
        prop_assert_eq!(undone.conflicts, []);
        let state = house.changes.get(set).await.unwrap().summary.state;
        prop_assert!(
            state == ChangeSetState::Undone || state == ChangeSetState::PartlyApplied,
            "{:?}",
            state
        );
    }
    prop_assert_eq!(String::from_utf8(house.get(name).unwrap()).unwrap(), before);
    if house.changes.get(set).await.unwrap().summary.pending > 0 {
        house.changes.reject(set).await.unwrap();
    }
    Ok(())
}

#[test]
fn any_mix_can_be_taken_back_to_the_byte() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let house = runtime.block_on(House::new());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(96));
    runner.run(&mix(), |mix| runtime.block_on(check(&house, "a.md", &mix))).unwrap();
}
