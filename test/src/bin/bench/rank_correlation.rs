//! Spearman's rank correlation: Pearson's correlation of the ranks of two samples.
//!
//! Values that are equal have the mean of the ranks that they take up. Example: the ranks of `[5, 1, 5, 9]` are
//! `[2.5, 1, 2.5, 4]`.

/// The rank correlation, from -1 to 1; `None` where a sample has no two different values.
///
/// # Panics
///
/// If the samples differ in length.
pub(crate) fn rank_correlation(one: &[f64], other: &[f64]) -> Option<f64> {
    assert_eq!(one.len(), other.len(), "a value of each sample for each thing");
    let (one, other) = (deviations(&ranks(one)), deviations(&ranks(other)));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let spread = (product(&one, &one) * product(&other, &other)).sqrt();
    (spread > 0.0).then(|| product(&one, &other) / spread)
}

/// The ranks of the values, from 1.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: f64| {
        let less = values.iter().filter(|other| **other < value).count();
        let equal = values.iter().filter(|other| **other == value).count();
        less as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().copied().map(rank).collect()
}

/// The differences from the mean.
fn deviations(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| value - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &[f64], other: &[f64], expected: Option<f64>) {
        let found = rank_correlation(one, other).map(|r| (r * 1000.0).round() / 1000.0);
        assert_eq!(found, expected);
    }

    #[test]
    fn the_order_counts_and_not_the_distance() {
        check(&[1.0, 2.0, 3.0, 4.0], &[1.0, 10.0, 11.0, 99.0], Some(1.0));
        check(&[1.0, 2.0, 3.0, 4.0], &[9.0, 8.0, 2.0, 1.0], Some(-1.0));
    }

    #[test]
    fn one_exchange_of_neighbours() {
        // 1 - 6 * 2 / (5 * 24)
        check(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 3.0, 2.0, 4.0, 5.0], Some(0.9));
    }

    #[test]
    fn equal_values_have_the_mean_of_their_ranks() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [2.5, 1.0, 2.5, 4.0]);
        check(&[1.0, 2.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 4.0], Some(0.949));
    }

    #[test]
    fn without_different_values_there_is_none() {
        check(&[], &[], None);
        check(&[1.0], &[2.0], None);
        check(&[1.0, 1.0], &[1.0, 2.0], None);
    }
}
