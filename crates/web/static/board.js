// The board: draws a scene on a picture and turns taps, drags and keys into paths of taps.
// It knows no game. What may be tapped next comes with the state, as paths.

import { drawArrows } from "./arrows.js";
import { Ground, html, pieceNode, svg } from "./draw.js";
import { ask } from "./menu.js";
import { animate, drawLeap, mayMove, meet, vanish } from "./motion.js";
import { drawNotes } from "./notes.js";
import { following, leastTaps, matching, outcome, targets } from "./paths.js";
import { nameOf } from "./places.js";
import { bestOf, drawValue } from "./valuemarks.js";
import { say } from "./words.js";

/**
 * @typedef {object} Hooks
 * @property {(taps: string[]) => void} send a whole path
 * @property {(taps: string[] | null) => void} plan a path for one's next turn, or its end
 * @property {(taps: string[]) => void} [refused] a path that is no move, for somebody to say why
 * @property {(words: string) => void} [named] what a place is that somebody comes to
 * @property {(place: Place) => boolean} [note] a place that is to be noted something at, if it may
 */

/** Windows in which the board stands above what belongs to it, as in phone.css. */
const ONE_COLUMN = "(max-width: 560px), (max-width: 1100px) and (orientation: portrait)";
const LAYERS = [
  "ground", "tints", "labels", "under", "pieces", "notes", "arrows", "over", "hits", "hand",
];
const DRAG_PX = { mouse: 4, pen: 6, touch: 9 };
/** How long a finger rests on a place until it asks for its notes. */
const REST_MS = 550;
/** @type {Record<string, {x: number, y: number}>} */
const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** @type {BoardState} */
const NOTHING = {
  scene: { pieces: [], last: [], check: [], facts: [], fallen: [], sides: [], out: [] },
  mode: { kind: "look" },
  turns: 0,
  moved: null,
};

export class Board {
  /**
   * @param {HTMLElement} host
   * @param {Hooks} hooks
   */
  constructor(host, hooks) {
    this.host = host;
    this.hooks = hooks;
    this.state = NOTHING;
    /** @type {Ground} */
    this.ground = new Ground({ width: 1, height: 1, places: [], defs: "", board: "", labels: [] }, 0);
    /** @type {string[]} */
    this.path = [];
    /** @type {import("./arrows.js").Arrow[]} */
    this.arrows = [];
    /** @type {string[] | null} */
    this.planned = null;
    this.focusId = "";
    /** @type {{id: string, x: number, y: number, ghost: SVGElement | null, kind: string} | null} */
    this.grip = null;
    this.fresh = false;
    this.carried = false;
    this.sent = false;
    this.motion = new AbortController();
    this.rest = 0;
    /** @type {(() => void) | null} */
    this.closeMenu = null;
    /** @type {Map<string, SVGElement>} */
    this.nodes = new Map();
    this.root = svg("svg", { class: "board-svg", role: "application" });
    this.root.setAttribute("aria-label", say("board-label"));
    this.root.setAttribute("aria-description", say("board-keys"));
    hatch(svg("defs", {}, this.root));
    this.defs = svg("defs", {}, this.root);
    /** @type {Record<string, SVGElement>} */
    this.layers = {};
    for (const name of LAYERS) this.layers[name] = svg("g", { class: `l-${name}` }, this.root);
    /** @type {{wide: Picture, tall: Picture} | null} */
    this.pictures = null;
    this.narrow = matchMedia(ONE_COLUMN);
    this.narrow.addEventListener("change", () => this.fit());
    this.listen();
  }

  /**
   * Sets the empty board, for wide and for tall windows.
   * @param {{wide: Picture, tall: Picture}} pictures
   */
  setPictures(pictures) {
    this.pictures = pictures;
    this.fit();
  }

  fit() {
    if (this.pictures) this.setPicture(this.pictures[this.narrow.matches ? "tall" : "wide"]);
  }

  /** @param {Picture} picture */
  setPicture(picture) {
    this.appear();
    this.defs.innerHTML = picture.defs;
    this.ground = new Ground(picture, this.state.turns, this.state.part);
    this.layers.ground.innerHTML = picture.board;
    this.lay();
    this.draw();
  }

