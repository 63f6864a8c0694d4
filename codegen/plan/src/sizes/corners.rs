//! Corners as plain numbers: which implies which, and which are worth a comparison.

use super::FEW_CORNERS;

/// Sizes that are as usual as each other.
const POWERS: [i64; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// A further corner is compared where it covers more than one in so many of them: four columns of many rows, where six are compared, but not 32
/// rows where 48 are.
const COVERS: usize = 30;

/// Whether sizes that reach a corner reach another one, too, which has no larger bound.
pub(super) fn implies(other: &[i64], corner: &[i64]) -> bool {
    other.iter().zip(corner).all(|(x, y)| x <= y)
}

/// The corner with another size at the position.
pub(super) fn with(corner: &[i64], position: usize, size: i64) -> Vec<i64> {
    let mut other = corner.to_vec();
    other[position] = size;
    other
}

/// Adds further corners, each time the one that covers the most sizes that no corner covers, among powers of two. Drops corners that those
/// imply. There is one more of them than of corners, or of few corners, at the most.
pub(super) fn add_covering(corners: &mut Vec<Vec<i64>>, mut further: Vec<Vec<i64>>) {
    let n_sizes = corners.first().map_or(0, Vec::len);
    let mut left = (0..n_sizes).fold(vec![Vec::new()], |sizes: Vec<Vec<i64>>, _| {
        let longer = |sizes: Vec<i64>| POWERS.map(|power| [&sizes[..], &[power]].concat());
        sizes.into_iter().flat_map(longer).collect()
    });
    let enough = left.len() / COVERS;
    let most = corners.len().max(FEW_CORNERS) + 1;
    left.retain(|sizes| !corners.iter().any(|corner| implies(corner, sizes)));
    while corners.len() < most {
        let covered = |corner: &Vec<i64>| left.iter().filter(|sizes| implies(corner, sizes)).count();
        let Some(best) = (0..further.len()).max_by_key(|position| covered(&further[*position])) else {
            return;
        };
        let best = further.remove(best);
        if covered(&best) <= enough {
            return;
        }
        left.retain(|sizes| !implies(&best, sizes));
        corners.retain(|corner| !implies(&best, corner));
        corners.push(best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_that_cover_much_are_added() {
        let added = |corners: &[&[i64]], further: &[&[i64]]| {
            let owned = |corners: &[&[i64]]| corners.iter().map(|corner| corner.to_vec()).collect::<Vec<_>>();
            let mut corners = owned(corners);
            add_covering(&mut corners, owned(further));
            corners
        };
        // Four columns of many rows.
        assert_eq!(added(&[&[6, 2]], &[&[4, 48]]), [[6, 2], [4, 48]]);
        // Too little.
        assert_eq!(added(&[&[48, 48]], &[&[32, 192]]), [[48, 48]]);
        // What is covered adds nothing.
        assert_eq!(added(&[&[8, 8]], &[&[8, 64], &[64, 2]]), [[8, 8], [64, 2]]);
        // What is implied is not compared.
        assert_eq!(
            added(&[&[32, 32, 1], &[4, 64, 64]], &[&[32, 1, 1]]),
            [[4, 64, 64], [32, 1, 1]]
        );
        // One more than there are.
        let many: [&[i64]; 4] = [&[1, 64, 64], &[64, 1, 64], &[64, 64, 1], &[32, 32, 32]];
        assert_eq!(added(&many, &[&[16, 2, 2], &[2, 16, 2], &[2, 2, 16]]).len(), 5);
    }
}
