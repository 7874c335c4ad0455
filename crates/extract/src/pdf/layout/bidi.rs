//! Text that runs from right to left: from the order it stands in to the order it is read in.

/// A sign of a line, as it stands from left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Number,
    Neutral,
}

pub fn direction(letter: char) -> Direction {
    match letter {
        '\u{0590}'..='\u{05FF}'
        | '\u{0600}'..='\u{0603}'
        | '\u{0608}'
        | '\u{060B}'
        | '\u{060D}'
        | '\u{061B}'..='\u{065F}'
        | '\u{066D}'..='\u{06EF}'
        | '\u{06FA}'..='\u{08FF}'
        | '\u{FB1D}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFE}'
        | '\u{10800}'..='\u{10FFF}'
        | '\u{1E800}'..='\u{1EFFF}' => Direction::Right,
        '0'..='9' | '\u{0660}'..='\u{0669}' | '\u{06F0}'..='\u{06F9}' => Direction::Number,
        letter if letter.is_alphabetic() => Direction::Left,
        _ => Direction::Neutral,
    }
}

/// The order in which to read signs that stand in the order given, each with its direction.
pub fn logical(signs: &[Direction]) -> Vec<usize> {
    let count = |wanted: Direction| signs.iter().filter(|direction| **direction == wanted).count();
    if count(Direction::Right) == 0 {
        return (0..signs.len()).collect();
    }
    let from_right = count(Direction::Right) >= count(Direction::Left);
    let resolved = resolve(signs, from_right);
    // Runs of one direction; those against the line's own are turned as a whole.
    let mut runs: Vec<(bool, Vec<usize>)> = Vec::new();
    for (index, right) in resolved.into_iter().enumerate() {
        match runs.last_mut() {
            Some((last, run)) if *last == right => run.push(index),
            _ => runs.push((right, vec![index])),
        }
    }
    if from_right {
        runs.reverse();
    }
    let mut order = Vec::with_capacity(signs.len());
    for (right, mut run) in runs {
        if right {
            run.reverse();
        }
        order.extend(run);
    }
    order
}

/// Whether each sign is read from right to left.
fn resolve(signs: &[Direction], from_right: bool) -> Vec<bool> {
    let mut right: Vec<Option<bool>> = signs
        .iter()
        .map(|direction| match direction {
            Direction::Left | Direction::Number => Some(false),
            Direction::Right => Some(true),
            Direction::Neutral => None,
        })
        .collect();
    let mut index = 0;
    while index < right.len() {
        if right[index].is_some() {
            index += 1;
            continue;
        }
        let end = (index..right.len()).find(|at| right[*at].is_some()).unwrap_or(right.len());
        let before = index.checked_sub(1).and_then(|at| right[at]).unwrap_or(from_right);
        let after = right.get(end).copied().flatten().unwrap_or(from_right);
        // Between two numbers only what belongs to a number keeps them together: `3.5`, not `3 5`.
        let numbers = index > 0
            && end < signs.len()
            && signs[index - 1] == Direction::Number
            && signs[end] == Direction::Number;
        let together = before == after && !(numbers && from_right && end - index > 1);
        let value = if together { before } else { from_right };
        right[index..end].fill(Some(value));
        index = end;
    }
    right.into_iter().map(|right| right.unwrap_or(from_right)).collect()
}
