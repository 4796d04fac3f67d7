// Motion: a piece that glides, discs that turn. Nothing moves where motion is unwanted.

/** @typedef {import("./draw.js").Ground} Ground */

const GLIDE_MS = 200;
const TURN_MS = 240;
const NEXT_DISC_MS = 70;

/** Whether things may move. */
export function mayMove() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {number} t 0 to 1 */
const easeOut = (t) => 1 - (1 - t) ** 3;

/**
 * Calls `step` with 0 to 1 on each frame.
 * @param {number} delay
 * @param {number} duration
 * @param {(t: number) => void} step
 * @param {AbortSignal} signal jumps to the end
 */
function run(delay, duration, step, signal) {
  const start = performance.now() + delay;
  step(0);
  /** @param {number} now */
  const frame = (now) => {
    const t = signal.aborted ? 1 : Math.min(1, Math.max(0, (now - start) / duration));
    step(t);
    if (t < 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/**
 * A piece glides to where it stands.
 * @param {SVGElement} piece
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {AbortSignal} signal
 */
export function glide(piece, from, to, signal) {
  piece.parentNode?.append(piece);
  const step = (/** @type {number} */ t) => {
    const k = easeOut(t);
    const x = from.x + (to.x - from.x) * k;
    const y = from.y + (to.y - from.y) * k;
    piece.setAttribute("transform", `translate(${x} ${y})`);
  };
  run(0, GLIDE_MS, step, signal);
}

/**
 * A piece comes down on its place.
 * @param {SVGElement} piece
 * @param {{x: number, y: number}} to
 * @param {AbortSignal} signal
 */
export function settle(piece, to, signal) {
  const step = (/** @type {number} */ t) => {
    const scale = 1.15 - 0.15 * easeOut(t);
    piece.setAttribute("transform", `translate(${to.x} ${to.y}) scale(${scale})`);
    piece.setAttribute("opacity", String(Math.min(1, 0.3 + t)));
    if (t === 1) piece.removeAttribute("opacity");
  };
  run(0, GLIDE_MS, step, signal);
}

/**
 * A disc turns over about the axis that stands across the line from where the move was made.
 * @param {SVGElement} piece as it is afterwards
 * @param {string} oldFace
 * @param {{x: number, y: number}} at
 * @param {{x: number, y: number}} from
 * @param {number} order how far along the line, 1 is next to the move
 * @param {AbortSignal} signal
 */
export function turnOver(piece, oldFace, at, from, order, signal) {
  const use = piece.querySelector("use");
  if (!use) return;
  const newFace = use.getAttribute("href") ?? "";
  const angle = (Math.atan2(at.y - from.y, at.x - from.x) * 180) / Math.PI;
  const step = (/** @type {number} */ t) => {
    const open = Math.abs(Math.cos(Math.PI * t));
    use.setAttribute("href", t < 0.5 ? `#f-${oldFace}` : newFace);
    const squeeze = `rotate(${angle}) scale(${Math.max(open, 0.04)} 1) rotate(${-angle})`;
    piece.setAttribute("transform", `translate(${at.x} ${at.y}) ${t < 1 ? squeeze : ""}`);
  };
  run((order - 1) * NEXT_DISC_MS, TURN_MS, step, signal);
}

/**
 * Lets the change from one scene to the next be seen.
 * @param {object} change
 * @param {Ground} change.ground
 * @param {Map<string, ScenePiece>} change.before pieces by place, before the move
 * @param {Map<string, SVGElement>} change.nodes drawn pieces by place, after the move
 * @param {Map<string, ScenePiece>} change.after
 * @param {string[]} change.taps of the move
 * @param {SeatName | null} change.mover
 * @param {boolean} change.carried the piece was carried there by hand
 * @param {AbortSignal} signal
 */
export function animate({ ground, before, nodes, after, taps, mover, carried }, signal) {
  const path = taps.map((tap) => ground.placeOf(tap, mover)).filter((p) => p !== undefined);
  const target = path[1] ?? path[0];
  if (!target) return;
  const to = ground.at(target);
  const moved = nodes.get(target.id);
  if (moved && !carried) {
    if (path.length > 1) glide(moved, ground.at(path[0]), to, signal);
    else settle(moved, to, signal);
  }
  for (const [id, piece] of after) {
    const old = before.get(id);
    const place = ground.places.get(id);
    const node = nodes.get(id);
    if (!old || !place || !node || place.seat || path.includes(place)) continue;
    if (old.face === piece.face) continue;
    const at = ground.at(place);
    const order = Math.max(Math.abs(at.x - to.x) / place.w, Math.abs(at.y - to.y) / place.h);
    turnOver(node, old.face, at, to, order, signal);
  }
}

/**
 * Fades what was taken, below what moves.
 * @param {SVGElement} piece
 * @param {AbortSignal} signal
 */
export function vanish(piece, signal) {
  const step = (/** @type {number} */ t) => {
    piece.setAttribute("opacity", String(1 - t));
    if (t === 1) piece.remove();
  };
  run(0, GLIDE_MS, step, signal);
}