  /** Stands on the page. What the server drew stands there until there is something better. */
  appear() {
    if (!this.root.isConnected) this.host.replaceChildren(this.root);
  }

  /** Leaves the page, with all that could be seen on it. */
  leave() {
    this.closeMenu?.();
    this.closeMenu = null;
    this.motion.abort();
    this.root.remove();
    this.hooks.named?.("");
    this.state = NOTHING;
    this.arrows = [];
    this.path = [];
    this.draw();
  }

  /**
   * Draws moves that are talked about; what is begun on the board goes on.
   * @param {import("./arrows.js").Arrow[]} arrows
   */
  showArrows(arrows) {
    this.arrows = arrows;
    drawArrows(this.layers.arrows, this.ground, this.state.scene, arrows);
  }

  /** @param {BoardState} state */
  show(state) {
    const before = new Map(this.state.scene.pieces.map((p) => [p.at, p]));
    const { ground } = this;
    const other = (state.part?.join() ?? "") !== (ground.part?.join() ?? "");
    const turned = state.turns !== ground.turns || other;
    if (state.scene !== this.state.scene) this.hooks.named?.("");
    this.state = state;
    this.path = [];
    this.sent = false;
    this.closeMenu?.();
    this.closeMenu = null;
    this.dropGhost();
    this.motion.abort();
    this.motion = new AbortController();
    if (turned) {
      this.ground = new Ground(this.ground.picture, state.turns, state.part);
      this.lay();
    }
    this.draw();
    if (state.moved && !turned && mayMove()) this.move(before, state.moved);
    this.carried = false;
  }

  /**
   * @param {Map<string, ScenePiece>} before
   * @param {Moved} moved
   */
  move(before, moved) {
    const after = new Map(this.state.scene.pieces.map((p) => [p.at, p]));
    const { taps, by: mover, fell } = moved;
    const target = this.ground.placeOf(taps[1] ?? taps[0], mover);
    const taken = target && before.get(target.id);
    const { ground, nodes, carried } = this;
    const leap = this.state.scene.leap === true;
    const change = { ground, before, after, nodes, moved, carried, leap };
    if (moved.told && fell.length > 0 && target && taken) {
      meet(change, this.layers.pieces, this.motion.signal);
      return;
    }
    if (target && taken && taken.seat !== mover && after.get(target.id)) {
      const node = pieceNode(this.ground, taken, target);
      this.layers.pieces.prepend(node);
      vanish(node, this.motion.signal);
    }
    animate(change, this.motion.signal);
  }

  /** The board asks for more of a free path: these options, or a further place. @param {string[]} next */
  proceed(next) {
    const { mode } = this.state;
    if (mode.kind !== "free") return;
    this.sent = false;
    mode.taps = this.path.length + 1;
    if (next.length > 0 && !next.some((tap) => this.isPlace(tap))) this.choose(next);
    this.draw();
  }

  /** Whether there is something for Escape to take back. */
  begun() {
    return this.path.length > 0 || this.planned !== null || this.closeMenu !== null;
  }

  /** Forgets a path that was begun, and a planned one. */
  cancel() {
    this.closeMenu?.();
    this.closeMenu = null;
    if (this.planned) {
      this.planned = null;
      this.hooks.plan(null);
    }
    this.dropGhost();
    if (!this.sent) this.path = [];
    this.draw();
  }

  /** Puts the focus on the board. */
  focus() {
    this.hit(this.focusId)?.focus();
  }

  // --- what may be tapped ---------------------------------------------------------------------

  /** @param {string} tap */
  isPlace = (tap) => this.ground.placeOf(tap, null) !== undefined;

  /** The seat the taps are for. @returns {SeatName | null} */
  seat() {
    const { mode } = this.state;
    return mode.kind === "look" ? null : mode.seat;
  }

  /** @param {string} id */
  pieceAt(id) {
    return this.state.scene.pieces.find((p) => p.at === id);
  }

  /**
   * Whether a tap on a place would go on with this path.
   * @param {Place} place
   * @param {string[]} path
   */
  goesOn(place, path) {
    const { mode } = this.state;
    if (mode.kind === "look" || this.sent) return false;
    if (place.seat && place.seat !== this.seat()) return false;
    if (mode.kind === "choose") return following(mode.choices, path).has(place.tap);
    if (path.length >= mode.taps) return false;
    const piece = this.pieceAt(place.id);
    if (mode.taps === 1) return !place.seat && !(mode.kind === "plan" && piece);
    // A free path begins with a piece of one's own, as a hand would.
    if (path.length === 0) return piece?.seat === mode.seat;
    return !place.seat && piece?.seat !== mode.seat;
  }

