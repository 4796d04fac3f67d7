// What the computer makes of the position looked at: asked for by a switch, told while one looks, as
// a few lines and as arrows on the board.

import { announce } from "./board.js";
import { html } from "./draw.js";
import { readLines } from "./jsonlines.js";
import { together } from "./lines.js";
import { has, remember, remembered, say } from "./words.js";

/** The server ends a search after this time, also if one still looks. */
const THINK_MS = 30_000;
const LINES = 3;
/** The seat that likes a number with a plus. */
const PLUS = "first";
/** Moves of a line that are shown. */
const SHOWN = 6;
/** Not at every ply that somebody only runs past. */
const REST_MS = 250;

/**
 * @typedef {object} Score
 * @property {"exact" | "estimate"} kind
 * @property {"win" | "draw" | "loss"} [value] for the side to move
 * @property {number | null} [distance] plies to the end
 * @property {number} [points] hundredths, for the side to move
 */

/** @typedef {{text: string, native: string, western: string}} Named */
/** @typedef {import("./arrows.js").Arrow} Arrow */

/**
 * @typedef {object} Line
 * @property {number} rank
 * @property {Score | null} score
 * @property {string[]} moves
 * @property {Named[]} names
 * @property {string[]} taps
 * @property {string[]} path
 */

/**
 * @typedef {object} Told what is proved, in words
 * @property {string} text
 * @property {SeatName} seat whom it is good for
 * @property {number | null} plies
 * @property {string[]} moves
 * @property {Named[]} names
 * @property {string[]} [taps] of the first move, where it is one of the position
 * @property {string[]} [path]
 */

/**
 * @typedef {object} Hooks
 * @property {string} game
 * @property {() => Record<string, unknown>} here what asks for the ply looked at
 * @property {(text: string) => void} play
 * @property {(seat: SeatName) => string} name
 * @property {(move: Named) => string} moveName in the notation of the record
 * @property {(arrows: Arrow[]) => void} arrows
 */

/** The switch and the lines below it. */
export class Engine {
  /**
   * @param {HTMLElement} root
   * @param {Hooks} hooks
   */
  constructor(root, hooks) {
    this.hooks = hooks;
    this.root = root;
    this.button = /** @type {HTMLButtonElement} */ (document.getElementById("think"));
    this.note = /** @type {HTMLElement} */ (root.querySelector(".note"));
    this.proofs = /** @type {HTMLElement} */ (root.querySelector(".proofs"));
    this.list = /** @type {HTMLElement} */ (root.querySelector("ol"));
    this.which = /** @type {HTMLSelectElement | null} */ (document.getElementById("engine-name"));
    this.arrows = /** @type {HTMLInputElement} */ (document.getElementById("engine-arrows"));
    this.arrows.checked = remembered("arrows", "on") === "on";
    this.on = false;
    this.silent = false;
    this.waits = false;
    this.ply = 0;
    this.key = "";
    this.over = false;
    this.found = /** @type {any} */ (null);
    /** @type {Told[]} */
    this.proved = [];
    /** @type {SeatName | null} */
    this.mover = null;
    this.resting = 0;
    /** @type {AbortController | null} */
    this.asking = null;
    this.listen();
  }

