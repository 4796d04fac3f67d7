//! The boards: points, neighbours, mills and symmetries.
//!
//! A board has two or three rings of eight points. Point `8 * ring + k` lies on ring `ring` (0 is
//! the inner one), `k` steps clockwise from its top middle: the order of a position's text. Even
//! steps are the middles of the sides, odd ones the corners.

/// The number of a point; the module says how they are counted.
pub type Point = u8;

/// The most points a board has.
pub const POINTS: usize = 24;
/// The most mills a point can belong to: two sides of its ring and a diagonal.
const MILLS_OF_POINT: usize = 3;
/// The most mills a board has: twelve sides, four middles, four diagonals.
const MILLS: usize = 20;
/// Eight turns and reflections, each with the rings in order or inside out.
pub(crate) const SYMMETRIES: usize = 16;

/// Steps right and up from a ring's middle to its points, clockwise from the top middle.
const AROUND: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A board's geometry. Sets of points are bit sets, bit `i` for point `i`.
#[derive(Debug)]
pub struct Grid {
    /// How many points there are: 16 or 24.
    pub points: u8,
    /// Files and ranks of the square the names count on: 5 or 7.
    pub size: u8,
    /// File and rank of each point, from 0.
    pub places: [(u8, u8); POINTS],
    /// The points beside each point.
    pub neighbours: [u32; POINTS],
    /// For each point the other two points of each mill it can be part of; 0 is none.
    pub partners: [[u32; MILLS_OF_POINT]; POINTS],
    mills: [u32; MILLS],
    mill_count: usize,
    /// Each symmetry as the point every point goes to.
    pub symmetries: [[Point; POINTS]; SYMMETRIES],
}

/// Six men: two rings joined at the middles of their sides.
pub(crate) static SIX: Grid = Grid::build(2, false);
/// Nine men: three rings joined at the middles of their sides.
pub(crate) static NINE: Grid = Grid::build(3, false);
/// Twelve men: three rings joined at the middles and at the corners.
pub(crate) static TWELVE: Grid = Grid::build(3, true);

impl Grid {
    const fn build(rings: u8, diagonals: bool) -> Grid {
        let mut grid = Grid {
            points: 8 * rings,
            size: 2 * rings + 1,
            places: [(0, 0); POINTS],
            neighbours: [0; POINTS],
            partners: [[0; MILLS_OF_POINT]; POINTS],
            mills: [0; MILLS],
            mill_count: 0,
            symmetries: [[0; POINTS]; SYMMETRIES],
        };
        let mut ring = 0;
        while ring < rings {
            let mut k = 0;
            while k < 8 {
                let (right, up) = AROUND[k as usize];
                let radius = ring as i8 + 1;
                let middle = rings as i8;
                let place = (middle + right * radius, middle + up * radius);
                grid.places[(8 * ring + k) as usize] = (place.0 as u8, place.1 as u8);
                grid.join(8 * ring + k, 8 * ring + (k + 1) % 8);
                if ring + 1 < rings && (diagonals || k % 2 == 0) {
                    grid.join(8 * ring + k, 8 * ring + 8 + k);
                }
                if k % 2 == 0 {
                    let corner = 8 * ring + (k + 7) % 8;
                    grid.add_mill([corner, 8 * ring + k, 8 * ring + k + 1]);
                }
                if ring == 2 && (diagonals || k % 2 == 0) {
                    grid.add_mill([k, 8 + k, 16 + k]);
                }
                k += 1;
            }
            ring += 1;
        }
        grid.add_symmetries(rings);
        grid
    }

    const fn join(&mut self, a: Point, b: Point) {
        self.neighbours[a as usize] |= 1 << b;
        self.neighbours[b as usize] |= 1 << a;
    }

    const fn add_mill(&mut self, points: [Point; 3]) {
        let mill = 1 << points[0] | 1 << points[1] | 1 << points[2];
        self.mills[self.mill_count] = mill;
        self.mill_count += 1;
        let mut i = 0;
        while i < 3 {
            let slots = &mut self.partners[points[i] as usize];
            let mut slot = 0;
            while slots[slot] != 0 {
                slot += 1;
            }
            slots[slot] = mill & !(1 << points[i]);
            i += 1;
        }
    }

    const fn add_symmetries(&mut self, rings: u8) {
        let mut n = 0;
        while n < SYMMETRIES {
            let (turn, mirrored, inside_out) = (n as u8 % 4 * 2, n / 4 % 2 == 1, n / 8 == 1);
            let mut point = 0;
            while point < 8 * rings {
                let (ring, k) = (point / 8, point % 8);
                let ring = if inside_out { rings - 1 - ring } else { ring };
                let k = if mirrored { (8 - k) % 8 } else { k };
                self.symmetries[n][point as usize] = 8 * ring + (k + turn) % 8;
                point += 1;
            }
            n += 1;
        }
    }