  /**
   * A place was tapped.
   * @param {Place} place
   */
  tap(place) {
    if (this.closeMenu) return this.cancel();
    if (this.planned) this.cancel();
    const same = this.path.length === 1 && this.path[0] === place.tap;
    if (this.goesOn(place, this.path)) this.path = [...this.path, place.tap];
    else if (!same && !this.insists() && this.goesOn(place, [])) this.path = [place.tap];
    else return this.refuse(place);
    this.advance();
  }

  /** Whether a path that was begun is to go on, and a second tap never begins another. */
  insists() {
    const { mode } = this.state;
    return mode.kind === "choose" && mode.insist === true && this.path.length > 0;
  }

  /** A tap that leads nowhere; why it does not is asked, if it was meant as a move. @param {Place} place */
  refuse(place) {
    const { mode } = this.state;
    const path = this.path[0] === place.tap ? [] : [...this.path, place.tap];
    const whole = mode.kind === "choose" && path.length >= leastTaps(mode.choices, this.isPlace);
    const onto = !this.pieceAt(place.id) || path.length > 1;
    const sent = this.sent;
    this.cancel();
    if (whole && onto && !place.seat && !sent) this.hooks.refused?.(path);
  }

  /** After a tap: is the path whole, is something to be asked? */
  advance() {
    const { mode } = this.state;
    if (mode.kind === "choose") {
      const { whole, options } = outcome(mode.choices, this.path, this.isPlace);
      if (whole) return this.finish(whole);
      if (options.length > 0) this.choose(options);
    } else if (mode.kind === "free" && this.path.length >= mode.taps) {
      return this.finish(this.path);
    } else if (mode.kind === "plan" && this.path.length >= mode.taps) {
      this.planned = this.path;
      this.path = [];
      this.hooks.plan(this.planned);
    }
    this.draw();
  }

  /** @param {string[]} taps */
  finish(taps) {
    this.path = taps;
    this.sent = true;
    this.draw();
    this.hooks.send(taps);
  }

  /**
   * Goes on with a path planned before, now that it is one's turn.
   * @param {string[]} taps
   */
  resume(taps) {
    this.planned = null;
    const { mode } = this.state;
    if (mode.kind === "choose" && matching(mode.choices, taps).length === 0) return this.draw();
    this.path = taps;
    this.advance();
  }

  /** @param {string[]} options */
  choose(options) {
    const place = this.ground.placeOf(this.path[this.path.length - 1], this.seat());
    const source = this.ground.placeOf(this.path[0], this.seat());
    const piece = source && this.pieceAt(source.id);
    if (!place) return;
    this.draw();
    const faces = options.map((tap) => ({
      tap,
      face: optionFace(tap, piece),
      turned: piece ? this.ground.angle(piece) === 180 : false,
      value: bestOf(this.state.values ?? [], [...this.path, tap]),
    }));
    this.closeMenu = ask(this.host, this.pixels(place), faces, (tap) => {
      this.closeMenu = null;
      if (tap === null) this.cancel();
      else {
        this.path = [...this.path, tap];
        this.advance();
      }
      // The menu that had the focus is gone.
      this.focus();
    });
  }

  // --- drawing --------------------------------------------------------------------------------

  /** Lays out all that hangs on the picture and its direction alone. */
  lay() {
    const { width, height, labels } = this.ground.picture;
    const { x, y, w, h } = this.ground.frame();
    this.root.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
    this.root.classList.toggle("part", this.ground.part !== null);
    for (const box of [this.host, this.host.parentElement]) {
      box?.style.setProperty("--ratio", String(w / h));
    }
    const angle = this.ground.turns * 90;
    this.layers.ground.setAttribute("transform", `rotate(${angle} ${width / 2} ${height / 2})`);
    this.layers.labels.replaceChildren();
    for (const label of labels) {
      const { x, y } = this.ground.at(label);
      const group = svg("g", { transform: `translate(${x} ${y})` }, this.layers.labels);
      group.innerHTML = label.svg;
    }
    const had = this.layers.hits.contains(document.activeElement);
    this.layers.hits.replaceChildren();
    for (const place of this.ground.inOrder()) {
      const box = this.box(place);
      const more = { class: "hit", role: "button", tabindex: -1, "data-id": place.id };
      svg("rect", { ...box, ...more }, this.layers.hits);
    }
    if (!this.ground.places.has(this.focusId)) this.focusId = this.middle();
    this.hit(this.focusId)?.setAttribute("tabindex", "0");
    if (had) this.focus();
  }

