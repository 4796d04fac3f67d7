// A whole game judged by the computer: the chance to win as a graph and as a table, and the mistakes.

import { announce } from "./board.js";
import { html, svg } from "./draw.js";
import { readLines } from "./jsonlines.js";
import { say } from "./words.js";

const MARKS = /** @type {const} */ (["inaccuracy", "mistake", "blunder"]);
/** Room at both ends of the graph, so that marks there are whole. */
const ENDS_PX = 8;

/** @typedef {import("./engine.js").Named} Named */

/**
 * @typedef {object} Moment what is thought of a position
 * @property {number} ply
 * @property {number | null} chance of the first seat, 0 to 1
 * @property {import("./engine.js").Score | null} score for the side to move
 * @property {Named | null} name of the best move
 */

/**
 * @typedef {object} Judged
 * @property {number} ply
 * @property {SeatName} seat
 * @property {number | null} loss
 * @property {(typeof MARKS)[number] | null} mark
 */

/**
 * @typedef {object} Hooks
 * @property {string} game
 * @property {() => Record<string, unknown>} source what asks for the whole line
 * @property {() => string | null} engine the program that is chosen
 * @property {() => SeenMove[]} line the moves looked at
 * @property {(ply: number) => void} go
 * @property {(seat: SeatName) => string} name
 * @property {(move: Named) => string} moveName in the notation of the record
 * @property {() => void} changed there is more to be told of moves
 * @property {() => void} done all that can be told is there
 * @property {(reviewing: boolean) => void} began the game is being judged, or not any more
 */

export class Review {
  /**
   * @param {HTMLElement} root
   * @param {Hooks} hooks
   */
  constructor(root, hooks) {
    this.root = root;
    this.hooks = hooks;
    const find = (/** @type {string} */ what) => /** @type {HTMLElement} */ (root.querySelector(what));
    this.button = /** @type {HTMLButtonElement} */ (document.getElementById("judge"));
    this.note = find(".note");
    this.slider = find(".graph");
    this.told = find(".told");
    this.counts = find(".counts");
    this.table = find("tbody");
    this.drawing = svg("svg", { "aria-hidden": "true" }, this.slider);
    /** @type {string[]} the texts of the moves that were judged */
    this.judgedLine = [];
    /** @type {Moment[]} */
    this.moments = [];
    /** @type {Map<number, Judged>} */
    this.judged = new Map();
    this.positions = 0;
    this.cursor = 0;
    /** @type {AbortController | null} */
    this.asking = null;
    this.listen();
  }

  listen() {
    this.button.addEventListener("click", () => {
      if (this.asking) this.stop();
      else void this.start();
    });
    const point = (/** @type {PointerEvent} */ event) => {
      const { left, width } = this.slider.getBoundingClientRect();
      const along = (event.clientX - left - ENDS_PX) / (width - 2 * ENDS_PX);
      const at = Math.max(0, Math.min(1, along));
      this.hooks.go(Math.round(at * Math.max(1, this.positions - 1)));
    };
    this.slider.addEventListener("pointerdown", (event) => {
      this.slider.setPointerCapture(event.pointerId);
      point(event);
    });
    this.slider.addEventListener("pointermove", (event) => {
      if (this.slider.hasPointerCapture(event.pointerId)) point(event);
    });
    this.table.closest("details")?.addEventListener("toggle", () => this.tell());
    new ResizeObserver(() => this.draw()).observe(this.slider);
  }

  /** So many moves are looked at; there may be nothing to judge. @param {number} moves */
  lineIs(moves) {
    this.button.hidden = moves === 0;
  }

  /** Another line is looked at. */
  clear() {
    this.stop();
    [this.moments, this.judgedLine, this.positions] = [[], [], 0];
    this.judged.clear();
    this.note.textContent = "";
    this.draw();
    this.hooks.changed();
  }

  /** The computer is not to be asked here. */
  silence() {
    this.stop();
    this.button.disabled = true;
  }

  stop() {
    if (this.asking) this.hooks.began(false);
    this.asking?.abort();
    this.asking = null;
    this.button.textContent = say("review-start");
  }

