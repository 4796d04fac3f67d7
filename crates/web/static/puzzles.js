// The puzzles of a game: one at a time, every try answered by the server.

import { Board, announce, pictures } from "./board.js";
import { listenForFaces, offerFaces } from "./faces.js";
import { byId, listenForMoves, namePlace } from "./parts.js";
import { movedBy, quarters, seatName, turnsFor } from "./seats.js";
import * as sound from "./sound.js";
import { data, remember, remembered, say } from "./words.js";

/** How long each ply of an answer is looked at before the next. */
const STEP_MS = 800;

/**
 * @typedef {SeenMove & {scene: Scene, in_check: boolean | null}} PuzzlePly
 * @typedef {{aim: string, plies: number | null, variant: string, position: string, scene: Scene,
 *   to_move: SeatName, choices: Choice[]}} Puzzle
 */

class PuzzlePage {
  constructor() {
    const { game, puzzles } = data("page");
    this.game = /** @type {string} */ (game);
    this.all = /** @type {{aim: string, plies: number | null}[]} */ (puzzles);
    this.n = 0;
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** the line so far: own moves and the answers @type {string[]} */
    this.moves = [];
    /** where the line stood before the last try @type {{scene: Scene, choices: Choice[]}} */
    this.at = { scene: /** @type {any} */ (null), choices: [] };
    this.turns = 0;
    this.drawn = "";
    this.failed = /** whether the last try was none that counts */ false;
    /** Counts what is shown, so that an answer to an earlier question is dropped. */
    this.asked = 0;
    this.done = new Set(remembered(`puzzles-${this.game}`, "").split(",").filter(Boolean).map(Number));
    this.board = new Board(byId("board"), {
      send: (taps) => void this.tapped(taps),
      plan: () => undefined,
      named: namePlace,
    });
  }

  async start() {
    this.listen();
    this.paintList();
    await this.open(Number(location.hash.slice(1)) || this.first());
  }

  /** The first that is not solved yet. */
  first() {
    const open = this.all.findIndex((_, i) => !this.done.has(i + 1));
    return open < 0 ? 1 : open + 1;
  }

  /** @param {number} wanted */
  async open(wanted) {
    const n = Math.min(Math.max(1, wanted), this.all.length);
    this.asked += 1;
    const { asked } = this;
    const answer = await fetch(`/api/puzzles/${this.game}/${n}`);
    const body = await answer.json();
    if (asked !== this.asked) return;
    if (!answer.ok) return this.tell(body.error?.message ?? say("status-refused"), "bad");
    this.n = n;
    this.puzzle = /** @type {Puzzle} */ (body);
    if (this.drawn !== body.variant) {
      this.drawn = body.variant;
      const both = await pictures(this.game, body.variant);
      offerFaces(byId("faces"), both);
      this.board.setPictures(both);
    }
    history.replaceState(null, "", `#${n}`);
    this.turns = turnsFor(body.to_move, 2);
    this.restart();
    announce(byId("aim").textContent ?? "");
  }

  /** From the beginning of the puzzle. */
  restart() {
    const { puzzle } = this;
    if (!puzzle) return;
    this.moves = [];
    this.at = { scene: puzzle.scene, choices: puzzle.choices };
    const seat = seatName(puzzle.scene, puzzle.to_move);
    byId("number").textContent = say("puzzle-number", { n: this.n });
    byId("aim").textContent = say(`puzzle-aim-${puzzle.aim}`, { seat, n: puzzle.plies ?? 0 });
    this.tell(puzzle.plies ? say("puzzle-count") : "", "");
    this.wait();
    const query = new URLSearchParams({ variant: puzzle.variant, position: puzzle.position });
    byId("analyse").setAttribute("href", `/analysis/${this.game}?${query}`);
    this.paintList();
  }

  /** Waits for a try. */
  wait() {
    const { scene, choices } = this.at;
    const seat = this.puzzle?.to_move ?? "first";
    this.show(scene, { kind: "choose", choices, seat }, null);
    this.offer("try");
  }

  /**
   * @param {Scene} scene
   * @param {BoardMode} mode
   * @param {Moved | null} moved
   */
  show(scene, mode, moved) {
    this.shown = { scene, mode };
    this.board.show({ scene, mode, turns: this.turns, moved });
  }