  /** The place nearest to the middle of the board. */
  middle() {
    const { x, y, w, h } = this.ground.frame();
    const far = (/** @type {Place} */ p) => {
      const at = this.ground.at(p);
      return Math.hypot(at.x - x - w / 2, at.y - y - h / 2);
    };
    const board = this.ground.list.filter((p) => !p.seat);
    return board.reduce((best, p) => (far(p) < far(best) ? p : best), board[0])?.id ?? "";
  }

  /** @param {Place} place */
  box(place) {
    const { x, y } = this.ground.at(place);
    return { x: x - place.w / 2, y: y - place.h / 2, width: place.w, height: place.h };
  }

  /** @param {string} id @returns {SVGElement | null} */
  hit(id) {
    return this.layers.hits.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  draw() {
    this.drawTints();
    this.drawPieces();
    drawNotes(this.layers.notes, this.ground, this.state.notes ?? []);
    this.showArrows(this.arrows);
    this.drawMarks();
    this.drawHits();
    this.host.classList.toggle("live", this.state.mode.kind !== "look" && !this.sent);
  }

  drawTints() {
    this.layers.tints.replaceChildren();
    const { last, check } = this.state.scene;
    for (const place of this.ground.list) {
      if (place.seat) continue;
      const kind = check.includes(place.id) ? "check" : last.includes(place.tap) ? "last" : null;
      const tint = { ...this.box(place), rx: this.round(place), class: `tint-${kind}` };
      if (kind) svg("rect", tint, this.layers.tints);
    }
    drawLeap(this.layers.tints, this.ground, this.state.scene);
    for (const chain of this.state.scene.glow ?? []) {
      const places = chain.map((id) => this.ground.places.get(id)).filter((p) => p !== undefined);
      const points = places.map((p) => this.ground.at(p)).map((p) => `${p.x},${p.y}`).join(" ");
      const side = Math.min(...places.map((p) => Math.min(p.w, p.h)));
      svg("polyline", { points, "stroke-width": side * 0.16, class: "glow" }, this.layers.tints);
    }
  }

  /** How round the corners of marks are: where pieces are blocks, marks are. @param {Place} place */
  round(place) {
    return this.state.scene.pieces.some((piece) => piece.upright) ? place.h * 0.2 : 0;
  }

  drawPieces() {
    this.layers.pieces.replaceChildren();
    this.nodes = new Map();
    const [from, to] = this.path.map((tap) => this.ground.placeOf(tap, this.seat()));
    for (const piece of this.state.scene.pieces) {
      const place = this.ground.places.get(piece.at);
      if (!place || (to && place === to && from)) continue;
      let stands = place;
      const whole = place === from && piece.count === 1;
      if (whole && to) stands = to;
      const node = pieceNode(this.ground, piece, stands);
      if (place === from && !to) node.classList.add("raised");
      if (this.grip?.ghost && this.grip.id === piece.at && piece.count === 1) {
        node.classList.add("lifted");
      }
      this.layers.pieces.append(node);
      this.nodes.set(piece.at, node);
      if (place === from && to && !whole) {
        this.layers.pieces.append(pieceNode(this.ground, { ...piece, count: 1 }, to));
      }
    }
    // A piece put onto an empty place stands there while the path goes on.
    const own = this.state.scene.pieces.find((p) => p.seat === this.seat() && p.count === 1);
    if (own && from && !from.seat && !this.pieceAt(from.id) && (to || !this.sent)) {
      this.layers.pieces.append(pieceNode(this.ground, own, from));
    }
  }

  drawMarks() {
    this.layers.under.replaceChildren();
    this.layers.over.replaceChildren();
    const first = this.path.length > 0 && this.ground.placeOf(this.path[0], this.seat());
    if (first) {
      const from = { ...this.box(first), rx: this.round(first), class: "mark-from" };
      svg("rect", from, this.layers.under);
    }
    for (const tap of this.planned ?? []) {
      const place = this.ground.placeOf(tap, this.seat());
      if (!place) continue;
      const { x, y, width, height } = this.box(place);
      const [dx, dy] = [width * 0.05, height * 0.05];
      const box = { x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy };
      svg("rect", { ...box, rx: width * 0.08, class: "mark-plan" }, this.layers.over);
    }
    const { mode } = this.state;
    if (mode.kind !== "choose" || this.sent || this.closeMenu) return;
    for (const { place } of this.banned()) {
      const kind = this.path.length > 0 ? "mark-banned" : "mark-banned some";
      svg("rect", { ...this.box(place), class: kind }, this.layers.over);
    }
    for (const tap of this.marked(mode.choices)) {
      const place = this.ground.placeOf(tap, this.seat());
      // That what lies face down can be turned up is seen without a ring.
      const down = place && this.path.length === 0 && this.pieceAt(place.id)?.seat === null;
      const value = bestOf(this.state.values ?? [], [...this.path, tap]);
      if (place && !down) this.mark(place);
      if (!place || !value) continue;
      const at = { ...place, ...this.ground.at(place) };
      drawValue(this.layers.over, at, value, this.pieceAt(place.id) !== undefined);
    }
  }

  /** The taps that are marked: targets, and empty places where a longer path may begin. @param {Choice[]} choices */
  marked(choices) {
    const marked = targets(choices, this.path, this.isPlace);
    for (const tap of this.path.length > 0 ? [] : following(choices, [])) {
      const place = this.ground.placeOf(tap, this.seat());
      if (place && !place.seat && !this.pieceAt(place.id)) marked.add(tap);
    }
    return marked;
  }

  /** Where the piece that was begun with may not go, before one is touched any; and why. */
  banned() {
    const { mode } = this.state;
    const [first] = this.path;
    if (mode.kind !== "choose" || this.path.length > 1) return [];
    const banned = (mode.banned ?? []).filter((b) => !first || b.taps[0] === first);
    const placed = banned.map(({ taps, why }) => ({ place: this.ground.placeOf(taps[1], null), why }));
    return /** @type {{place: Place, why: string}[]} */ (placed.filter(({ place }) => place));
  }

  /** A dot on an empty place, a ring around a piece: of its shape, a block or a disc. @param {Place} place */
  mark(place) {
    const { x, y } = this.ground.at(place);
    const side = Math.min(place.w, place.h);
    const piece = this.pieceAt(place.id);
    if (piece?.upright && place.w > place.h) {
      const ring = { ...this.box(place), rx: side * 0.2, "stroke-width": side * 0.08 };
      svg("rect", { ...ring, class: "mark-ring block" }, this.layers.over);
    } else if (piece) {
      // Around a disc the ring stands clear of it.
      const [r, width, kind] = piece.upright ? [0.5, 0.08, " block"] : [0.46, 0.06, ""];
      const ring = { cx: x, cy: y, r: side * r, "stroke-width": side * width };
      svg("circle", { ...ring, class: `mark-ring${kind}` }, this.layers.over);
    } else {
      svg("circle", { cx: x, cy: y, r: side * 0.13, class: "mark-dot" }, this.layers.over);
    }
  }

  drawHits() {
    const banned = this.banned();
    for (const node of this.layers.hits.children) {
      const place = this.ground.places.get(node.getAttribute("data-id") ?? "");
      if (!place) continue;
      const empty = place.seat !== null && !this.pieceAt(place.id);
      node.classList.toggle("gone", empty);
      const open = this.goesOn(place, this.path) || this.goesOn(place, []);
      node.classList.toggle("open", open);
      node.setAttribute("aria-label", this.describe(place));
      const why = banned.find((b) => b.place === place)?.why;
      node.replaceChildren();
      if (why) svg("title", {}, node).textContent = why;
      const chosen = this.path.includes(place.tap) && (!place.seat || place.seat === this.seat());
      // Only what is chosen is told to be: the others are no switches that are off.
      if (chosen) node.setAttribute("aria-pressed", "true");
      else node.removeAttribute("aria-pressed");
    }
  }

  /** A place in words: "7f, sente pawn, can go to 7e". @param {Place} place */
  describe(place) {
    const parts = nameOf(this.state.scene, place);
    const note = this.state.notes?.find((n) => n.at === place.id);
    if (note) parts.push(note.text);
    const { mode } = this.state;
    if (mode.kind !== "choose") return parts.join(", ");
    if (this.path.length > 0) {
      if (this.goesOn(place, this.path)) parts.push(say("board-target"));
      const value = bestOf(this.state.values ?? [], [...this.path, place.tap]);
      if (value) parts.push(value.words);
      parts.push(...this.banned().filter((b) => b.place === place).map((b) => b.why));
    } else if (!mode.insist && this.goesOn(place, [])) {
      const next = [...following(mode.choices, [place.tap])].filter(this.isPlace);
      const places = next.join(" ");
      parts.push(next.length > 0 ? say("board-can-go", { places }) : say("board-target"));
    }
    return parts.join(", ");
  }

  // --- fingers and keys -----------------------------------------------------------------------

  listen() {
    const hits = this.layers.hits;
    hits.addEventListener("pointerdown", (e) => this.down(/** @type {PointerEvent} */ (e)));
    this.root.addEventListener("pointermove", (e) => this.drag(/** @type {PointerEvent} */ (e)));
    this.root.addEventListener("pointerup", (e) => this.up(/** @type {PointerEvent} */ (e)));
    this.root.addEventListener("pointercancel", () => this.dropGhost());
    hits.addEventListener("contextmenu", (e) => {
      const place = this.placeOfEvent(e);
      if (place && this.askNote(place)) e.preventDefault();
    });
    hits.addEventListener("click", (e) => this.click(/** @type {MouseEvent} */ (e)));
    this.root.addEventListener("keydown", (e) => this.key(/** @type {KeyboardEvent} */ (e)));
    // Not on a part of the drawing: a browser makes whatever listens for focus a stop of the Tab key.
    this.host.addEventListener("focusin", (e) => {
      const place = this.placeOfEvent(e);
      if (place) this.rove(place.id);
      if (place) this.name(place);
    });
  }

  /** @param {Event} event */
  placeOfEvent(event) {
    const id = /** @type {Element} */ (event.target).getAttribute("data-id");
    return id ? this.ground.places.get(id) : undefined;
  }

  /** @param {PointerEvent} event */
  down(event) {
    const place = this.placeOfEvent(event);
    if (!place || event.button !== 0 || this.closeMenu) return;
    this.fresh = false;
    clearTimeout(this.rest);
    if (event.pointerType === "touch") {
      this.rest = window.setTimeout(() => {
        this.fresh = this.askNote(place);
      }, REST_MS);
    }
    // A piece answers at once; the click that follows must not undo it.
    const carries = this.pieceAt(place.id) && this.goesOn(place, []);
    if (!carries || this.goesOn(place, this.path) && this.path.length > 0) return;
    this.grip = { id: place.id, x: event.clientX, y: event.clientY, ghost: null, kind: event.pointerType };
    if (this.path[0] !== place.tap) {
      this.tap(place);
      this.fresh = true;
    }
    if (this.sent) this.grip = null;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { grip } = this;
    if (event.pointerType !== "touch" || Math.hypot(event.movementX, event.movementY) > 3) {
      clearTimeout(this.rest);
    }
    if (!grip) return;
    const limit = DRAG_PX[/** @type {"mouse"} */ (grip.kind)] ?? DRAG_PX.touch;
    if (!grip.ghost) {
      if (Math.hypot(event.clientX - grip.x, event.clientY - grip.y) < limit) return;
      const piece = this.pieceAt(grip.id);
      const place = this.ground.places.get(grip.id);
      if (!piece || !place) return;
      grip.ghost = pieceNode(this.ground, { ...piece, count: 1 }, place);
      grip.ghost.classList.add("ghost");
      this.layers.hand.append(grip.ghost);
      this.root.setPointerCapture(event.pointerId);
      this.path = [place.tap];
      this.draw();
    }
    const { x, y } = this.point(event);
    grip.ghost.setAttribute("transform", `translate(${x} ${y}) scale(1.08)`);
    this.hover(this.ground.placeAt({ x, y }));
  }

  /** @param {Place | null} place */
  hover(place) {
    const over = place && this.goesOn(place, this.path) ? place.id : "";
    for (const node of this.layers.hits.children) {
      node.classList.toggle("aim", node.getAttribute("data-id") === over);
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { grip } = this;
    clearTimeout(this.rest);
    this.grip = null;
    if (!grip?.ghost) return;
    this.hover(null);
    const place = this.ground.placeAt(this.point(event));
    this.layers.hand.replaceChildren();
    this.fresh = true;
    if (!place) return this.cancel();
    if (!this.goesOn(place, this.path)) return this.refuse(place);
    this.carried = true;
    this.tap(place);
  }

  /** @param {Place} place @returns {boolean} whether something is to be noted there */
  askNote(place) {
    return !place.seat && this.hooks.note !== undefined && this.hooks.note(place);
  }

  dropGhost() {
    clearTimeout(this.rest);
    this.grip = null;
    this.layers.hand.replaceChildren();
    this.hover(null);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const place = this.placeOfEvent(event);
    if (place && !this.fresh) {
      this.rove(place.id);
      this.tap(place);
    }
    if (place) this.name(place);
    this.fresh = false;
  }

  /** Says what a place is. @param {Place} place */
  name(place) {
    this.hooks.named?.(nameOf(this.state.scene, place).join(", "));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const place = this.placeOfEvent(event);
    if (event.altKey || event.ctrlKey || event.metaKey || !place) return;
    const way = ARROWS[event.key];
    if (way) {
      const next = this.ground.beside(place, way);
      if (next) this.hit(next.id)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.tap(place);
    } else if (event.key === "Escape" && this.begun()) {
      this.cancel();
    } else if (event.key !== "m" || !this.askNote(place)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Only one place is in the order of the Tab key. @param {string} id */
  rove(id) {
    this.hit(this.focusId)?.setAttribute("tabindex", "-1");
    this.focusId = id;
    this.hit(id)?.setAttribute("tabindex", "0");
  }

  /** @param {{clientX: number, clientY: number}} event */
  point(event) {
    const matrix = /** @type {SVGSVGElement} */ (this.root).getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY);
    return matrix ? point.matrixTransform(matrix.inverse()) : point;
  }

  /** Where a place is, in pixels of the host. @param {Place} place */
  pixels(place) {
    const hit = /** @type {SVGElement} */ (this.hit(place.id)).getBoundingClientRect();
    const host = this.host.getBoundingClientRect();
    const { scrollLeft, scrollTop } = this.host;
    const x = hit.left + hit.width / 2 - host.left + scrollLeft;
    const y = hit.top + hit.height / 2 - host.top + scrollTop;
    return { x, y, size: hit.height };
  }
}

/**
 * Lines for places where a move is forbidden.
 * @param {SVGElement} defs
 */
function hatch(defs) {
  const units = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = svg("pattern", { id: "hatch", width: 7, height: 7, ...units }, defs);
  svg("path", { d: "M0 0V7", class: "hatch" }, pattern);
}

/**
 * The face that shows an option, if the picture draws one.
 * @param {string} tap
 * @param {ScenePiece | undefined} piece
 */
function optionFace(tap, piece) {
  const names = piece ? [`${piece.face}-${tap}`, tap] : [tap];
  return names.find((name) => document.getElementById(`f-${name}`)) ?? null;
}

/**
 * Asks the server for both pictures of a game's board.
 * @param {string} game
 * @param {string} variant
 * @returns {Promise<{wide: Picture, tall: Picture}>}
 */
export async function pictures(game, variant) {
  const one = async (/** @type {string} */ shape) => {
    const query = new URLSearchParams({ variant, shape });
    const answer = await fetch(`/api/picture/${game}?${query}`);
    if (!answer.ok) throw new Error(say("error-picture"));
    return /** @type {Promise<Picture>} */ (answer.json());
  };
  const [wide, tall] = await Promise.all([one("wide"), one("tall")]);
  return { wide, tall };
}

/** The live region of the page. @param {string} text */
export function announce(text) {
  const region = document.getElementById("live") ?? document.body.appendChild(
    html("div", { id: "live", class: "unseen", "aria-live": "polite" }),
  );
  region.textContent = text;
}
