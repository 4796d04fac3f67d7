// Exact values of the position looked at and of its moves, in games that are solved: told as a
// list, and drawn on the board where a move would end.

import { announce } from "./board.js";
import { html } from "./draw.js";
import { remember, remembered, say } from "./words.js";

/** Not at every position that somebody only runs past. */
const REST_MS = 200;

/**
 * @typedef {object} Worth
 * @property {"win" | "draw" | "loss"} value
 * @property {number | null} distance plies to the end
 */

/**
 * @typedef {Worth & {text: string, native: string, western: string, taps: string[]}} ValuedMove
 */

/**
 * @typedef {object} Hooks
 * @property {() => void} changed what is drawn on the board is to be drawn anew
 * @property {(text: string) => void} play
 * @property {(seat: SeatName) => string} name
 * @property {(move: import("./engine.js").Named) => string} moveName in the notation of the record
 */

/** A worth in words, for the side that moves. @param {Worth} worth */
export function inWords({ value, distance }) {
  return say(`exact-${value}`, { n: distance ?? 0 });
}

/** The switch, and the list below it. */
export class Values {
  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} button
   * @param {string} game
   * @param {Hooks} hooks
   */
  constructor(root, button, game, hooks) {
    this.root = root;
    this.button = button;
    this.game = game;
    this.hooks = hooks;
    const asked = new URLSearchParams(location.search).has("exact");
    this.on = asked || remembered("exact", "") === "on";
    this.key = "";
    /** @type {any} the answer for the position looked at */
    this.answer = null;
    this.resting = 0;
    this.silent = false;
    button.addEventListener("click", () => this.turn(!this.on));
    this.paint("");
  }

  /** Says nothing of this line: its players are still at it. */
  silence() {
    this.silent = true;
    this.button.setAttribute("disabled", "");
    this.turn(false);
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    if (!this.silent) remember("exact", on ? "on" : "");
    const [variant, position] = this.key.split("\n");
    this.key = "";
    this.at(variant ?? "", position ?? "");
    this.hooks.changed();
  }

  /**
   * Another position is looked at.
   * @param {string} variant
   * @param {string} position
   */
  at(variant, position) {
    const key = `${variant}\n${position}`;
    if (key === this.key) return;
    this.key = key;
    this.answer = null;
    clearTimeout(this.resting);
    this.paint(this.on ? say("exact-solving") : "");
    if (this.on) this.resting = window.setTimeout(() => void this.ask(variant, position), REST_MS);
  }

  /**
   * @param {string} variant
   * @param {string} position
   */
  async ask(variant, position) {
    const { key } = this;
    const query = new URLSearchParams({ variant, position });
    const answer = await fetch(`/api/values/${this.game}?${query}`).catch(() => null);
    const body = answer ? await answer.json() : null;
    if (key !== this.key || !this.on) return;
    if (!answer?.ok) return this.paint(body?.error?.message ?? say("status-refused"));
    this.answer = body;
    this.paint(this.verdict());
    announce(this.verdict());
    this.hooks.changed();
  }

  /** What the position is worth, in a sentence. */
  verdict() {
    const { to_move: mover, value, distance, moves } = this.answer;
    if (!mover || moves.length === 0) return say("exact-over");
    return say("exact-verdict", { seat: this.hooks.name(mover), worth: inWords({ value, distance }) });
  }

  /** The notation has changed. */
  rename() {
    if (this.answer) this.paint(this.verdict());
  }

  /** The values of moves, best first, for the board. @returns {ExactMove[]} */
  marks() {
    if (!this.on || !this.answer) return [];
    return this.answer.moves.map((/** @type {ValuedMove} */ move) => ({
      taps: move.taps,
      value: move.value,
      label: say(`exact-mark-${move.value}`, { n: move.distance ?? 0 }),
      words: inWords(move),
    }));
  }

  /** @param {string} head */
  paint(head) {
    const { root, answer } = this;
    this.button.setAttribute("aria-pressed", String(this.on));
    root.toggleAttribute("hidden", !this.on);
    root.replaceChildren(html("p", { class: "head" }, head));
    if (!answer) return;
    const list = html("ol", {});
    for (const move of answer.moves) list.append(this.row(move));
    root.append(list);
    for (const note of answer.notes) root.append(html("p", { class: "note" }, note));
    const under = html("details", { class: "under" });
    under.append(html("summary", {}, say("exact-under")));
    const rules = html("ul", {});
    for (const rule of answer.rules) rules.append(html("li", {}, rule));
    under.append(rules, html("p", {}, say("exact-history")));
    root.append(under);
  }

  /** @param {ValuedMove} move */
  row(move) {
    const item = html("li", {});
    const button = html("button", { type: "button", class: move.value });
    const name = html("span", {}, this.hooks.moveName(move));
    button.append(name, " ", html("b", {}, inWords(move)));
    button.addEventListener("click", () => this.hooks.play(move.text));
    item.append(button);
    return item;
  }
}
