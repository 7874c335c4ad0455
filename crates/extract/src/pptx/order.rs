//! The order in which the eye goes over boxes: band by band from the top, each from left to right,
//! and a column before its neighbour where nothing crosses between them.

/// A box; the axes go right and down.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// How much of the smaller one two boxes may share and still count as apart: text boxes have margins,
/// and people place them by eye.
const OVERLAP: f64 = 0.2;
/// Cuts one within the other; no slide has as many.
const CUTS: usize = 40;

/// Sorts `items` into reading order; equal places keep their order.
pub(super) fn sort<T>(items: &mut Vec<T>, area: impl Fn(&T) -> Rect) {
    let areas: Vec<Rect> = items.iter().map(|item| normal(area(item))).collect();
    let mut order: Vec<usize> = (0..items.len()).collect();
    cut(&mut order, &areas, CUTS);
    let mut place = vec![0; items.len()];
    for (at, index) in order.into_iter().enumerate() {
        place[index] = at;
    }
    let mut paired: Vec<(usize, T)> = place.into_iter().zip(items.drain(..)).collect();
    paired.sort_by_key(|(at, _)| *at);
    items.extend(paired.into_iter().map(|(_, item)| item));
}

fn normal(rect: Rect) -> Rect {
    Rect {
        left: rect.left.min(rect.right),
        top: rect.top.min(rect.bottom),
        right: rect.left.max(rect.right),
        bottom: rect.top.max(rect.bottom),
    }
}

fn cut(order: &mut [usize], areas: &[Rect], depth: usize) {
    if order.len() < 2 {
        return;
    }
    if depth > 0 {
        // Bands first: a grid is read row by row.
        for vertical in [false, true] {
            let range = |index: usize| {
                let area = areas[index];
                if vertical { (area.left, area.right) } else { (area.top, area.bottom) }
            };
            order.sort_by(|&a, &b| range(a).0.total_cmp(&range(b).0));
            let parts = parts(order, range);
            if parts.len() > 1 {
                let mut rest = order;
                for length in parts {
                    let (part, after) = rest.split_at_mut(length);
                    cut(part, areas, depth - 1);
                    rest = after;
                }
                return;
            }
        }
    }
    if depth > 0 {
        // Nothing can be cut because something lies under or across the rest: without the largest box
        // the rest is in order, and it comes in front of what begins below its own top.
        let size = |index: usize| {
            let area = areas[index];
            (area.right - area.left) * (area.bottom - area.top)
        };
        let largest =
            (0..order.len()).max_by(|&a, &b| size(order[a]).total_cmp(&size(order[b]))).unwrap_or(0);
        order[..=largest].rotate_right(1);
        cut(&mut order[1..], areas, depth - 1);
        let (top, left) = (areas[order[0]].top, areas[order[0]].left);
        let before = order[1..].iter().take_while(|&&index| {
            let area = areas[index];
            area.top < top || area.top == top && area.left < left
        });
        let before = before.count();
        order[..=before].rotate_left(1);
        return;
    }
    order.sort_by(|&a, &b| {
        let (a, b) = (areas[a], areas[b]);
        a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left))
    });
}

/// Lengths of the runs of `order`, which is sorted by where boxes begin, that nothing crosses.
fn parts(order: &[usize], range: impl Fn(usize) -> (f64, f64)) -> Vec<usize> {
    let mut parts = Vec::new();
    let mut length = 0;
    let mut reach = f64::NEG_INFINITY;
    let mut smallest = f64::INFINITY;
    for &index in order {
        let (start, end) = range(index);
        let slack = OVERLAP * smallest.min(end - start);
        if length > 0 && start >= reach - slack {
            parts.push(length);
            (length, reach, smallest) = (0, f64::NEG_INFINITY, f64::INFINITY);
        }
        length += 1;
        reach = reach.max(end);
        smallest = smallest.min(end - start);
    }
    parts.push(length);
    parts
}

#[cfg(test)]
mod tests {
    use super::{Rect, sort};

    fn check(boxes: &[(&'static str, f64, f64, f64, f64)], expected: &str) {
        let mut items = boxes.to_vec();
        sort(&mut items, |(_, left, top, width, height)| Rect {
            left: *left,
            top: *top,
            right: left + width,
            bottom: top + height,
        });
        let names: String = items.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn a_grid_is_read_row_by_row() {
        check(
            &[("d", 5., 2., 4., 1.), ("a", 0., 0., 4., 1.), ("c", 0., 2.1, 4., 1.), ("b", 5., 0.1, 4., 1.)],
            "abcd",
        );
    }

    #[test]
    fn a_column_comes_before_its_neighbour() {
        check(
            &[("c", 5., 0., 4., 9.), ("b", 0., 3.5, 4., 6.), ("a", 0., 0., 4., 3.), ("d", 0., 10., 9., 1.)],
            "abcd",
        );
    }

    #[test]
    fn boxes_that_touch_a_little_are_still_apart() {
        check(&[("b", 0., 0.95, 4., 1.), ("a", 1., 0., 4., 1.)], "ab");
    }

    #[test]
    fn a_box_under_others_comes_first_and_leaves_them_in_order() {
        check(
            &[("c", 5., 1.0, 3., 3.), ("b", 1., 1.1, 3., 3.), ("a", 0., 0., 9., 9.), ("d", 1., 5., 7., 1.)],
            "abcd",
        );
    }

    #[test]
    fn boxes_that_lie_on_each_other_go_by_their_corners() {
        check(&[("b", 1., 1., 9., 9.), ("a", 0., 0., 9., 9.), ("c", 2., 2., 3., 3.)], "abc");
    }
}
