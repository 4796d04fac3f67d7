// Notes at the enemy's pieces: what a player guesses of them. They stay in this browser, follow the
// piece as it moves, and go with it.

import { pieceNode, svg } from "./draw.js";
import { forget, remember, remembered } from "./words.js";

/** @typedef {import("./draw.js").Ground} Ground */

/**
 * @typedef {object} Kept
 * @property {string} at where the piece stood
 * @property {number} ply after so many plies
 * @property {Note["sign"]} sign
 * @property {string} letter of the kind; empty for `moved`
 */

/** How large a noted block is beside a piece. */
const SMALL = 0.56;
/** The signs, in a square of 10 units. @type {Record<string, string>} */
const SIGNS = {
  least: "M2 1.5L8 4.500L2 7.500M2 9.500H8",
  most: "M8 1.5L2 4.500L8 7.500M2 9.500H8",
  moved: "M1 5H8.500M5.500 1.500L9 5L5.500 8.500",
};

/**
 * Where a piece stands now, or null if it is gone.
 * @param {Kept} kept
 * @param {SeenMove[]} seen
 * @returns {string | null}
 */
export function follow(kept, seen) {
  if (kept.ply > seen.length) return null;
  let { at } = kept;
  for (const { taps, fell } of seen.slice(kept.ply)) {
    if (!taps.includes(at)) continue;
    if (fell.includes(at)) return null;
    if (taps[0] === at && taps.length > 1) at = taps[1];
  }
  return at;
}

/** The notes of one seat of one game. */
export class Notebook {
  /**
   * @param {string} game the id of the game that is played
   * @param {string} seat
   */
  constructor(game, seat) {
    this.key = `notes-${game}-${seat}`;
    /** @type {Kept[]} */
    this.kept = JSON.parse(remembered(this.key, "[]"));
  }

  /**
   * The notes as they stand, by place.
   * @param {SeenMove[]} seen
   * @returns {Map<string, Kept>}
   */
  standing(seen) {
    const now = new Map();
    for (const kept of this.kept) {
      const at = follow(kept, seen);
      if (at !== null) now.set(at, kept);
    }
    return now;
  }

  /**
   * Notes something at a piece in place of what was noted there; nothing clears it.
   * @param {string} at
   * @param {SeenMove[]} seen
   * @param {{sign: Note["sign"], letter: string} | null} note
   */
  write(at, seen, note) {
    this.kept = this.kept.filter((kept) => follow(kept, seen) !== at);
    if (note) this.kept.push({ at, ply: seen.length, ...note });
    remember(this.key, JSON.stringify(this.kept));
  }

  /** The game is over, and everything is known. */
  close() {
    this.kept = [];
    forget(this.key);
  }
}

/**
 * Draws notes at the corners of the pieces they belong to.
 * @param {SVGElement} layer
 * @param {Ground} ground
 * @param {Note[]} notes
 */
export function drawNotes(layer, ground, notes) {
  layer.replaceChildren();
  for (const note of notes) {
    const place = ground.places.get(note.at);
    if (place) layer.append(noteNode(ground, place, note));
  }
}

/**
 * @param {Ground} ground
 * @param {Place} place
 * @param {Note} note
 */
function noteNode(ground, place, note) {
  const { x, y } = ground.at(place);
  const [w, h] = [place.w * SMALL, place.h * SMALL];
  const group = svg("g", { class: "note", "data-note": note.at });
  const sign = SIGNS[note.sign];
  const wide = (note.face ? w : 0) + (sign ? h * 0.8 : 0);
  // Over the upper right corner: the back of the piece stays in sight.
  const right = x + place.w / 2 + h * 0.1;
  const top = y - place.h / 2 - h * 0.1;
  svg("rect", { x: right - wide, y: top, width: wide, height: h, rx: h * 0.2, class: "note-tag" }, group);
  if (note.face) {
    const piece = { face: note.face, upright: true, turned: false, count: 1 };
    const face = pieceNode(ground, /** @type {ScenePiece} */ (piece), place);
    face.setAttribute("transform", `translate(${right - w / 2} ${top + h / 2}) scale(${SMALL})`);
    group.append(face);
  }
  if (sign) {
    const scale = h * 0.055;
    const at = `translate(${right - wide + h * 0.12} ${top + h * 0.22}) scale(${scale})`;
    svg("path", { d: sign, transform: at, class: "note-sign" }, group);
  }
  return group;
}
