//! Terms that stand close to each other in a text belong together.

use tantivy::{DocId, Searcher};

use super::rank::{Found, Ranked};
use crate::index::postings::Evaluator;

/// What neighbours add, as a share of what the less telling of both is worth.
const NEAR: f32 = 0.3;
/// Only what is found near the top can come to the top.
const LOOKED_AT: usize = 100;

/// Raises files in whose best passage terms that follow one another in the query stand close.
pub(super) fn raise(
    evaluator: &Evaluator,
    searcher: &Searcher,
    found: &[Found],
    ranked: &mut [Ranked],
) -> tantivy::Result<()> {
    if found.len() < 2 || ranked.is_empty() {
        return Ok(());
    }
    let top = ranked.len().min(LOOKED_AT);
    if ranked.len() > LOOKED_AT {
        ranked.select_nth_unstable_by(LOOKED_AT - 1, |a, b| b.score.total_cmp(&a.score));
    }
    let (near, _) = ranked.split_at_mut(top);
    near.sort_unstable_by_key(|file| file.best);
    for segment in 0..searcher.segment_readers().len() {
        let from = near.partition_point(|file| file.best < Some((segment, 0)));
        let to = near.partition_point(|file| file.best < Some((segment + 1, 0)));
        let files = &mut near[from..to];
        let docs: Vec<DocId> = files.iter().filter_map(|file| Some(file.best?.1)).collect();
        let mut before: Option<Vec<Vec<u32>>> = None;
        for (at, term) in found.iter().enumerate() {
            let mut here = vec![Vec::new(); docs.len()];
            for needle in &term.needles {
                evaluator.positions(segment, needle, &docs, &mut here)?;
            }
            here.iter_mut().for_each(|positions| positions.sort_unstable());
            if let Some(before) = &before {
                let worth = term.rarity.min(found[at - 1].rarity);
                for ((file, left), right) in files.iter_mut().zip(before).zip(&here) {
                    file.score += NEAR * worth * closeness(left, right);
                }
            }
            before = Some(here);
        }
    }
    Ok(())
}

/// 1 for neighbours, less the farther they are apart, 0 when one is not there. Both are sorted.
fn closeness(left: &[u32], right: &[u32]) -> f32 {
    let (mut one, mut other, mut least) = (0, 0, u32::MAX);
    while let (Some(a), Some(b)) = (left.get(one), right.get(other)) {
        // The same place is the same word.
        if a != b {
            least = least.min(a.abs_diff(*b));
        }
        if a < b { one += 1 } else { other += 1 }
    }
    if least == u32::MAX { 0.0 } else { 1.0 / least as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_closest() {
        assert_eq!(closeness(&[1, 9], &[2, 30]), 1.0);
        assert_eq!(closeness(&[7], &[3]), 0.25);
        assert_eq!(closeness(&[5], &[5]), 0.0);
        assert_eq!(closeness(&[], &[5]), 0.0);
    }
}
