// Exact values drawn on the board, where a move would end.

import { svg } from "./draw.js";

/**
 * Draws what a move to a place is worth at that place.
 * @param {SVGElement} layer
 * @param {{x: number, y: number, w: number, h: number}} at centre and size of the place
 * @param {ExactMove} move the best that goes there
 * @param {boolean} aside at the foot of the place, so that what stands there is seen
 */
export function drawValue(layer, { x, y, w, h }, move, aside) {
  const side = Math.min(w, h);
  const size = side * (aside ? 0.26 : 0.32);
  const [width, height] = [size * (0.62 * move.label.length + 0.6), size * 1.4];
  const middle = aside ? y + h * 0.34 : y;
  const group = svg("g", { class: `exact ${move.value}` }, layer);
  const box = { x: x - width / 2, y: middle - height / 2, width, height };
  svg("rect", { ...box, rx: size * 0.3 }, group);
  const text = svg("text", { x, y: middle + size * 0.36, "font-size": size }, group);
  text.setAttribute("text-anchor", "middle");
  text.textContent = move.label;
}

/**
 * The best of the moves that go on with a path.
 * @param {ExactMove[]} moves best first
 * @param {string[]} path
 */
export function bestOf(moves, path) {
  return moves.find((m) => path.every((tap, i) => m.taps[i] === tap));
}
