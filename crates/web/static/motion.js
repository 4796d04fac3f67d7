// Motion: a piece that glides, discs that turn. Nothing moves where motion is unwanted.

import { pieceNode, svg, symbolOf } from "./draw.js";

/** @typedef {import("./draw.js").Ground} Ground */

const GLIDE_MS = 200;
const TURN_MS = 240;
const NEXT_DISC_MS = 70;
/** Along a way with corners, for each stretch, and at most. */
const STRETCH_MS = 110;
/** Stretches of a jump's arc. */
const ARC_STEPS = 4;
const LONGEST_MS = 800;
/** How long two pieces stand against each other. */
const MEETING_MS = 420;

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

/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} Change from one scene to the next
 * @property {Ground} ground
 * @property {Map<string, ScenePiece>} before pieces by place, before the move
 * @property {Map<string, SVGElement>} nodes drawn pieces by place, after the move
 * @property {Map<string, ScenePiece>} after
 * @property {Moved} moved
 * @property {boolean} carried the piece was carried there by hand
 * @property {boolean} leap the move jumped
 */

/**
 * A point of a line with corners.
 * @param {Point[]} line
 * @param {number} k 0 at its beginning, 1 at its end
 * @returns {Point}
 */
function along(line, k) {
  const lengths = line.slice(1).map((p, i) => Math.hypot(p.x - line[i].x, p.y - line[i].y));
  let left = k * lengths.reduce((sum, length) => sum + length, 0);
  for (const [i, length] of lengths.entries()) {
    if (left <= length && length > 0) return between(line[i], line[i + 1], left / length);
    left -= length;
  }
  return line[line.length - 1];
}

/** @param {Point} a @param {Point} b @param {number} k @returns {Point} */
function between(a, b, k) {
  return { x: a.x + (b.x - a.x) * k, y: a.y + (b.y - a.y) * k };
}

/** @param {SVGElement} piece @param {Point} at @param {string} [more] */
function put(piece, { x, y }, more = "") {
  piece.setAttribute("transform", `translate(${x} ${y}) ${more}`);
}

/** The way of a move as drawn. @param {Change} change @returns {Point[]} */
function wayOf({ ground, moved, leap }) {
  const taps = moved.path.length > 0 ? moved.path : moved.taps;
  const places = taps.map((tap) => ground.placeOf(tap, moved.by));
  const way = places.filter((p) => p !== undefined).map((p) => ground.at(p));
  return leap && way.length === 2 ? arc(way[0], way[1]) : way;
}

/** Points of a jump's arc. @param {Point} start @param {Point} end @returns {Point[]} */
function arc(start, end) {
  const top = topOf(start, end);
  return Array.from({ length: ARC_STEPS + 1 }, (_, i) => {
    const k = i / ARC_STEPS;
    return between(between(start, top, k), between(top, end, k), k);
  });
}

/**
 * What the arc of a jump bends towards: to the right of a way up or down, above a way across.
 * @param {Point} from
 * @param {Point} to
 */
function topOf(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const side = dx + dy < 0 ? -0.36 : 0.36;
  return { x: (from.x + to.x) / 2 + side * dy, y: (from.y + to.y) / 2 - side * dx };
}

/**
 * The arc of a last move that jumped.
 * @param {SVGElement} layer
 * @param {Ground} ground
 * @param {Scene} scene
 */
export function drawLeap(layer, ground, { leap, last }) {
  const [from, to] = last.map((tap) => ground.placeOf(tap, null));
  if (!leap || !from || !to) return;
  const [a, b] = [ground.at(from), ground.at(to)];
  const top = topOf(a, b);
  const d = `M${a.x} ${a.y}Q${top.x} ${top.y} ${b.x} ${b.y}`;
  const dots = `1 ${from.w * 0.14}`;
  svg("path", { d, class: "leap", "stroke-width": from.w * 0.06, "stroke-dasharray": dots }, layer);
}

/** @param {Point[]} way */
function timeFor(way) {
  return way.length <= 2 ? GLIDE_MS : Math.min(LONGEST_MS, STRETCH_MS * (way.length - 1));
}

/**
 * A piece glides to where it stands.
 * @param {SVGElement} piece
 * @param {Point[]} way
 * @param {AbortSignal} signal
 */
