// Seats: what they are called, and how the board lies before each.

import { has, say } from "./words.js";

/** @type {SeatName[]} */
export const SEATS = ["first", "second", "third", "fourth"];

/**
 * The name of a seat in this game: by its colour or side where it has one.
 * @param {Scene} scene
 * @param {SeatName} seat
 */
export function seatName(scene, seat) {
  const key = scene.sides?.[SEATS.indexOf(seat)];
  return say(key && has(key) ? key : `seat-${seat}`);
}

/** By how many quarters the board goes on when it is turned. @param {number} seats */
export function quarters(seats) {
  return seats > 2 ? 1 : 2;
}

/**
 * By how many quarters the board is turned clockwise for a viewer to sit at the bottom. Four sit
 * anticlockwise.
 * @param {string} viewer
 * @param {number} seats
 */
export function turnsFor(viewer, seats) {
  const seat = SEATS.indexOf(/** @type {SeatName} */ (viewer));
  return Math.max(0, seat) * quarters(seats);
}

/** Anticlockwise, one's own place first. @type {Record<number, string[]>} */
const PLACES = { 2: ["own", "rival"], 4: ["own", "right", "rival", "left"] };

/**
 * Where a seat sits as the board is turned: `own` is at the bottom.
 * @param {SeatName} seat
 * @param {number} turns
 * @param {number} seats
 */
export function sits(seat, turns, seats) {
  const places = PLACES[seats] ?? PLACES[2];
  const bottom = turns / quarters(seats);
  return places[(SEATS.indexOf(seat) - bottom + places.length) % places.length];
}

/**
 * A ply as the board lets it be seen.
 * @param {{taps: string[], path?: string[], fell?: string[], told?: string[], by: SeatName[]}} ply
 * @returns {Moved}
 */
export function movedBy({ taps, path, fell, told, by }) {
  const [mover] = by ?? [];
  return { taps, path: path ?? [], fell: fell ?? [], told: (told ?? []).length > 0, by: mover ?? null };
}