  /** @param {string[]} taps */
  async tapped(taps) {
    const choice = this.at.choices.find((c) => String(c.taps) === String(taps));
    if (choice) await this.post({ moves: [...this.moves, choice.text] });
  }

  /** @param {{moves: string[], show?: boolean}} tried */
  async post(tried) {
    this.asked += 1;
    const { asked } = this;
    const answer = await fetch(`/api/puzzles/${this.game}/${this.n}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(tried),
    });
    const body = await answer.json();
    if (asked !== this.asked) return;
    if (!answer.ok) {
      this.tell(body.error?.message ?? say("status-refused"), "bad");
      return this.wait();
    }
    this.judged(body);
    const plies = /** @type {PuzzlePly[]} */ (body.plies);
    const more = body.verdict === "right" && !body.solved;
    if (more) {
      this.moves = [...this.moves, ...plies.map((p) => p.text)];
      this.at = { scene: plies[plies.length - 1].scene, choices: body.choices };
    }
    await this.playOut(plies, asked);
    if (more && asked === this.asked) this.wait();
  }

  /** What a try came to, in words. @param {any} body */
  judged(body) {
    const kinds = /** @type {Record<string, string>} */ ({ right: "good", slower: "warn", fails: "bad" });
    this.tell(body.message, kinds[body.verdict] ?? "");
    announce(body.message);
    this.failed = ["slower", "fails"].includes(body.verdict);
    this.offer(this.failed ? "failed" : body.verdict === "right" && !body.solved ? "try" : "done");
    if (!body.solved) return;
    this.done.add(this.n);
    remember(`puzzles-${this.game}`, [...this.done].join(","));
    this.paintList();
  }

  /**
   * Plays plies one after another, with time to look at each.
   * @param {PuzzlePly[]} plies
   * @param {number} asked
   */
  async playOut(plies, asked) {
    for (const [i, ply] of plies.entries()) {
      if (i > 0) await new Promise((done) => setTimeout(done, STEP_MS));
      if (asked !== this.asked) return;
      this.show(ply.scene, { kind: "look" }, movedBy(ply));
      sound.play(ply.in_check ? "check" : "move");
    }
  }

  /** @param {string} text @param {string} kind */
  tell(text, kind) {
    const line = byId("answer");
    line.textContent = text;
    line.className = `note ${kind}`;
  }

  /**
   * Which buttons there are, and which is the next thing to do: a move, the same once more, the
   * next puzzle.
   * @param {"try" | "failed" | "done"} stage
   */
  offer(stage) {
    byId("move-form").toggleAttribute("hidden", stage !== "try");
    byId("again").toggleAttribute("hidden", stage === "try");
    byId("show").toggleAttribute("hidden", stage === "done");
    byId("again").classList.toggle("primary", stage === "failed");
    byId("next").classList.toggle("primary", stage === "done");
    if (stage === "failed") byId("again").focus();
    if (stage === "done") byId("next").focus();
  }

  paintList() {
    for (const link of document.querySelectorAll("#puzzles a")) {
      const n = Number(link.getAttribute("href")?.slice(1));
      const done = this.done.has(n);
      link.classList.toggle("done", done);
      const words = say("puzzle-number", { n });
      link.setAttribute("aria-label", done ? `${words}, ${say("puzzle-done")}` : words);
      if (n === this.n) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  listen() {
    byId("again").addEventListener("click", () => {
      this.asked += 1;
      // A line that was begun well is gone on with.
      if (this.failed && this.moves.length > 0) {
        this.tell("", "");
        this.wait();
      } else this.restart();
      this.board.focus();
    });
    listenForFaces(byId("faces"), () => {
      const { scene, mode } = this.shown ?? {};
      if (scene && mode) this.show(scene, mode, null);
    });
    listenForMoves((move) => void this.post({ moves: [...this.moves, move] }));
    byId("next").addEventListener("click", () => void this.open((this.n % this.all.length) + 1));
    byId("show").addEventListener("click", () => void this.post({ moves: this.moves, show: true }));
    byId("flip").addEventListener("click", () => {
      const { scene, mode } = this.shown ?? {};
      this.turns = (this.turns + quarters(2)) % 4;
      if (scene && mode) this.show(scene, mode, null);
    });
    addEventListener("hashchange", () => void this.open(Number(location.hash.slice(1))));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.board.cancel();
    });
  }
}

void new PuzzlePage().start();
