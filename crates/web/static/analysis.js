// The analysis page: a record or a position is read by the server and stepped through here;
// moves can be tried out on the board.

import { Board, announce, pictures } from "./board.js";
import { html } from "./draw.js";
import { Engine } from "./engine.js";
import { paintFacts, remark } from "./facts.js";
import { RecordList } from "./record.js";
import { Review } from "./review.js";
import { movedBy, quarters, seatName, turnsFor } from "./seats.js";
import { Values } from "./values.js";
import { data, say } from "./words.js";

const REST_MS = 150;

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * @typedef {object} Ply
 * @property {string} text
 * @property {string} native
 * @property {string} western
 * @property {string} position
 * @property {Scene} scene
 * @property {string[]} taps
 * @property {string[]} path
 * @property {string[]} fell
 * @property {SeatName[]} by
 * @property {boolean | null} in_check
 * @property {string} [comment]
 */

class AnalysisPage {
  constructor() {
    const page = data("page");
    this.game = /** @type {string} */ (page.game);
    this.variant = /** @type {string} */ (page.variant);
    /** @type {Record<string, unknown>} what the line begins with */
    this.source = {};
    /** @type {Ply[]} */
    this.plies = [];
    /** @type {any} */
    this.answer = null;
    this.cursor = 0;
    this.turns = 0;
    /** moves tried out, and the ply they follow; null while the record itself is looked at */
    this.tried = /** @type {string[]} */ ([]);
    this.base = /** @type {number | null} */ (null);
    /** @type {any} the record as it was read, while moves are tried out */
    this.original = null;
    this.ends = /** @type {Map<number, any>} */ (new Map());
    this.resting = 0;
    /** The variant whose board is shown. */
    this.drawn = "";
    this.ending = /** how the game ended that was played here, also by a resignation */ "";
    const name = (/** @type {SeatName} */ seat) => seatName(this.plies[0].scene, seat);
    const moveName = (/** @type {import("./engine.js").Named} */ move) => this.record.text(move);
    this.engine = new Engine(byId("engine"), {
      game: this.game,
      here: () => ({ variant: this.variant, ...this.here() }),
      play: (text) => void this.tryOut(text),
      name,
      moveName,
      arrows: (arrows) => this.board?.showArrows(arrows),
    });
    this.review = new Review(byId("review"), {
      game: this.game,
      source: () => ({ variant: this.variant, ...this.wholeLine() }),
      engine: () => this.engine.chosen(),
      line: () => this.record.moves,
      go: (ply) => this.go(ply),
      name,
      moveName,
      changed: () => this.record.draw(),
    });
    this.board = new Board(byId("board"), {
      send: (taps) => void this.tapped(taps),
      plan: () => undefined,
    });
    const exact = document.getElementById("exact");
    this.values = exact && new Values(byId("values"), exact, this.game, {
      changed: () => this.paint(false),
      play: (text) => void this.tryOut(text),
      name: (seat) => seatName(this.plies[0].scene, seat),
    });
    this.record = new RecordList(byId("record"), (ply) => this.go(ply));
    this.record.remark = (ply) => this.review.remark(ply);
  }

  async start() {
    this.listen();
    await this.drawFor(this.variant);
    const query = new URLSearchParams(location.search);
    const from = query.get("from");
    if (from) await this.loadGame(from, query.get("watch"));
    else await this.read({ position: query.get("position") ?? "" });
  }

  /**
   * The record of a game played here.
   * @param {string} id
   * @param {string | null} watch
   */
  async loadGame(id, watch) {
    const query = watch ? `&watch=${encodeURIComponent(watch)}` : "";
    const view = await fetch(`/api/games/${id}?${query}`).then((a) => (a.ok ? a.json() : null));
    if (!view) return this.read({ position: "" });
    this.variant = view.variant;
    this.turns = turnsFor(view.viewer, view.players.length);
    await this.read(await this.sourceOf(view, query));
    // Nobody may begin a game of hidden ranks knowing them all.
    byId("play-here").toggleAttribute("hidden", view.hidden === true);
    this.ending = view.ending ?? "";
    this.paintVerdict();
    this.go(this.plies.length - 1);
    if (view.stage === "over") return void this.review.start();
    // While people play each other the computer helps neither.
    if (view.mode !== "online") return;
    this.engine.silence();
    this.review.silence();
    this.values?.silence();
    this.status(say("engine-silent"), "");
  }

  /**
   * What a game's line begins with: its start and moves, or the record where layouts or a deal come
   * before them.
   * @param {GameView} view
   * @param {string} query
   * @returns {Promise<Record<string, unknown>>}
   */
  async sourceOf(view, query) {
    const [format] = view.formats;
    if (!view.before_play || !format) return { position: view.start, moves: view.seen.map((m) => m.text) };
    const answer = await fetch(`/api/games/${view.id}/record?format=${format.id}${query}`);
    return { record: await answer.text(), format: format.id };
  }

