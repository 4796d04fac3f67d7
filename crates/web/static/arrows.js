// Arrows for moves that are talked about: the way of a piece, a ring where one is put, a cross on
// what is taken.

import { svg } from "./draw.js";

/**
 * @typedef {object} Arrow
 * @property {number} rank 1 is the best, and the boldest
 * @property {string[]} taps
 * @property {string[]} path the way, where it is not straight
 * @property {SeatName} seat
 */

/** @typedef {import("./draw.js").Ground} Ground */
/** @typedef {{x: number, y: number}} Point */

/** Parts of a place's side, by rank. */
const WIDTHS = [0.17, 0.115, 0.08];

/**
 * @param {SVGElement} layer
 * @param {Ground} ground
 * @param {Scene} scene
 * @param {Arrow[]} arrows
 */
export function drawArrows(layer, ground, scene, arrows) {
  layer.replaceChildren();
  // The best one lies on top.
  for (const arrow of [...arrows].sort((a, b) => b.rank - a.rank)) {
    drawArrow(svg("g", { class: `arrow rank-${arrow.rank}` }, layer), ground, scene, arrow);
  }
}

/**
 * @param {SVGElement} group
 * @param {Ground} ground
 * @param {Scene} scene
 * @param {Arrow} arrow
 */
function drawArrow(group, ground, scene, { rank, taps, path, seat }) {
  const places = taps.map((tap) => ground.placeOf(tap, seat)).filter((p) => p !== undefined);
  const [from, to] = places;
  if (!from) return;
  const side = Math.min(...places.filter((p) => !p.seat).map((p) => Math.min(p.w, p.h)));
  const width = side * WIDTHS[Math.min(rank, WIDTHS.length) - 1];
  // What is moved stands there, or lies in the hand; else something is put there, or turned up.
  const own = scene.pieces.find((piece) => piece.at === from.id)?.seat === seat;
  const moves = to && (from.seat !== null || own);
  const rest = places.slice(moves ? 2 : 1);
  if (moves) {
    const over = path.map((tap) => ground.placeOf(tap, null)).filter((p) => p !== undefined);
    const way = (over.length > 2 ? over : [from, to]).map((p) => ground.at(p));
    shaft(group, way, width, side);
    badge(group, between(way[0], way[1], 0.42), rank, side);
  } else {
    const at = ground.at(from);
    ring(group, at, side * 0.4, width * 0.6);
    badge(group, { x: at.x + side * 0.32, y: at.y - side * 0.32 }, rank, side);
  }
  for (const place of rest) cross(group, ground.at(place), side * 0.22, width * 0.6);
}

/** @param {Point} a @param {Point} b @param {number} k @returns {Point} */
function between(a, b, k) {
  return { x: a.x + (b.x - a.x) * k, y: a.y + (b.y - a.y) * k };
}

/**
 * @param {SVGElement} group
 * @param {Point[]} way
 * @param {number} width
 * @param {number} side
 */
function shaft(group, way, width, side) {
  const [end, last] = [way[way.length - 1], way[way.length - 2]];
  const length = Math.hypot(end.x - last.x, end.y - last.y) || 1;
  const [dx, dy] = [(end.x - last.x) / length, (end.y - last.y) / length];
  const head = Math.min(length * 0.6, side * 0.2 + width * 1.5);
  // The point lies a little before the middle, so that the piece there stays to be seen.
  const tip = { x: end.x - dx * side * 0.08, y: end.y - dy * side * 0.08 };
  const neck = { x: tip.x - dx * head * 0.92, y: tip.y - dy * head * 0.92 };
  const second = way[1];
  const start = between(way[0], second, Math.min(0.3, (0.22 * side) / Math.hypot(second.x - way[0].x, second.y - way[0].y)));
  const line = [start, ...way.slice(1, -1), neck].map((p) => `${p.x},${p.y}`).join(" ");
  const base = { x: tip.x - dx * head, y: tip.y - dy * head };
  const half = width * 0.7 + side * 0.07;
  const corners = [
    tip,
    { x: base.x - dy * half, y: base.y + dx * half },
    { x: base.x + dy * half, y: base.y - dx * half },
  ];
  const points = corners.map((p) => `${p.x},${p.y}`).join(" ");
  // Light below, so that it is seen on any ground.
  for (const under of [true, false]) {
    const more = under ? side * 0.035 : 0;
    const kind = under ? "under" : "line";
    svg("polyline", { points: line, "stroke-width": width + 2 * more, class: kind }, group);
    svg("polygon", { points, "stroke-width": 2 * more, class: `${kind} head` }, group);
  }
}

/** @param {SVGElement} group @param {Point} at @param {number} r @param {number} width */
function ring(group, at, r, width) {
  for (const kind of ["under", "line"]) {
    const stroke = kind === "under" ? width * 1.7 : width;
    svg("circle", { cx: at.x, cy: at.y, r, "stroke-width": stroke, class: `${kind} ring` }, group);
  }
}

/** @param {SVGElement} group @param {Point} at @param {number} r @param {number} width */
function cross(group, { x, y }, r, width) {
  const d = `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
  for (const kind of ["under", "line"]) {
    svg("path", { d, "stroke-width": kind === "under" ? width * 1.9 : width, class: `${kind} cross` }, group);
  }
}

/** @param {SVGElement} group @param {Point} at @param {number} rank @param {number} side */
function badge(group, { x, y }, rank, side) {
  svg("circle", { cx: x, cy: y, r: side * 0.13, class: "badge" }, group);
  const size = side * 0.19;
  const text = { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle" };
  svg("text", text, group).textContent = String(rank);
}
