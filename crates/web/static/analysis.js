// The analysis page: a record or a position is read by the server and stepped through here;
// moves can be tried out on the board.

import { addressOf, keep, readAddress, recall, turnPage, writeAddress } from "./address.js";
import { Board, announce, pictures } from "./board.js";
import { html } from "./draw.js";
import { Engine } from "./engine.js";
import { listenForFaces, offerFaces } from "./faces.js";
import { paintFacts, remark } from "./facts.js";
import { byId, copyText, listenForMoves, namePlace, toClipboard } from "./parts.js";
import { RecordList } from "./record.js";
import { Review } from "./review.js";
import { movedBy, quarters, seatName, turnsFor } from "./seats.js";
import { Values } from "./values.js";
import { data, say } from "./words.js";

const REST_MS = 150;
/** Not every ply that somebody runs past is written into the address. */
const WRITE_MS = 250;

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
    /** The variant that is meant where none is named. */
    this.usual = /** @type {string} */ (page.usual);
    this.variant = "";
    /** @type {Record<string, unknown>} what the line begins with */
    this.source = {};
    /** @type {{id: string, watch: string | null} | null} a game played here */
    this.from = null;
    this.over = /** whether that game is */ false;
    this.silent = /** why the computer says nothing of this line */ "";
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
    this.writing = 0;
    /** The variant whose board is shown. */
    this.drawn = "";
    this.ending = /** how the game ended that was played here, also by a resignation */ "";
    const name = (/** @type {SeatName} */ seat) => seatName(this.plies[0].scene, seat);
    const moveName = (/** @type {import("./engine.js").Named} */ move) => this.record.text(move);
    this.record = new RecordList(byId("record"), (ply) => this.go(ply));
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
      began: (reviewing) => this.engine.wait(reviewing),
      done: () => {
        this.writeNow();
        this.keep();
      },
    });
    this.board = new Board(byId("board"), {
      send: (taps) => void this.tapped(taps),
      plan: () => undefined,
      named: namePlace,
    });
    const exact = document.getElementById("exact");
    this.values = exact && new Values(byId("values"), exact, this.game, {
      changed: () => this.paint(false),
      play: (text) => void this.tryOut(text),
      name: (seat) => seatName(this.plies[0].scene, seat),
      moveName,
    });
    this.record.remark = (ply) => this.review.remark(ply);
    this.record.renamed = () => this.renamed();
  }

  async start() {
    this.listen();
    await this.open();
  }

  // --- what is looked at ----------------------------------------------------------------------

  /** Shows what the address says, and what was kept of it. */
  async open() {
    const stand = readAddress();
    const kept = recall();
    this.variant = stand.variant;
    if (stand.from) {
      await this.loadGame(stand.from, stand.watch);
    } else {
      const { position, moves, record } = stand;
      const said = record === null ? { position, moves } : { record };
      await this.read(kept?.source ?? said);
    }
    if (this.plies.length === 0) return this.openUsual();
    if (stand.base !== null && stand.base < this.plies.length) await this.tryAll(stand.base, stand.tried);
    const last = this.plies.length - 1;
    this.go(stand.ply ?? (stand.from ? last : 0));
    const known = this.review.take(kept?.review);
    if (!known && this.from && this.over && last > 0) void this.review.start();
  }

  /** The usual board, beside what is wrong with the address. */
  async openUsual() {
    const fault = byId("status").textContent ?? "";
    this.variant = "";
    if (await this.read({ position: "" })) this.status(fault, "bad");
  }

  /**
   * The record of a game played here.
   * @param {string} id
   * @param {string | null} watch
   */
  async loadGame(id, watch) {
    const query = watch ? `&watch=${encodeURIComponent(watch)}` : "";
    const view = await fetch(`/api/games/${encodeURIComponent(id)}?${query}`).then((a) => (a.ok ? a.json() : null));
    if (!view) return this.read({ position: "" });
    this.variant = view.variant;
    this.turns = turnsFor(view.viewer, view.players.length);
    await this.read(await this.sourceOf(view, query));
    this.from = { id, watch };
    this.over = view.stage === "over";
    // Nobody may begin a game of hidden ranks knowing them all.
    byId("play-here").toggleAttribute("hidden", view.hidden === true);
    // What others could not see, or still play, is not sent to anybody.
    const secret = !this.over && (view.hidden === true || view.mode === "online");
    byId("link").toggleAttribute("hidden", secret);
    this.ending = view.ending ?? "";
    this.paintVerdict();
    // While people play each other the computer helps neither.
    if (this.over || view.mode !== "online") return;
    this.engine.silence();
    this.review.silence();
    this.values?.silence();
    this.silent = say("engine-silent");
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
    const both = await pictures(this.game, variant);
    offerFaces(document.getElementById("faces"), both);
    this.board.setPictures(both);
  }

  /** @param {Record<string, unknown>} source @returns {Promise<boolean>} whether it could be read */
  async read(source) {
    const answer = await this.ask(source);
    if (!answer) return false;
    await this.drawFor(answer.record.variant);
    const { text, ...rest } = source;
    this.source = text === undefined ? rest : { [answer.read]: text };
    this.from = null;
    this.silent = "";
    byId("link").removeAttribute("hidden");
    byId("play-here").removeAttribute("hidden");
    this.ending = "";
    this.original = null;
    this.tried = [];
    this.base = null;
    this.ends.clear();
    this.cursor = 0;
    this.review.clear();
    this.set(answer);
    this.go(0);
    return true;
  }

  /** @param {any} answer */
  set(answer) {
    this.answer = answer;
    // A call at the end (a resignation) is told by the verdict, not by the list.
    const plies = /** @type {Ply[]} */ (answer.record.plies);
    const last = plies.map((p) => p.text !== "").lastIndexOf(true);
    this.plies = plies.slice(0, Math.max(0, last) + 1);
    this.ends.set(this.plies.length - 1, answer);
    const seen = this.plies.slice(1).map((p) => ({ ...p, spent_ms: null }));
    this.record.set(seen, Math.min(this.cursor, seen.length));
    this.review.lineIs(seen.length);
    byId("tried").toggleAttribute("hidden", this.base === null);
    this.paintVerdict();
  }

  // --- the address ----------------------------------------------------------------------------

  /**
   * Where the page stands, as an address says it.
   * @param {{id: string, watch: string | null} | null} from
   * @returns {import("./address.js").Stand}
   */
  stand(from) {
    const { base, tried, cursor } = this;
    const line = (this.original ?? this.answer).record;
    const texts = line.plies.slice(1).map((/** @type {Ply} */ p) => p.text).filter(Boolean);
    // Layouts and a deal are no moves. Those that the computer made are in the first position.
    const told = line.arranged ? this.source.record : undefined;
    const record = from === null && told !== undefined ? String(told) : null;
    const whole = from === null && record === null;
    const start = line.arranged ? this.plies[0].position : line.start;
    return {
      variant: line.variant === this.usual ? "" : line.variant,
      from: from?.id ?? null,
      watch: from?.watch ?? null,
      position: whole && (line.arranged || !line.usual) ? start : "",
      moves: whole ? texts : [],
      record,
      base,
      tried,
      ply: cursor > 0 || from ? cursor : null,
    };
  }

  /** Writes it into the address, once it is looked at for a moment. */
  write() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.writeNow(), WRITE_MS);
  }

  writeNow() {
    clearTimeout(this.writing);
    if (this.answer && !writeAddress(this.stand(this.from))) this.keep();
  }

  /** Keeps what the address has no room for. */
  keep() {
    const long = addressOf(this.stand(this.from)) === null;
    const source = long || this.source.record !== undefined ? this.source : null;
    keep({ source: this.from ? null : source, review: this.review.known() });
  }

  async copyLink() {
    const address = addressOf(this.stand(null));
    if (address === null) return this.status(say("analysis-link-long"), "warn");
    await toClipboard(new URL(address, location.href).href);
    this.status(say("analysis-link-copied"), "");
    announce(say("analysis-link-copied"));
  }

  // --- stepping and trying --------------------------------------------------------------------

  /** @param {number} ply */
  go(ply) {
    const forward = ply === this.cursor + 1;
    this.cursor = Math.max(0, Math.min(ply, this.plies.length - 1));
    this.paint(forward);
    if (forward) announce(this.record.text(this.plies[this.cursor]));
    // Not at every ply that somebody only runs past.
    clearTimeout(this.resting);
    this.resting = setTimeout(() => void this.choices(this.cursor), REST_MS);
    this.write();
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
    const query = new URLSearchParams({ variant: this.drawn, position: ply.position });
    byId("play-here").setAttribute("href", `/${this.game}?${query}`);
    this.paintWhen();
    this.status(this.silent || remark(ply.scene, ply.in_check), "");
  }

  /** The notation has changed. */
  renamed() {
    this.engine.rename();
    this.values?.rename();
    this.review.draw();
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
    const { cursor } = this;
    const base = this.base === null || cursor < this.base ? cursor : this.base;
    const moves = this.base === null ? [] : this.tried.slice(0, Math.max(0, cursor - base));
    const own = !this.from && this.source.record === undefined;
    // At the end of a line of one's own a move goes on with it; elsewhere it leaves the line.
    const longer = own && this.base === null && cursor === this.plies.length - 1;
    if (await this.tryAll(base, [...moves, text], longer)) this.go(this.plies.length - 1);
  }

  /**
   * Follows moves of one's own after a ply of the record.
   * @param {number} base
   * @param {string[]} moves
   * @param {boolean} [longer] whether they are to make the line itself longer
   * @returns {Promise<boolean>} whether they are moves
   */
  async tryAll(base, moves, longer = false) {
    const answer = await this.ask(this.body(base, moves));
    if (!answer) return false;
    const { error, foul } = answer;
    if (error || foul) {
      this.paint(false);
      const seat = foul && seatName(this.plies[0].scene, foul.seat);
      const why = foul && say(`reason-${foul.reason}`);
      const told = foul ? say("outcome-foul", { move: foul.move, seat, reason: why }) : error.message;
      this.status(told, "bad");
      announce(told);
      return false;
    }
    for (const at of [...this.ends.keys()]) if (at > this.cursor) this.ends.delete(at);
    const texts = answer.record.plies.slice(1).map((/** @type {Ply} */ p) => p.text);
    if (longer) {
      this.source = { ...this.source, moves: texts };
    } else {
      this.original ??= this.answer;
      this.base = base;
      this.tried = texts.slice(base);
    }
    this.set(answer);
    return true;
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
    const when = html("p", { id: "when", class: "note" });
    byId("verdict").replaceChildren(when, ...texts.map((t) => html("p", {}, t)));
    byId("verdict").toggleAttribute("hidden", texts.length === 0);
    this.paintWhen();
  }

  /** Which board the verdict is of, if that is not the one looked at. */
  paintWhen() {
    const { cursor } = this;
    const of = this.plies.length - 1;
    const ends = this.answer.outcome || this.answer.foul || (this.base === null && this.ending);
    const when = cursor === of ? say("analysis-ended") : say("analysis-ends", { of });
    byId("when").textContent = ends && of > 0 ? when : "";
  }

  /** @param {string} text @param {"" | "warn" | "bad"} kind */
  status(text, kind) {
    const line = byId("status");
    line.textContent = text;
    line.className = kind;
  }

  // --- what comes in --------------------------------------------------------------------------

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
    byId("link").addEventListener("click", () => void this.copyLink());
    const position = /** @type {HTMLInputElement} */ (byId("position"));
    byId("copy-position").append(copyText(position));
    byId("restore").addEventListener("click", () => this.restore());
    listenForFaces(document.getElementById("faces"), () => this.paint(false));
    listenForMoves((move) => void this.tryOut(move));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.board.cancel();
    });
    addEventListener("popstate", () => void this.open());
    // What is not written yet would be lost to a reload.
    addEventListener("pagehide", () => this.writeNow());
  }

  /** What was pasted; the server tells whether it is a record or a position. @param {string} text */
  async readText(text) {
    this.writeNow();
    if (!(await this.read({ text }))) return;
    // The result that is told is of the board that is shown.
    this.go(this.plies.length - 1);
    turnPage();
    this.writeNow();
    this.keep();
  }

  /** @param {File} file */
  async readFile(file) {
    const text = textOf(await file.arrayBuffer());
    /** @type {HTMLTextAreaElement} */ (byId("text")).value = text;
    await this.readText(text);
  }
}

/** The text of a record file; old ones are in the encodings of Japan. @param {ArrayBuffer} file */
function textOf(file) {
  const bytes = new Uint8Array(file);
  /** @param {string} encoding */
  const read = (encoding) => {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      return null;
    }
  };
  const [one, two] = bytes;
  if (one === 0xff && two === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (one === 0xfe && two === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // Its bytes are ASCII and escapes.
  const escaped = bytes.includes(0x1b) ? read("iso-2022-jp") : null;
  const euc = read("euc-jp");
  // In Shift_JIS its kana and wide letters would be half-width kana.
  const sure = euc && /[\u3000-\u30ff\uff01-\uff5e]/.test(euc) ? euc : null;
  return escaped ?? read("utf-8") ?? sure ?? read("shift_jis") ?? euc ??
    new TextDecoder("shift_jis").decode(bytes);
}

new AnalysisPage().start();