function glide(piece, way, signal) {
  piece.parentNode?.append(piece);
  const step = (/** @type {number} */ t) => put(piece, along(way, easeOut(t)));
  run(0, timeFor(way), step, signal);
}

/**
 * Two pieces meet: they stand against each other for a moment, then what fell fades, and who stays
 * takes the place.
 * @param {Change} change
 * @param {SVGElement} layer
 * @param {AbortSignal} signal
 */
export function meet(change, layer, signal) {
  const { ground, before, moved, nodes, carried } = change;
  const way = wayOf(change);
  const [from, to] = moved.taps.map((tap) => ground.placeOf(tap, moved.by));
  const [one, other] = [from, to].map((place) => place && before.get(place.id));
  if (!from || !to || !one || !other) return;
  const [end, last] = [way[way.length - 1], way[way.length - 2]];
  const length = Math.hypot(end.x - last.x, end.y - last.y) || 1;
  // As far apart as two blocks are that touch.
  const [dx, dy] = [Math.abs(end.x - last.x) / length, Math.abs(end.y - last.y) / length];
  const apart = Math.min(to.w / Math.max(dx, 0.01), to.h / Math.max(dy, 0.01)) * 0.9;
  const stop = between(end, last, apart / length);
  const coming = carried ? [stop] : [...way.slice(0, -1), stop];
  const stays = nodes.get(to.id);
  stays?.setAttribute("visibility", "hidden");
  const defender = layer.appendChild(pieceNode(ground, other, to));
  const attacker = layer.appendChild(pieceNode(ground, one, from));
  const travel = carried ? 0 : timeFor(way);
  const total = travel + MEETING_MS + GLIDE_MS;
  const fell = (/** @type {Place} */ place) => moved.fell.includes(place.tap);
  const step = (/** @type {number} */ t) => {
    const ms = t * total;
    const rest = Math.max(0, (ms - travel - MEETING_MS) / GLIDE_MS);
    // Each leans against the other while they stand.
    const lean = Math.sin(Math.PI * Math.min(1, Math.max(0, (ms - travel) / MEETING_MS)));
    const met = between(along(coming, easeOut(travel ? Math.min(1, ms / travel) : 1)), end, lean * 0.1);
    put(attacker, fell(from) ? met : between(met, end, easeOut(rest)));
    put(defender, between(end, stop, lean * 0.1));
    for (const [node, place] of /** @type {[SVGElement, Place][]} */ ([[attacker, from], [defender, to]])) {
      if (fell(place)) node.setAttribute("opacity", String(1 - rest));
    }
    if (t === 1) {
      attacker.remove();
      defender.remove();
      stays?.removeAttribute("visibility");
    }
  };
  run(0, total, step, signal);
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
    use.setAttribute("href", t < 0.5 ? symbolOf(oldFace) : newFace);
    const squeeze = `rotate(${angle}) scale(${Math.max(open, 0.04)} 1) rotate(${-angle})`;
    piece.setAttribute("transform", `translate(${at.x} ${at.y}) ${t < 1 ? squeeze : ""}`);
  };
  run((order - 1) * NEXT_DISC_MS, TURN_MS, step, signal);
}

/**
 * Lets the change from one scene to the next be seen.
 * @param {Change} change
 * @param {AbortSignal} signal
 */
export function animate(change, signal) {
  const { ground, before, nodes, after, moved: move, carried } = change;
  const path = move.taps.map((tap) => ground.placeOf(tap, move.by)).filter((p) => p !== undefined);
  const target = path[1] ?? path[0];
  if (!target) return;
  const to = ground.at(target);
  const moved = nodes.get(target.id);
  if (moved && !carried) {
    const old = before.get(target.id);
    const side = { x: to.x - 1, y: to.y };
    if (path.length > 1) glide(moved, wayOf(change), signal);
    else if (old) turnOver(moved, old.face, to, side, 1, signal);
    else settle(moved, to, signal);
  }
  for (const [id, piece] of after) {
    const old = before.get(id);
    const place = ground.places.get(id);
    const node = nodes.get(id);
    if (!old || !place || !node || place.seat || path.includes(place)) continue;
    if (old.face === piece.face || old.seat === piece.seat) continue;
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
