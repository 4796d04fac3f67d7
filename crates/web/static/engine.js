// What the computer makes of the position looked at: asked for by a button, told as a few lines.

import { announce } from "./board.js";
import { html } from "./draw.js";
import { has, say } from "./words.js";

const THINK_MS = 2000;
const LINES = 3;
/** The seat that likes a number with a plus. */
const PLUS = "first";
/** Moves of a line that are shown. */
const SHOWN = 6;

/**
 * @typedef {object} Score
 * @property {"exact" | "estimate"} kind
 * @property {"win" | "draw" | "loss"} [value] for the side to move
 * @property {number | null} [distance] plies to the end
 * @property {number} [points] hundredths, for the side to move
 */

/**
 * @typedef {object} Hooks
 * @property {(more: Record<string, unknown>) => Promise<any>} ask about the ply looked at
 * @property {(moves: string[]) => Promise<any>} further what these moves lead to from there
 * @property {(text: string) => void} play
 */

/**
 * A score in words; of a number, plus is good for the first seat.
 * @param {Score} score
 * @param {SeatName} mover
 * @param {number} ply
 */
function worth(score, mover, ply) {
  if (score.kind === "estimate") {
    const points = (mover === PLUS ? 1 : -1) * (score.points ?? 0);
    return `${points < 0 ? "\u2212" : "+"}${(Math.abs(points) / 100).toFixed(2)}`;
  }
  if (score.value === "draw") return say("engine-draw");
  const winner = (score.value === "win") === (mover === "first") ? "first" : "second";
  const seat = say(`seat-${winner}`);
  if (!score.distance) return say("engine-wins", { seat });
  return say("engine-wins-by", { seat, ply: ply + score.distance });
}

/** The button and the lines below it. */
export class Engine {
  /**
   * @param {HTMLElement} root
   * @param {Hooks} hooks
   */
  constructor(root, hooks) {
    this.hooks = hooks;
    this.button = /** @type {HTMLButtonElement} */ (document.getElementById("think"));
    this.note = /** @type {HTMLElement} */ (root.querySelector(".note"));
    this.list = /** @type {HTMLElement} */ (root.querySelector("ol"));
    this.root = root;
    this.ply = 0;
    this.button.addEventListener("click", () => void this.think());
  }

  /**
   * Another position is looked at: what was said of the last one is gone.
   * @param {number} ply
   * @param {boolean} over whether the game has ended there
   */
  at(ply, over) {
    this.button.disabled = Boolean(over);
    if (ply === this.ply && !over) return;
    this.ply = ply;
    this.clear();
  }

  clear() {
    this.asked = null;
    this.button.removeAttribute("aria-busy");
    this.list.replaceChildren();
    this.root.toggleAttribute("hidden", true);
  }

  async think() {
    const asked = {};
    this.clear();
    this.asked = asked;
    this.button.setAttribute("aria-busy", "true");
    this.tell(say("engine-thinking"));
    const answer = await this.hooks.ask({ analyze: { time_ms: THINK_MS, lines: LINES } });
    if (this.asked !== asked) return;
    const found = answer?.analyze;
    if (!found) return this.clear();
    const rows = found.lines.map((/** @type {any} */ line) => this.row(line, found.to_move));
    const items = await Promise.all(rows);
    if (this.asked !== asked) return;
    this.button.removeAttribute("aria-busy");
    this.list.replaceChildren(...items);
    const call = found.call && has(`act-${found.call}`) ? say(`act-${found.call}`) : "";
    const plus = say("engine-depth", { depth: found.depth, seat: say(`seat-${PLUS}`) });
    this.tell(call ? say("engine-call", { call }) : plus);
    announce(items[0]?.textContent ?? call);
  }

  /** @param {string} text */
  tell(text) {
    this.root.toggleAttribute("hidden", false);
    this.note.textContent = text;
  }

  /**
   * A line in the notation of the record, to be tried out by a tap.
   * @param {{score: Score, moves: string[]}} line
   * @param {SeatName} mover
   */
  async row(line, mover) {
    const moves = line.moves.slice(0, SHOWN);
    const answer = await this.hooks.further(moves);
    const plies = answer?.record.plies.slice(this.ply + 1) ?? [];
    const texts = plies.map((/** @type {SeenMove} */ p) => p.western || p.text);
    const item = html("li", {});
    const button = html("button", { type: "button" });
    const score = html("b", {}, worth(line.score, mover, this.ply));
    button.append(score, " ", html("span", {}, (texts.length > 0 ? texts : moves).join("  ")));
    button.addEventListener("click", () => this.hooks.play(moves[0]));
    item.append(button);
    return item;
  }
}
