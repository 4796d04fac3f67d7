// The lines that are shown of a position: what is proved comes first, so that the arrow, the first
// line and the sentence above them never tell different moves.

/** @typedef {import("./engine.js").Line} Line */
/** @typedef {import("./engine.js").Told} Told */

/**
 * Of what is proved, a win of the side to move by a line that begins here.
 * @param {Told[]} proofs
 * @param {SeatName | null} mover
 */
function winOf(proofs, mover) {
  return proofs.find((proof) => proof.seat === mover && (proof.taps ?? []).length > 0);
}

/**
 * Whether a line wins sooner than what was proved.
 * @param {Line | undefined} line
 * @param {Told} win
 */
function isSooner(line, win) {
  const score = line?.score;
  if (score?.kind !== "exact" || score.value !== "win" || !score.distance) return false;
  return win.plies === null || score.distance < win.plies;
}

/**
 * What is to be told of proofs and lines that may come in any order.
 * @param {Line[]} lines best first
 * @param {Told[]} proofs
 * @param {SeatName | null} mover
 * @returns {{lines: Line[], proofs: Told[]}}
 */
export function together(lines, proofs, mover) {
  const win = winOf(proofs, mover);
  if (!win) return { lines, proofs };
  // The sentence on the longer way would only confuse.
  if (isSooner(lines[0], win)) return { lines, proofs: proofs.filter((proof) => proof !== win) };
  const { moves, names, taps = [], path = [], plies } = win;
  /** @type {Line} */
  const first = { rank: 1, score: { kind: "exact", value: "win", distance: plies }, moves, names, taps, path };
  const others = lines.filter((line) => line.moves[0] !== moves[0]);
  const all = [first, ...others].slice(0, Math.max(1, lines.length));
  return { lines: all.map((line, i) => ({ ...line, rank: i + 1 })), proofs };
}
