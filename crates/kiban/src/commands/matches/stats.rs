//! What a match says of the difference in strength.
//!
//! Games come in pairs with the same opening and sides swapped, so the unit is the pair, whose
//! score is one of five: both games lost to both won for `a` (the pentanomial).

use serde::Serialize;

/// Counts of pairs by `a`'s score: 0, 1/2, 1, 3/2 and 2 points.
pub(super) type Pentanomial = [u64; 5];

/// A difference in Elo with its interval of 95 %; nothing where it is boundless or unknown.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Elo {
    pub(super) value: Option<f64>,
    pub(super) low95: Option<f64>,
    pub(super) high95: Option<f64>,
}

/// The state of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Sprt {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) llr: f64,
    pub(super) state: State,
}

/// What the test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    Running,
    H0,
    H1,
}

/// How often the test may be wrong, either way.
const ERROR: f64 = 0.05;
/// Normal quantile of a two-sided 95 %.
const Z95: f64 = 1.959_963_985;
/// Steps in which a number is found, each halving where it may be.
const HALVINGS: u32 = 60;
/// What an outcome that never occurred counts, so that it is not held impossible.
const NEVER: f64 = 1e-3;

/// The score a player of so much more Elo makes.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo of a score; none at the ends.
fn elo_of(score: f64) -> Option<f64> {
    let inside = score > 0.0 && score < 1.0;
    // A 0 is written without a sign.
    inside.then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

/// Points of a pair for each of the five, scaled to 0..1.
fn value(i: usize) -> f64 {
    i as f64 / 4.0
}

/// The frequencies, their number and mean.
fn frequencies(counts: Pentanomial) -> ([f64; 5], f64) {
    let counts = counts.map(|n| if n == 0 { NEVER } else { n as f64 });
    let all: f64 = counts.iter().sum();
    (counts.map(|n| n / all), all)
}

fn mean(p: &[f64; 5]) -> f64 {
    p.iter().enumerate().map(|(i, p)| p * value(i)).sum()
}

/// The difference in Elo that these pairs show.
pub(super) fn elo(counts: Pentanomial) -> Elo {
    let pairs: u64 = counts.iter().sum();
    if pairs == 0 {
        return Elo { value: None, low95: None, high95: None };
    }
    let points: u64 = (0u64..).zip(counts).map(|(i, n)| i * n).sum();
    let score = points as f64 / (4 * pairs) as f64;
    let (low, high) = interval(counts);
    Elo { value: elo_of(score), low95: elo_of(low), high95: elo_of(high) }
}

/// The scores that these pairs do not speak against at 95 %: those that lie as far from the one that
/// was made as chance brings it under them (E. B. Wilson's score interval, 1927). What chance does
/// under a score is taken from the most likely frequencies that have it, so that few games, or games
/// that all came out the same, do not pass for sure knowledge; of many the interval is the usual
/// one. It ends at 0 or 1 exactly where every point was lost or won.
fn interval(counts: Pentanomial) -> (f64, f64) {
    let (p, all) = frequencies(counts);
    let centre = mean(&p);
    let speaks_against = |score: f64| {
        let spread = variance(&most_likely(&p, score), score);
        (score - centre).powi(2) * all > Z95 * Z95 * spread
    };
    let bound = |end: f64| {
        let (mut inside, mut outside) = (centre, end);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(inside, outside);
            if speaks_against(middle) { outside = middle } else { inside = middle }
        }
        inside
    };
    let [losses, .., wins] = counts;
    let pairs: u64 = counts.iter().sum();
    let low = if losses == pairs { 0.0 } else { bound(0.0) };
    let high = if wins == pairs { 1.0 } else { bound(1.0) };
    (low, high)
}

fn variance(p: &[f64; 5], centre: f64) -> f64 {
    p.iter().enumerate().map(|(i, p)| p * (value(i) - centre).powi(2)).sum()
}

/// The generalised log-likelihood ratio of these pairs between two differences in Elo: each
/// hypothesis is given the most likely frequencies that have its mean (M. Van den Bergh, "A
/// practical introduction to the GSPRT", 2021).
pub(super) fn sprt(counts: Pentanomial, elo0: f64, elo1: f64) -> Sprt {
    let (p, all) = frequencies(counts);
    let likely = |elo| most_likely(&p, score_of(elo));
    let (p0, p1) = (likely(elo0), likely(elo1));
    let ratio = (0..5).map(|i| p[i] * (p1[i] / p0[i]).ln()).sum::<f64>();
    let llr = if counts.iter().sum::<u64>() == 0 { 0.0 } else { all * ratio };
    let limit = ((1.0 - ERROR) / ERROR).ln();
    let state = match llr {
        llr if llr >= limit => State::H1,
        llr if llr <= -limit => State::H0,
        _ => State::Running,
    };
    Sprt { elo0, elo1, llr, state }
}

