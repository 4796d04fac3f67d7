// Drawing: SVG nodes, and where things are on a board that may be turned.

import { remember, remembered } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {Element} [parent]
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, parent) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  parent?.append(node);
  return node;
}

/**
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function html(name, attributes = {}, text) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** Whether pieces bear characters, where a picture draws them both ways. */
let written = remembered("faces", "drawings") === "characters";

/** @param {boolean} wanted */
export function writeFaces(wanted) {
  written = wanted;
  remember("faces", wanted ? "characters" : "drawings");
}

export function facesAreWritten() {
  return written;
}

/** The reference to a face's symbol. @param {string} face */
export function symbolOf(face) {
  const characters = `f-${face}-characters`;
  return `#${written && document.getElementById(characters) ? characters : `f-${face}`}`;
}

/** Where the places of a picture are, and which one a point is on. */
export class Ground {
  /**
   * @param {Picture} picture
   * @param {number} turns by how many quarters the board is turned clockwise
   * @param {string[] | null} [part] the places to be seen, if not all
   */
  constructor(picture, turns, part = null) {
    this.picture = picture;
    this.turns = turns;
    this.part = part;
    this.list = part ? picture.places.filter((p) => part.includes(p.id)) : picture.places;
    /** @type {Map<string, Place>} */
    this.places = new Map(this.list.map((p) => [p.id, p]));
  }

  /** @param {{x: number, y: number}} point */
  at({ x, y }) {
    const { width, height } = this.picture;
    const turned = [
      { x, y },
      { x: height - y, y: x },
      { x: width - x, y: height - y },
      { x: y, y: width - x },
    ];
    return turned[this.turns];
  }

  /** What is to be seen of the drawing: all of it, or the part with some paper around. */
  frame() {
    if (!this.part) return { x: 0, y: 0, w: this.picture.width, h: this.picture.height };
    const centres = this.list.map((p) => this.at(p));
    const { w, h } = this.list[0];
    const [xs, ys] = [centres.map((c) => c.x), centres.map((c) => c.y)];
    // Behind the last rank stand the letters of the files.
    const [x, y] = [Math.min(...xs) - w, Math.min(...ys) - 0.72 * h];
    return { x, y, w: Math.max(...xs) + w - x, h: Math.max(...ys) + 1.2 * h - y };
  }

  /** By how many degrees a piece is turned as drawn. @param {ScenePiece} piece */
  angle(piece) {
    return ((piece.upright ? 0 : this.turns * 90) + (piece.turned ? 180 : 0)) % 360;
  }

  /**
   * The place a tap means, for this seat.
   * @param {string} tap
   * @param {SeatName | null} seat
   */
  placeOf(tap, seat) {
    return this.list.find((p) => p.tap === tap && (!p.seat || !seat || p.seat === seat));
  }

  /**
   * The place under a point of the drawing: the nearest whose box holds it.
   * @param {{x: number, y: number}} point as drawn
   */
  placeAt(point) {
    let best = null;
    let least = Infinity;
    for (const place of this.list) {
      const c = this.at(place);
      const [dx, dy] = [Math.abs(point.x - c.x), Math.abs(point.y - c.y)];
      const far = Math.hypot(dx, dy);
      if (dx <= place.w / 2 && dy <= place.h / 2 && far < least) [best, least] = [place, far];
    }
    return best;
  }

  /**
   * The neighbour in a direction: near, and little to the side.
   * @param {Place} from
   * @param {{x: number, y: number}} way a unit step as drawn
   */
  beside(from, way) {
    const start = this.at(from);
    let best = null;
    let least = Infinity;
    for (const place of this.list) {
      const c = this.at(place);
      const [dx, dy] = [c.x - start.x, c.y - start.y];
      const along = dx * way.x + dy * way.y;
      const aside = Math.abs(dx * way.y - dy * way.x);
      const cost = along + 2.5 * aside;
      if (along > 0.3 * Math.min(from.w, from.h) && cost < least) [best, least] = [place, cost];
    }
    return best;
  }

  /** Places in reading order as drawn. */
  inOrder() {
    const row = (/** @type {Place} */ p) => Math.round((this.at(p).y * 2) / p.h);
    return [...this.list].sort(
      (a, b) => row(a) - row(b) || this.at(a).x - this.at(b).x,
    );
  }
}

/**
 * A piece as drawn: `<g><use/>figures</g>`.
 * @param {Ground} ground
 * @param {ScenePiece} piece
 * @param {Place} place
 */
export function pieceNode(ground, piece, place) {
  const { x, y } = ground.at(place);
  const group = svg("g", { class: "piece", transform: `translate(${x} ${y})` });
  const use = svg("use", { href: symbolOf(piece.face) }, group);
  const angle = ground.angle(piece);
  if (angle !== 0) use.setAttribute("transform", `rotate(${angle})`);
  if (piece.count > 1) figures(group, piece.count, place);
  return group;
}

/**
 * Small figures at the foot of a place, as in the server's diagrams.
 * @param {Element} group
 * @param {number} count
 * @param {Place} place
 */
function figures(group, count, place) {
  const whole = document.getElementById(`f-${count}`) !== null;
  const symbols = whole ? [String(count)] : [...String(count)];
  const step = place.w * 0.2;
  const left = place.w * 0.36 - step * (symbols.length - 1);
  symbols.forEach((symbol, i) => {
    const transform = `translate(${left + step * i} ${place.h * 0.34})`;
    svg("use", { href: `#f-${symbol}`, transform }, group);
  });
}

/**
 * A piece as a small picture in a text.
 * @param {string} face
 * @param {Ground} ground of the board whose picture draws it
 */
export function pieceIcon(face, ground) {
  const { w, h } = ground.list[0] ?? { w: 1, h: 1 };
  const icon = svg("svg", { class: "icon-piece", viewBox: `${-w / 2} ${-h / 2} ${w} ${h}` });
  icon.setAttribute("aria-hidden", "true");
  svg("use", { href: symbolOf(face) }, icon);
  return icon;
}
