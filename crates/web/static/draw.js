// Drawing: SVG nodes, and where things are on a board that may be turned.

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

/** Where the places of a picture are, and which one a point is on. */
export class Ground {
  /**
   * @param {Picture} picture
   * @param {boolean} flipped whether `second` sits at the bottom
   */
  constructor(picture, flipped) {
    this.picture = picture;
    this.flipped = flipped;
    /** @type {Map<string, Place>} */
    this.places = new Map(picture.places.map((p) => [p.id, p]));
  }

  /** @param {{x: number, y: number}} point */
  at({ x, y }) {
    const { width, height } = this.picture;
    return this.flipped ? { x: width - x, y: height - y } : { x, y };
  }

  /**
   * The place a tap means, for this seat.
   * @param {string} tap
   * @param {SeatName | null} seat
   */
  placeOf(tap, seat) {
    return this.picture.places.find((p) => p.tap === tap && (!p.seat || !seat || p.seat === seat));
  }

  /**
   * The place under a point of the drawing: the nearest whose box holds it.
   * @param {{x: number, y: number}} point as drawn
   */
  placeAt(point) {
    let best = null;
    let least = Infinity;
    for (const place of this.picture.places) {
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
    for (const place of this.picture.places) {
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
    return [...this.picture.places].sort(
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
  const use = svg("use", { href: `#f-${piece.face}` }, group);
  if (piece.turned !== ground.flipped) use.setAttribute("transform", "rotate(180)");
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
  const digits = String(count);
  const step = place.w * 0.2;
  const left = place.w * 0.36 - step * (digits.length - 1);
  [...digits].forEach((digit, i) => {
    const transform = `translate(${left + step * i} ${place.h * 0.34})`;
    svg("use", { href: `#f-${digit}`, transform }, group);
  });
}
