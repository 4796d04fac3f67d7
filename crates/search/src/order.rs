//! Which moves to look at first: what refuted before.

/// Scores stay within this.
const MOST: i32 = 1 << 14;

/// How well moves did before, by a row and a column of the game's choosing (a piece and its
/// destination, say). A move's score moves towards its latest results and fades the others.
#[derive(Clone)]
pub struct History {
    columns: usize,
    scores: Box<[i16]>,
}

impl History {
    /// A table of so many rows and columns, all at 0.
    pub fn new(rows: usize, columns: usize) -> History {
        History { columns, scores: vec![0; rows * columns].into_boxed_slice() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.scores.fill(0);
    }

    /// The score, from -16384 to 16384.
    #[inline]
    pub fn get(&self, row: usize, column: usize) -> i32 {
        i32::from(self.scores[row * self.columns + column])
    }

    /// A row's scores by column.
    #[inline]
    pub fn row(&self, row: usize) -> &[i16] {
        &self.scores[row * self.columns..][..self.columns]
    }

    /// Adds a bonus (or malus), the less the nearer the score already is to it.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, bonus: i32) {
        let score = &mut self.scores[row * self.columns + column];
        let bonus = bonus.clamp(-MOST, MOST);
        *score += (bonus - i32::from(*score) * bonus.abs() / MOST) as i16;
    }
}

/// The two latest quiet moves that refuted at each ply.
#[derive(Clone)]
pub struct Killers<M>(Vec<[Option<M>; 2]>);

impl<M: Copy + Eq> Killers<M> {
    /// None yet, for so many plies.
    pub fn new(plies: usize) -> Killers<M> {
        Killers(vec![[None; 2]; plies])
    }

    /// Those of a ply.
    #[inline]
    pub fn of(&self, ply: usize) -> [Option<M>; 2] {
        self.0.get(ply).copied().unwrap_or_default()
    }

    /// A move refuted at this ply.
    #[inline]
    pub fn add(&mut self, ply: usize, m: M) {
        if let Some(pair) = self.0.get_mut(ply)
            && pair[0] != Some(m)
        {
            *pair = [Some(m), pair[0]];
        }
    }

    /// Forgets those of a ply.
    #[inline]
    pub fn forget(&mut self, ply: usize) {
        if let Some(pair) = self.0.get_mut(ply) {
            *pair = [None; 2];
        }
    }
}

/// The best line below each ply of the path being searched.
pub struct Lines<M>(Vec<Vec<M>>);

impl<M: Copy> Lines<M> {
    /// Empty ones for so many plies.
    pub fn new(plies: usize) -> Lines<M> {
        Lines((0..=plies).map(|_| Vec::with_capacity(32)).collect())
    }

    /// No line is known from this ply on.
    #[inline]
    pub fn cut(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line at `ply` is now `m` and the line below.
    pub fn set(&mut self, ply: usize, m: M) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(m);
        above[ply].extend_from_slice(&below[0]);
    }

    /// The line from this ply.
    pub fn at(&self, ply: usize) -> &[M] {
        &self.0[ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_bounds_and_turn_around() {
        let mut history = History::new(2, 3);
        for _ in 0..1000 {
            history.add(1, 2, 2000);
        }
        assert!((15_000..=MOST).contains(&history.get(1, 2)));
        assert_eq!(history.get(1, 1), 0);
        history.add(1, 2, -3000);
        assert!(history.get(1, 2) < 12_000);
        assert_eq!(i32::from(history.row(1)[2]), history.get(1, 2));
    }

    #[test]
    fn killers_are_the_two_latest() {
        let mut killers = Killers::new(2);
        for m in [1, 2, 2, 3] {
            killers.add(1, m);
        }
        assert_eq!(killers.of(1), [Some(3), Some(2)]);
        assert_eq!(killers.of(0), [None; 2]);
        assert_eq!(killers.of(9), [None; 2], "beyond the plies");
    }

    #[test]
    fn lines_grow_from_below() {
        let mut lines = Lines::new(3);
        lines.set(2, 'c');
        lines.set(1, 'b');
        lines.set(0, 'a');
        assert_eq!(lines.at(0), ['a', 'b', 'c']);
        lines.cut(1);
        lines.set(0, 'd');
        assert_eq!(lines.at(0), ['d']);
    }
}
