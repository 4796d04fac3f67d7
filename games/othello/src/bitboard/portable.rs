//! 64-bit integer arithmetic, for any processor.

use super::{Batch, Board8, INNER_FILES, Isa, Job, RAYS};

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Isa for Portable {
    const NAME: &'static str = "portable";

    #[inline(always)]
    fn run<J: Job>(self, job: J) -> J::Output {
        job.run(self)
    }

    #[inline(always)]
    fn moves(self, board: Board8) -> u64 {
        moves(board)
    }

    #[inline(always)]
    fn flips(self, Board8 { own, enemy }: Board8, square: u32) -> u64 {
        let rays = &RAYS.0[square as usize & 63];
        let mut turned = 0;
        for ray in &rays[..4] {
            // The first square of the ray that is no enemy disc, if it is an own disc.
            let stops = ray & !enemy;
            let far = stops & stops.wrapping_neg() & own;
            turned |= ray & far.wrapping_sub(u64::from(far != 0));
        }
        for ray in &rays[4..] {
            // The `| 1` gives an unbroken ray a stop off the ray or on an enemy disc.
            let stops = ray & !enemy;
            let far = (1 << 63 >> (stops | 1).leading_zeros()) & own & ray;
            turned |= ray & (far << 1).wrapping_neg();
        }
        turned
    }

    fn play_batch(self, batch: &mut Batch) {
        play_batch(batch);
    }
}

/// See [`Isa::play_batch`]: a loop without branches, which compilers turn into vectors of boards.
#[inline(always)]
pub(super) fn play_batch(batch: &mut Batch) {
    // Whole vectors; boards beyond the last are never read.
    let end = batch.len.next_multiple_of(Batch::LANES);
    let owns = &mut batch.own[..end];
    let enemies = &mut batch.enemy[..end];
    let squares = &mut batch.squares[..end];
    for ((own, enemy), square) in owns.iter_mut().zip(enemies).zip(squares) {
        let turned = turned(*own, *enemy, *square);
        let after = Board8 { own: *enemy ^ turned, enemy: *own ^ turned ^ *square };
        (*own, *enemy, *square) = (after.own, after.enemy, moves(after));
    }
}

#[inline(always)]
fn moves(Board8 { own, enemy }: Board8) -> u64 {
    let inner = enemy & INNER_FILES;
    // A carry runs through the enemy discs beside an own disc and stops on the square after.
    let mut landings = inner.wrapping_add(inner & (own << 1)) & !inner;
    landings |= down::<1>(own, inner) >> 1;
    landings |= up::<8>(own, enemy) << 8 | down::<8>(own, enemy) >> 8;
    landings |= up::<7>(own, inner) << 7 | down::<7>(own, inner) >> 7;
    landings |= up::<9>(own, inner) << 9 | down::<9>(own, inner) >> 9;
    landings & !(own | enemy)
}

/// The discs turned by a disc on a square that is given as a bit; none for no bit.
#[inline(always)]
fn turned(own: u64, enemy: u64, bit: u64) -> u64 {
    let inner = enemy & INNER_FILES;
    let if_closed = |run: u64, after: u64| if after & own == 0 { 0 } else { run };
    let upward = |run: u64, step: u32| if_closed(run, run << step);
    let downward = |run: u64, step: u32| if_closed(run, run >> step);
    let next = bit << 1;
    let landing = inner.wrapping_add(inner & next) & !inner;
    let mut turned = if_closed(landing.wrapping_sub(next), landing);
    turned |= downward(down::<1>(bit, inner), 1);
    turned |= upward(up::<8>(bit, enemy), 8) | downward(down::<8>(bit, enemy), 8);
    turned |= upward(up::<7>(bit, inner), 7) | downward(down::<7>(bit, inner), 7);
    turned | upward(up::<9>(bit, inner), 9) | downward(down::<9>(bit, inner), 9)
}

/// The unbroken runs of `through` that begin beside a disc, towards higher bits. A run has six
/// squares at most; the fill doubles its reach with every step.
#[inline(always)]
fn up<const STEP: u32>(discs: u64, through: u64) -> u64 {
    let mut run = through & (discs << STEP);
    run |= through & (run << STEP);
    let pairs = through & (through << STEP);
    run |= pairs & (run << (2 * STEP));
    run | pairs & (run << (2 * STEP))
}

/// [`up`] towards lower bits.
#[inline(always)]
fn down<const STEP: u32>(discs: u64, through: u64) -> u64 {
    let mut run = through & (discs >> STEP);
    run |= through & (run >> STEP);
    let pairs = through & (through >> STEP);
    run |= pairs & (run >> (2 * STEP));
    run | pairs & (run >> (2 * STEP))
}