/// The frequencies nearest to `p` in likelihood whose mean is `score`: p / (1 + t (value - score))
/// with the t at which they sum to 1.
fn most_likely(p: &[f64; 5], score: f64) -> [f64; 5] {
    // Where every denominator is positive the sum falls with t.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    let excess = |t: f64| {
        (0..5).map(|i| p[i] * (value(i) - score) / (1.0 + t * (value(i) - score))).sum::<f64>()
    };
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = f64::midpoint(low, high);
    std::array::from_fn(|i| p[i] / (1.0 + t * (value(i) - score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, by: f64) -> bool {
        (a - b).abs() < by
    }

    #[test]
    fn even_pairs_show_no_difference() {
        let even = elo([10, 20, 40, 20, 10]);
        assert_eq!(even.value, Some(0.0));
        let (low, high) = (even.low95.expect("a bound"), even.high95.expect("a bound"));
        assert!(near(low, -high, 1e-9) && high > 0.0);
    }

    #[test]
    fn three_quarters_are_191_elo() {
        let all = elo([0, 0, 0, 100, 0]);
        assert!(near(all.value.expect("a number"), 190.85, 0.01), "{all:?}");
        assert!(all.low95.expect("a bound") < 190.85 && all.high95.expect("a bound") > 190.85);
    }

    #[test]
    fn what_is_boundless_or_unknown_is_not_told() {
        assert_eq!(elo([0; 5]), Elo { value: None, low95: None, high95: None });
        let won = elo([0, 0, 0, 0, 7]);
        assert_eq!((won.value, won.high95), (None, None));
        let lost = elo([7, 0, 0, 0, 0]);
        assert_eq!((lost.value, lost.low95), (None, None));
        assert!(near(won.low95.expect("a bound"), -lost.high95.expect("a bound"), 0.5));
    }

    #[test]
    fn a_few_games_that_all_came_out_the_same_are_no_sure_knowledge() {
        // Of n won pairs Wilson's bound is n / (n + z^2).
        for (pairs, low) in [(2, -112.8), (3, -42.6), (5, 45.7), (10, 166.3)] {
            let found = elo([0, 0, 0, 0, pairs]);
            assert!(near(found.low95.expect("a bound"), low, 1.5), "{pairs}: {found:?}");
        }
        assert!(elo([0, 0, 1, 0, 0]).low95.expect("a bound") < -300.0);
        let drawn = elo([0, 0, 2, 0, 0]);
        assert!(drawn.low95.expect("a bound") < -200.0, "{drawn:?}");
        assert!(drawn.high95.expect("a bound") > 200.0, "{drawn:?}");
        // Who wins more never shows less.
        let mut last = f64::NEG_INFINITY;
        for counts in [[0, 0, 2, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 2, 0], [0, 0, 0, 1, 1]] {
            let low = elo(counts).low95.expect("a bound");
            assert!(low > last, "{counts:?}");
            last = low;
        }
        assert!(elo([0, 0, 0, 0, 2]).low95.expect("a bound") > last);
    }

    /// How likely the interval of so many pairs with these frequencies holds their true score.
    fn covered(p: [f64; 5], pairs: u64) -> f64 {
        let factorial = |n: u64| (1..=n).map(|k| k as f64).product::<f64>();
        let truth = mean(&p);
        let mut held = 0.0;
        for code in 0..(pairs + 1).pow(4) {
            let digit = |i: u32| code / (pairs + 1).pow(i) % (pairs + 1);
            let some: u64 = (0..4).map(digit).sum();
            if some > pairs {
                continue;
            }
            let counts = [digit(0), digit(1), digit(2), digit(3), pairs - some];
            let ways = factorial(pairs) / counts.map(factorial).iter().product::<f64>();
            let chance = (0..5).map(|i| p[i].powi(counts[i] as i32)).product::<f64>();
            let (low, high) = interval(counts);
            if (low..=high).contains(&truth) {
                held += ways * chance;
            }
        }
        held
    }

    #[test]
    fn the_interval_holds_the_truth_about_as_often_as_it_says() {
        let frequencies = [
            [0.2, 0.2, 0.2, 0.2, 0.2],
            [0.05, 0.2, 0.5, 0.2, 0.05],
            [0.0, 0.05, 0.2, 0.35, 0.4],
            [0.1, 0.0, 0.2, 0.0, 0.7],
            [0.0, 0.0, 0.02, 0.08, 0.9],
        ];
        for p in frequencies {
            for pairs in [4, 8] {
                let covered = covered(p, pairs);
                assert!(covered > 0.94, "{p:?} {pairs}: {covered}");
            }
        }
    }

    #[test]
    fn frequencies_of_a_hypothesis_sum_to_one_and_have_its_mean() {
        let (p, _) = frequencies([3, 11, 40, 17, 5]);
        for score in [0.45, 0.5, 0.503, 0.6] {
            let q = most_likely(&p, score);
            assert!(near(q.iter().sum(), 1.0, 1e-9), "{q:?}");
            assert!(near(mean(&q), score, 1e-9), "{q:?}");
        }
    }

    #[test]
    fn the_ratio_is_near_the_normal_approximation_and_decides() {
        let counts = [100, 900, 2000, 1000, 150];
        let test = sprt(counts, 0.0, 5.0);
        let (p, all) = frequencies(counts);
        let m = mean(&p);
        let v: f64 = (0..5).map(|i| p[i] * (value(i) - m).powi(2)).sum();
        let (s0, s1) = (score_of(0.0), score_of(5.0));
        let normal = all * (s1 - s0) * (2.0 * m - s0 - s1) / (2.0 * v);
        assert!(near(test.llr, normal, 0.05 * normal.abs()), "{test:?} {normal}");
        assert_eq!(test.state, State::H1);
        assert_eq!(sprt([150, 1000, 2000, 900, 100], 0.0, 5.0).state, State::H0);
        let begun = sprt([0, 1, 2, 1, 0], 0.0, 5.0);
        assert_eq!(begun.state, State::Running);
        assert_eq!(sprt([0; 5], 0.0, 5.0).llr, 0.0);
    }
}