    /// All points.
    pub fn all(&self) -> u32 {
        ((1u64 << self.points) - 1) as u32
    }

    /// Every mill, as the set of its three points.
    pub fn mills(&self) -> &[u32] {
        &self.mills[..self.mill_count]
    }

    /// How many mills a man on this point makes together with these men.
    #[inline]
    pub fn closed(&self, men: u32, point: Point) -> u32 {
        let partners = &self.partners[usize::from(point)];
        partners.iter().filter(|mill| **mill != 0 && **mill & men == **mill).count() as u32
    }

    /// Those of these men that stand in mills.
    pub fn in_mills(&self, men: u32) -> u32 {
        let whole = self.mills().iter().filter(|mill| **mill & men == **mill);
        whole.fold(0, |all, mill| all | mill)
    }

    /// A point's name: file and rank.
    pub fn name(&self, point: Point) -> String {
        let (file, rank) = self.places[usize::from(point)];
        format!("{}{}", char::from(b'a' + file), rank + 1)
    }

    /// The point of this name, in either case.
    pub fn find(&self, name: &str) -> Option<Point> {
        let &[file, rank] = name.as_bytes() else { return None };
        let file = file.to_ascii_lowercase().checked_sub(b'a')?;
        let rank = rank.checked_sub(b'1')?;
        (0..self.points).find(|p| self.places[usize::from(*p)] == (file, rank))
    }

    /// The set of points a symmetry takes these to.
    pub fn image(&self, symmetry: usize, set: u32) -> u32 {
        let to = &self.symmetries[symmetry];
        bits(set).fold(0, |image, point| image | 1 << to[usize::from(point)])
    }
}

/// The points of a set, in order.
pub fn bits(mut set: u32) -> impl Iterator<Item = Point> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let point = set.trailing_zeros() as Point;
            set &= set - 1;
            point
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(grid: &Grid, set: u32) -> Vec<String> {
        let mut names: Vec<String> = bits(set).map(|p| grid.name(p)).collect();
        names.sort();
        names
    }

    #[test]
    fn points_are_named_as_on_the_rules_page() {
        let ring = |grid: &Grid, ring: u32| names(grid, 0xff << (8 * ring)).join(" ");
        assert_eq!(ring(&NINE, 2), "a1 a4 a7 d1 d7 g1 g4 g7");
        assert_eq!(ring(&NINE, 1), "b2 b4 b6 d2 d6 f2 f4 f6");
        assert_eq!(ring(&NINE, 0), "c3 c4 c5 d3 d5 e3 e4 e5");
        assert_eq!(ring(&SIX, 1), "a1 a3 a5 c1 c5 e1 e3 e5");
        assert_eq!(ring(&SIX, 0), "b2 b3 b4 c2 c4 d2 d3 d4");
        let top: Vec<String> = [0, 8, 16].map(|p| NINE.name(p)).to_vec();
        assert_eq!(top, ["d5", "d6", "d7"]);
        assert_eq!(NINE.name(1), "e5", "clockwise");
        for grid in [&SIX, &NINE, &TWELVE] {
            for point in 0..grid.points {
                assert_eq!(grid.find(&grid.name(point).to_uppercase()), Some(point));
            }
        }
        assert_eq!(NINE.find("d4"), None);
        assert_eq!(NINE.find("d44"), None);
    }

    #[test]
    fn neighbours_and_mills_are_as_many_as_there_must_be() {
        let edges =
            |grid: &Grid| grid.neighbours.iter().map(|set| set.count_ones()).sum::<u32>() / 2;
        assert_eq!([edges(&SIX), edges(&NINE), edges(&TWELVE)], [20, 32, 40]);
        assert_eq!([&SIX, &NINE, &TWELVE].map(|g| g.mills().len()), [8, 16, 20]);
        let d6 = NINE.find("d6").expect("a point");
        assert_eq!(names(&NINE, NINE.neighbours[usize::from(d6)]), ["b6", "d5", "d7", "f6"]);
        let b2 = TWELVE.find("b2").expect("a point");
        assert_eq!(names(&TWELVE, TWELVE.neighbours[usize::from(b2)]), ["a1", "b4", "c3", "d2"]);
    }

    #[test]
    fn symmetries_are_different_and_keep_neighbours_and_mills() {
        for grid in [&SIX, &NINE, &TWELVE] {
            let mut seen = std::collections::HashSet::new();
            for (n, to) in grid.symmetries.iter().enumerate() {
                assert!(seen.insert(to));
                for (point, image) in to.iter().enumerate().take(usize::from(grid.points)) {
                    let beside = grid.image(n, grid.neighbours[point]);
                    assert_eq!(beside, grid.neighbours[usize::from(*image)]);
                }
                assert!(grid.mills().iter().all(|m| grid.mills().contains(&grid.image(n, *m))));
            }
        }
    }
}