  listen() {
    this.button.addEventListener("click", () => this.turn(!this.on));
    this.which?.addEventListener("change", () => this.again());
    this.arrows.addEventListener("change", () => {
      remember("arrows", this.arrows.checked ? "on" : "");
      this.point();
    });
    // Nobody looks at a hidden page.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.stop();
      else this.again();
    });
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on && !this.silent;
    this.button.setAttribute("aria-pressed", String(this.on));
    this.root.toggleAttribute("hidden", !this.on);
    if (this.on) this.root.scrollIntoView({ block: "nearest" });
    this.again(0);
  }

  /** The computer is not to be asked here. */
  silence() {
    this.silent = true;
    this.button.disabled = true;
    this.turn(false);
  }

  /** Says nothing while the game is judged: a small server does one thing at a time. @param {boolean} wanted */
  wait(wanted) {
    this.waits = wanted;
    this.again(0);
  }

  /** The program that is chosen; null is the game's own engine. */
  chosen() {
    return this.which?.value || null;
  }

  /**
   * A position is looked at; what was said of another one is gone.
   * @param {number} ply
   * @param {string} key tells it from others
   * @param {boolean} over whether the game has ended there
   */
  at(ply, key, over) {
    if (key === this.key && over === this.over) return;
    [this.ply, this.key, this.over] = [ply, key, over];
    this.again();
  }

  /** @param {number} [rest] */
  again(rest = REST_MS) {
    this.stop();
    this.found = null;
    this.proved = [];
    this.mover = null;
    this.list.replaceChildren();
    this.proofs.replaceChildren();
    this.point();
    if (!this.on) return;
    const state = this.over ? "engine-over" : this.waits ? "engine-waits" : "engine-thinking";
    this.note.textContent = say(state);
    const may = !this.over && !this.waits && !document.hidden;
    if (may) this.resting = window.setTimeout(() => void this.think(), rest);
  }

  stop() {
    clearTimeout(this.resting);
    this.asking?.abort();
    this.asking = null;
    this.button.removeAttribute("aria-busy");
  }

  async think() {
    const asking = new AbortController();
    this.asking = asking;
    this.button.setAttribute("aria-busy", "true");
    const analyze = { time_ms: THINK_MS, lines: LINES, engine: this.chosen() };
    const path = `/api/analysis/${this.hooks.game}/lines`;
    try {
      const fault = await readLines(path, { ...this.hooks.here(), analyze }, asking.signal, (json) => {
        if (this.asking === asking) this.hear(json);
      });
      if (this.asking !== asking) return;
      if (fault !== null) this.note.textContent = fault || say("status-refused");
    } catch {
      if (this.asking !== asking) return;
      this.note.textContent = say("engine-lost");
    }
    this.stop();
  }

  /** The notation has changed. */
  rename() {
    this.paint();
  }

  /** @param {any} json a line of the answer */
  hear(json) {
    this.mover = json.to_move ?? this.mover;
    if (json.proofs) this.proved = json.proofs;
    if (json.lines) this.found = json;
    this.paint();
    this.point();
    if (json.proofs?.length > 0) announce(this.proofs.textContent ?? "");
    if (json.final) announce(this.list.firstElementChild?.textContent ?? this.note.textContent ?? "");
  }

  /** What is known by now, the best line first. */
  known() {
    const { found } = this;
    /** @type {Line[]} */
    const lines = [...(found?.lines ?? [])];
    if (lines.length === 0 && found?.best_shown) {
      lines.push({ rank: 1, score: null, moves: [found.best], ...found.best_shown });
    }
    return together(lines, this.proved, this.mover);
  }

  paint() {
    const { lines, proofs } = this.known();
    this.prove(proofs);
    // Buttons are kept, so that one under the finger or in focus stays what it is.
    while (this.list.children.length > lines.length) this.list.lastElementChild?.remove();
    lines.forEach((line, i) => {
      const item = this.list.children[i] ?? this.list.appendChild(this.row());
      const button = /** @type {HTMLElement} */ (item.firstElementChild);
      button.dataset.move = line.moves[0];
      const texts = line.names.slice(0, SHOWN).map((name) => this.hooks.moveName(name)).join("  ");
      const score = line.score && this.mover ? this.worth(line.score, this.mover) : "";
      const [rank, worth, moves] = button.children;
      rank.textContent = String(line.rank);
      worth.textContent = score;
      moves.textContent = texts;
    });
    const { found } = this;
    if (!found) return;
    const call = found.call && has(`act-${found.call}`) ? say(`act-${found.call}`) : "";
    const seat = this.hooks.name(PLUS);
    this.note.textContent = call
      ? say("engine-call", { call })
      : say("engine-depth", { depth: found.depth, seat });
  }

  row() {
    const item = html("li", {});
    const button = html("button", { type: "button" });
    button.append(html("i", { class: "rank" }), html("b", {}), html("span", {}));
    button.addEventListener("click", () => this.hooks.play(button.dataset.move ?? ""));
    item.append(button);
    return item;
  }

  /** @param {Told[]} proofs */
  prove(proofs) {
    this.proofs.replaceChildren(...proofs.map((proof) => {
      const item = html("p", {}, proof.text);
      const moves = proof.names.map((name) => this.hooks.moveName(name)).join("  ");
      if (moves) item.append(" ", html("span", { class: "muted" }, moves));
      return item;
    }));
  }

  /** Draws the first moves as arrows, if they are wanted. */
  point() {
    const lines = this.on && this.arrows.checked && this.mover ? this.known().lines : [];
    const seat = /** @type {SeatName} */ (this.mover);
    this.hooks.arrows(lines.map(({ rank, taps, path }) => ({ rank, taps, path, seat })));
  }

  /**
   * A score in words; of a number, plus is good for the first seat.
   * @param {Score} score
   * @param {SeatName} mover
   */
  worth(score, mover) {
    const own = ["first", "third"].includes(mover);
    if (score.kind === "estimate") {
      const points = (own ? 1 : -1) * (score.points ?? 0);
      return `${points < 0 ? "\u2212" : "+"}${(Math.abs(points) / 100).toFixed(2)}`;
    }
    if (score.value === "draw") return say("engine-draw");
    const seat = this.hooks.name((score.value === "win") === own ? "first" : "second");
    if (!score.distance) return say("engine-wins", { seat });
    return say("engine-wins-by", { seat, ply: this.ply + score.distance });
  }
}
