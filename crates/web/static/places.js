// A place of the board in words: for screen readers, and in the line by the board for whoever taps
// or comes to it.

import { seatName } from "./seats.js";
import { say } from "./words.js";

/**
 * What a place is and what stands there: "7f, Black pawn".
 * @param {Scene} scene
 * @param {Place} place
 * @returns {string[]}
 */
export function nameOf(scene, place) {
  const piece = scene.pieces.find((p) => p.at === place.id);
  const where = place.seat ? say("board-hand", { seat: say(`seat-${place.seat}`) }) : place.tap;
  const kind = place.kind ? [say(place.kind)] : [];
  if (!piece) return [where, ...kind, say("board-empty")];
  const [owner, kindOf] = [piece.seat ? seatName(scene, piece.seat) : "", say(piece.name)];
  // A "white man" needs no second "White".
  const told = kindOf.toLowerCase().startsWith(`${owner.toLowerCase()} `);
  const name = told ? kindOf : say("board-piece", { owner, name: kindOf }).trim();
  return [where, ...kind, name, ...(piece.count > 1 ? [String(piece.count)] : [])];
}