  async start() {
    this.clear();
    const asking = new AbortController();
    this.asking = asking;
    this.hooks.began(true);
    this.button.textContent = say("review-stop");
    this.judgedLine = this.hooks.line().map((move) => move.text);
    this.positions = this.judgedLine.length + 1;
    const analyze = { engine: this.hooks.engine() };
    const path = `/api/analysis/${this.hooks.game}/review`;
    this.progress();
    try {
      const fault = await readLines(path, { ...this.hooks.source(), analyze }, asking.signal, (json) => {
        if (this.asking === asking) this.hear(json);
      });
      if (this.asking !== asking) return;
      this.note.textContent = fault === null ? say("review-done") : fault || say("status-refused");
    } catch {
      if (this.asking !== asking) return;
      this.note.textContent = say("engine-lost");
    }
    this.stop();
    this.hooks.done();
    announce(`${this.note.textContent} ${this.counts.textContent}`);
  }

  /** What is known, to be kept. */
  known() {
    if (this.moments.length === 0) return null;
    return { line: this.judgedLine, moments: this.moments, judged: [...this.judged.values()] };
  }

  /**
   * Takes what was kept, if it is of the line looked at.
   * @param {any} known
   * @returns {boolean} whether all of it is known
   */
  take(known) {
    const line = this.hooks.line().map((move) => move.text);
    if (!known || known.line.length === 0 || String(known.line) !== String(line)) return false;
    this.clear();
    this.judgedLine = line;
    this.positions = line.length + 1;
    this.moments = known.moments;
    for (const ply of known.judged) this.judged.set(ply.ply, ply);
    this.draw();
    this.hooks.changed();
    if (this.moments.length < this.positions) this.progress();
    else this.note.textContent = say("review-done");
    this.lineIs(line.length);
    return this.moments.length === this.positions;
  }

  /** @param {any} json a line of the answer */
  hear({ moments, judged }) {
    if (!moments) return;
    for (const moment of moments) this.moments[moment.ply] = moment;
    for (const ply of judged) this.judged.set(ply.ply, ply);
    this.progress();
    this.draw();
    if (judged.length > 0) this.hooks.changed();
  }

  progress() {
    const done = this.moments.length;
    this.note.textContent = say("review-progress", { done, all: this.positions });
  }

  /** Whether a ply of the line looked at is one that was judged. @param {number} ply */
  holds(ply) {
    const line = this.hooks.line();
    return ply <= this.judgedLine.length
      && this.judgedLine.slice(0, ply).every((text, i) => line[i]?.text === text);
  }

  /** What is to be said of a move of the line. @param {number} ply @returns {{mark: string, text: string} | null} */
  remark(ply) {
    const mark = this.judged.get(ply)?.mark;
    if (!mark || !this.holds(ply)) return null;
    const best = this.moments[ply - 1]?.name;
    const word = say(`review-${mark}`);
    const text = best ? say("review-better", { mark: word, move: this.hooks.moveName(best) }) : word;
    return { mark, text };
  }

  /** @param {number} ply */
  at(ply) {
    this.cursor = ply;
    this.draw();
  }

  /** The chance after a ply, in words; what is proved, as that. @param {number} ply */
  chance(ply) {
    const moment = this.moments[ply];
    const chance = moment?.chance;
    if (chance === null || chance === undefined) return say("review-unknown");
    if (moment.score?.kind === "exact") return this.proved(ply, moment.score, chance);
    const first = Math.round(chance * 100);
    const seat = this.hooks.name(first >= 50 ? "first" : "second");
    return say("review-chance", { seat, percent: Math.max(first, 100 - first) });
  }

  /**
   * What is proved, and at the end what has come of the game.
   * @param {number} ply
   * @param {import("./engine.js").Score} score
   * @param {number} chance of the first seat
   */
  proved(ply, { value, distance }, chance) {
    const over = distance === 0;
    if (value === "draw") return say(over ? "review-drawn" : "engine-draw");
    const seat = this.hooks.name(chance > 0.5 ? "first" : "second");
    if (over) return say("review-won", { seat });
    return distance ? say("engine-wins-by", { seat, ply: ply + distance }) : say("engine-wins", { seat });
  }

  /** A ply by its number and name. @param {number} ply */
  plyName(ply) {
    const move = this.hooks.line()[ply - 1];
    return move ? `${ply}. ${this.hooks.moveName(move)}` : say("record-start");
  }