  /** @param {Record<string, unknown>} body */
  async ask(body) {
    const answer = await fetch(`/api/analysis/${this.game}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ variant: this.variant, ...body }),
    });
    const json = await answer.json();
    if (!answer.ok) {
      this.status(json.error?.message ?? say("status-refused"), "bad");
      return null;
    }
    return json;
  }

  /** The board of a variant; a record may be of another than the page began with. @param {string} variant */
  async drawFor(variant) {
    if (variant === this.drawn) return;
    this.drawn = variant;
    this.board.setPictures(await pictures(this.game, variant));
  }

  /** @param {Record<string, unknown>} source */
  async read(source) {
    const answer = await this.ask(source);
    if (!answer) return;
    await this.drawFor(answer.record.variant);
    this.source = source;
    this.ending = "";
    this.original = null;
    this.tried = [];
    this.base = null;
    this.ends.clear();
    this.set(answer);
    this.go(0);
  }

  /** @param {any} answer */
  set(answer) {
    this.answer = answer;
    // A call at the end (a resignation) is told by the verdict, not by the list.
    const plies = /** @type {Ply[]} */ (answer.record.plies);
    const calls = [...plies.slice(1)].reverse().findIndex((p) => p.text !== "");
    this.plies = calls > 0 ? plies.slice(0, -calls) : plies;
    this.ends.set(this.plies.length - 1, answer);
    const seen = this.plies.slice(1).map((p) => ({ ...p, spent_ms: null }));
    this.record.set(seen, Math.min(this.cursor, seen.length));
    this.review.lineIs(seen.length);
    byId("tried").toggleAttribute("hidden", this.base === null);
    this.paintVerdict();
  }

  /** @param {number} ply */
  go(ply) {
    const forward = ply === this.cursor + 1;
    this.cursor = Math.max(0, Math.min(ply, this.plies.length - 1));
    this.paint(forward);
    if (forward) announce(this.plies[this.cursor].western || this.plies[this.cursor].text);
    // Not at every ply that somebody only runs past.
    clearTimeout(this.resting);
    this.resting = setTimeout(() => void this.choices(this.cursor), REST_MS);
  }

  /** @param {boolean} forward */
  paint(forward) {
    const ply = this.plies[this.cursor];
    if (!ply) return;
    const end = this.ends.get(this.cursor);
    const choices = /** @type {Choice[]} */ (end?.choices ?? []);
    this.values?.at(this.drawn, ply.position);
    this.board.show({
      values: this.values?.marks() ?? [],
      scene: ply.scene,
      mode: choices.length > 0 ? { kind: "choose", choices, seat: end.to_move } : { kind: "look" },
      turns: this.turns,
      moved: forward ? movedBy(ply) : null,
    });
    const line = this.plies.slice(0, this.cursor + 1).map((p) => p.text).join(" ");
    const over = this.answer.outcome !== null && this.cursor === this.plies.length - 1;
    this.engine.at(this.cursor, `${this.drawn} ${this.plies[0].position} ${line}`, over);
    this.record.set(this.record.moves, this.cursor);
    this.review.at(this.cursor);
    paintFacts(byId("facts"), ply.scene);
    byId("comment").textContent = ply.comment ?? "";
    /** @type {HTMLInputElement} */ (byId("position")).value = ply.position;
    const query = new URLSearchParams({ variant: this.variant, position: ply.position });
    byId("play-here").setAttribute("href", `/${this.game}?${query}`);
    this.status(remark(ply.scene, ply.in_check), "");
  }

  /** The legal moves of a ply are asked for when it is looked at. @param {number} ply */
  async choices(ply) {
    if (this.ends.has(ply)) return;
    const answer = await this.ask(this.here());
    if (!answer) return;
    this.ends.set(ply, answer);
    if (ply === this.cursor) this.paint(false);
  }

  /** What asks for the ply looked at, and for moves after it. @param {string[]} [further] */
  here(further = []) {
    const base = Math.min(this.cursor, this.base ?? this.cursor);
    return this.body(base, [...this.tried.slice(0, this.cursor - base), ...further]);
  }

  /**
   * What asks for the source up to a ply and then for further moves.
   * @param {number} ply
   * @param {string[]} further
   */
  body(ply, further) {
    const { moves, ...source } = this.source;
    if (!Array.isArray(moves)) return { ...source, ply, moves: further };
    return { ...source, moves: [...moves.slice(0, ply), ...further] };
  }

  /** What asks for all of the line that is looked at. */
  wholeLine() {
    return this.base === null ? this.source : this.body(this.base, this.tried);
  }

  /** A move made on the board. @param {string[]} taps */
  async tapped(taps) {
    const choices = /** @type {Choice[]} */ (this.ends.get(this.cursor)?.choices ?? []);
    const choice = choices.find((c) => String(c.taps) === String(taps));
    if (choice) await this.tryOut(choice.text);
    else this.paint(false);
  }

  /** The next move of the record, or one of one's own. @param {string} text */
  async tryOut(text) {
    if (this.plies[this.cursor + 1]?.text === text) return this.go(this.cursor + 1);
    const base = this.base === null || this.cursor < this.base ? this.cursor : this.base;
    const moves = this.base === null ? [] : this.tried.slice(0, Math.max(0, this.cursor - base));
    const answer = await this.ask(this.body(base, [...moves, text]));
    if (!answer) return this.paint(false);
    this.original ??= this.answer;
    this.base = base;
    this.tried = answer.record.plies.slice(base + 1).map((/** @type {Ply} */ p) => p.text);
    for (const at of [...this.ends.keys()]) if (at > this.cursor) this.ends.delete(at);
    const from = this.cursor;
    this.set(answer);
    this.cursor = from;
    this.go(this.plies.length - 1);
  }

  /** Back to the record as it was read. */
  restore() {
    const back = this.base ?? 0;
    const { original } = this;
    if (!original) return;
    this.base = null;
    this.tried = [];
    this.original = null;
    this.ends.clear();
    this.set(original);
    this.go(back);
  }

  /** How the record ends, what broke a rule in it, what could not be read. */
  paintVerdict() {
    const { outcome, foul, error, record } = this.answer;
    const texts = [];
    const reason = (/** @type {string} */ slug) => say(`reason-${slug}`);
    const winners = /** @type {string[]} */ (outcome?.winners ?? []);
    const [{ scene }] = this.plies;
    const winner = winners.map((s) => seatName(scene, /** @type {SeatName} */ (s))).join(", ");
    if (foul) {
      const seat = seatName(scene, foul.seat);
      texts.push(say("outcome-foul", { move: foul.move, seat, reason: reason(foul.reason) }));
      if (winner) texts.push(say("outcome-foul-win", { winner }));
    } else if (outcome) {
      const kinds = /** @type {Record<string, string>} */ ({ draw: "draw", replay: "replay" });
      const key = `outcome-${kinds[outcome.result] ?? "win"}`;
      texts.push(say(key, { winner, reason: reason(outcome.reason) }));
    }
    if (texts.length === 0 && this.base === null && this.ending) texts.push(this.ending);
    if (error) texts.push(error.message);
    for (const warning of record.warnings ?? []) texts.push(warning.text);
    byId("verdict").replaceChildren(...texts.map((t) => html("p", {}, t)));
    byId("verdict").toggleAttribute("hidden", texts.length === 0);
  }

  /** @param {string} text @param {"" | "warn" | "bad"} kind */
  status(text, kind) {
    const line = byId("status");
    line.textContent = text;
    line.className = kind;
  }

  listen() {
    const text = /** @type {HTMLTextAreaElement} */ (byId("text"));
    byId("load").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.readText(text.value);
    });
    const file = /** @type {HTMLInputElement} */ (byId("file"));
    file.addEventListener("change", () => {
      const chosen = file.files?.[0];
      if (chosen) void this.readFile(chosen);
    });
    byId("flip").addEventListener("click", () => {
      const scene = this.plies[this.cursor]?.scene;
      this.turns = (this.turns + quarters(scene?.sides.length ?? 2)) % 4;
      this.paint(false);
    });
    byId("restore").addEventListener("click", () => this.restore());
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.board.cancel();
    });
  }

  /** A text is a record if the server can read one in it, else a position. @param {string} text */
  async readText(text) {
    const trimmed = text.trim();
    const lines = trimmed.split("\n").length;
    if (lines > 1) return this.read({ record: text });
    const position = await this.quietly({ position: trimmed });
    if (position) return this.read({ position: trimmed });
    return this.read({ record: text });
  }

  /** Whether the server takes it, without a word about it. @param {Record<string, unknown>} body */
  async quietly(body) {
    const answer = await fetch(`/api/analysis/${this.game}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ variant: this.variant, ...body }),
    });
    return answer.ok;
  }

  /** Old records are often in Shift_JIS; what is not UTF-8 is read as that. @param {File} file */
  async readFile(file) {
    const bytes = await file.arrayBuffer();
    let text = "";
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      text = new TextDecoder("shift_jis").decode(bytes);
    }
    /** @type {HTMLTextAreaElement} */ (byId("text")).value = text;
    await this.readText(text);
  }
}

void new AnalysisPage().start();