  draw() {
    const { slider, moments, positions } = this;
    this.root.toggleAttribute("hidden", positions === 0);
    slider.toggleAttribute("hidden", positions === 0);
    for (const more of [this.told, this.counts, this.table.closest("details")]) {
      more?.toggleAttribute("hidden", positions === 0);
    }
    this.drawing.replaceChildren();
    if (positions === 0) return;
    const [w, h] = [slider.clientWidth, slider.clientHeight];
    if (w === 0) return;
    this.drawing.setAttribute("viewBox", `0 0 ${w} ${h}`);
    const x = (/** @type {number} */ ply) => ENDS_PX + (ply / Math.max(1, positions - 1)) * (w - 2 * ENDS_PX);
    const y = (/** @type {number} */ chance) => 4 + (1 - chance) * (h - 8);
    const known = moments.filter((m) => m && m.chance !== null);
    const points = known.map((m) => [x(m.ply), y(/** @type {number} */ (m.chance))]);
    if (points.length > 1) {
      const [first, last] = [points[0], points[points.length - 1]];
      const line = points.map(([px, py]) => `L${px} ${py}`).join("");
      const d = `M${first[0]} ${y(0.5)}${line}L${last[0]} ${y(0.5)}Z`;
      svg("path", { d, class: "area" }, this.drawing);
    }
    svg("path", { d: `M0 ${y(0.5)}H${w}`, class: "even" }, this.drawing);
    // Whose chance it is that goes up, and whose down.
    for (const [seat, at] of /** @type {[SeatName, number][]} */ ([["first", 18], ["second", h - 9]])) {
      svg("text", { x: ENDS_PX, y: at, class: "side" }, this.drawing).textContent = this.hooks.name(seat);
    }
    svg("polyline", { points: points.map((p) => p.join(",")).join(" "), class: "curve" }, this.drawing);
    this.drawMarks(x, y);
    if (this.holds(this.cursor)) {
      svg("path", { d: `M${x(this.cursor)} 0V${h}`, class: "now" }, this.drawing);
    }
    this.tell();
  }

  /** @param {(ply: number) => number} x @param {(chance: number) => number} y */
  drawMarks(x, y) {
    for (const { ply, mark } of this.judged.values()) {
      const chance = this.moments[ply]?.chance;
      if (!mark || chance === null || chance === undefined) continue;
      // Told apart by shape, too.
      const [cx, cy] = [x(ply), y(chance)];
      const shapes = {
        inaccuracy: `M${cx - 3} ${cy}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`,
        mistake: `M${cx} ${cy - 4.5}L${cx + 4.5} ${cy + 3.5}H${cx - 4.5}Z`,
        blunder: `M${cx} ${cy - 5.5}L${cx + 5.5} ${cy}L${cx} ${cy + 5.5}L${cx - 5.5} ${cy}Z`,
      };
      svg("path", { d: shapes[mark], class: `mark ${mark}` }, this.drawing);
    }
  }

  /** The same in words. */
  tell() {
    const { slider, cursor } = this;
    const here = this.holds(cursor);
    const text = here ? say("review-at", { move: this.plyName(cursor), chance: this.chance(cursor) }) : "";
    const remark = this.remark(cursor);
    this.told.textContent = text;
    if (remark) this.told.append(" ", html("b", { class: `remark ${remark.mark}` }, remark.text));
    slider.setAttribute("aria-valuemax", String(this.positions - 1));
    slider.setAttribute("aria-valuenow", String(Math.min(cursor, this.positions - 1)));
    slider.setAttribute("aria-valuetext", text);
    const counted = (/** @type {number} */ team) => MARKS.map((mark) => {
      const all = [...this.judged.values()].filter((j) => j.mark === mark);
      const own = all.filter((j) => (["second", "fourth"].includes(j.seat) ? 1 : 0) === team);
      return say(`review-count-${mark}`, { n: own.length });
    }).join(", ");
    const rows = /** @type {SeatName[]} */ (["first", "second"]).map((seat, team) =>
      html("p", {}, `${this.hooks.name(seat)}: ${counted(team)}`));
    this.counts.replaceChildren(...rows);
    if (/** @type {HTMLDetailsElement | null} */ (this.table.closest("details"))?.open) this.fill();
  }

  /** The table, once somebody opens it. */
  fill() {
    const rows = this.moments.map((moment) => {
      const row = html("tr", {});
      const go = html("button", { type: "button" }, this.plyName(moment.ply));
      go.addEventListener("click", () => this.hooks.go(moment.ply));
      const cell = html("td", {});
      cell.append(go);
      const remark = this.remark(moment.ply)?.text ?? "";
      row.append(cell, html("td", {}, this.chance(moment.ply)), html("td", {}, remark));
      return row;
    });
    this.table.replaceChildren(...rows);
  }
}
