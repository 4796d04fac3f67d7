// The page of a game: what the server says is shown, what the player does is sent.

import { Arranger, arrangementOf } from "./arrange.js";
import { paintBars, paintClock, paintTrays } from "./bars.js";
import { Board, announce, pictures } from "./board.js";
import { Clocks } from "./clock.js";
import { Curtain } from "./curtain.js";
import { html } from "./draw.js";
import { listenForFaces, offerFaces } from "./faces.js";
import { paintFacts, remark } from "./facts.js";
import * as near from "./near.js";
import { askNote, noteText } from "./notemenu.js";
import { Notebook } from "./notes.js";
import { Pacer } from "./pacer.js";
import { paintPanel } from "./panel.js";
import { byId, listenForMoves, namePlace } from "./parts.js";
import { leastTaps } from "./paths.js";
import { RecordList } from "./record.js";
import { movedBy, quarters, seatName, turnsFor } from "./seats.js";
import * as sound from "./sound.js";
import { Outbox, Stream } from "./stream.js";
import { data, say } from "./words.js";

/** How long a player at a shared screen sees what came of a move, before the curtain. */
const RESULT_MS = 2600;

class GamePage {
  constructor() {
    this.view = /** @type {GameView} */ (data("view"));
    /** What everybody may see, to lie under a curtain. */
    this.open = this.view;
    const { watch } = data("page");
    this.query = watch ? `watch=${encodeURIComponent(watch)}` : "";
    /** @type {SeatName | null} whose board lies open, in a game with a curtain */
    this.as = null;
    /** @type {Viewer | null} with whose eyes a game that is over is looked at; null: with all */
    this.eyes = null;
    this.leaving = 0;
    this.turns = turnsFor(this.seatedAt() ?? "", this.view.players.length);
    /** @type {number | null} the ply looked at, null for the game as it stands */
    this.past = null;
    /** @type {Map<string, PastView>} */
    this.pasts = new Map();
    this.taps = 2;
    this.shown = "";
    this.asking = "";
    this.alive = true;
    /** @type {string[] | null} */
    this.planned = null;
    /** @type {Notebook | null} */
    this.notebook = null;
    /** @type {Map<SeatName, Arrangement>} of the others, for notes at their pieces */
    this.others = new Map();
    this.board = this.newBoard();
    this.curtain = new Curtain(byId("board"), (seat) => void this.lift(seat));
    this.arranger = new Arranger(byId("arrange"), {
      changed: (moved) => this.paintBoard(null, moved),
      lay: (text) => this.act({ layout: text }),
      told: (text) => this.told(text),
    });
    this.record = new RecordList(byId("record"), (ply) => void this.look(ply));
    this.clocks = new Clocks((seat, shown, lit) => {
      paintClock(this.view, this.turns, seat, shown, lit);
    });
    this.pacer = new Pacer({
      show: (seen, past) => this.passing(seen, past),
      past: (ply) => this.fetchAt(ply),
      take: (view) => this.take(view),
    });
    this.outbox = new Outbox(this.view.id, (answer) => this.answered(answer));
    const url = (/** @type {number} */ after) => this.api("events", `after=${after}`);
    this.stream = new Stream(url, (view) => this.take(view), (alive) => this.life(alive));
  }

  newBoard() {
    return new Board(byId("board"), {
      send: (taps) => (this.arranger.active ? this.arranger.swap(taps) : this.act({ taps })),
      plan: (taps) => this.plan(taps),
      // A guided table takes no illegal move, but it knows the rule.
      refused: (taps) => {
        if (this.arranger.active) this.arranger.refused(taps);
        else this.act({ taps });
      },
      named: namePlace,
      note: (place) => this.note(place),
    });
  }

  async start() {
    this.listen();
    const both = await pictures(this.view.game, this.view.variant);
    this.board.setPictures(both);
    offerFaces(document.querySelector("[data-act=faces]"), both);
    await this.openNotes();
    await this.arrange();
    this.paint(null);
    this.stream.start(this.view.n);
    this.outbox.resend();
  }

  /** @param {string} path @param {string} [more] */
  api(path, more = "") {
    const as = this.as ? `as=${this.as}` : "";
    const query = [this.query, as, more].filter(Boolean).join("&");
    return `/api/games/${this.view.id}${path && `/${path}`}${query && `?${query}`}`;
  }

  /** The seats that act here now: behind a curtain only the one whose board lies open. */
  held() {
    if (!this.hasCurtain()) return this.view.seats;
    return this.as ? [this.as] : [];
  }

  /** The one seat the reader holds, or null: a watcher, or several seats at one screen. */
  seatedAt() {
    const held = this.held();
    return held.length === 1 ? held[0] : null;
  }

  /** The reader's seat that is to move. */
  ownTurn() {
    const { view } = this;
    const open = view.stage === "play" && view.players.every((p) => p.seated || p.kind !== "person");
    return open ? (this.held().find((s) => view.waiting_for.includes(s)) ?? null) : null;
  }

  /** @param {SeatName} seat */
  name(seat) {
    const player = this.view.players.find((p) => p.seat === seat);
    return player?.name ?? seatName(this.view.scene, seat);
  }

  // --- the curtain ----------------------------------------------------------------------------

  hasCurtain() {
    return this.view.curtain === true && this.view.stage !== "over";
  }

  veiled() {
    return this.hasCurtain() && this.as === null;
  }

  /** Opens the board of a seat. @param {SeatName} seat */
  async lift(seat) {
    this.as = seat;
    const answer = await fetch(this.api(""));
    if (!answer.ok) {
      this.as = null;
      return;
    }
    this.view = await answer.json();
    this.turns = turnsFor(seat, this.view.players.length);
    await this.openNotes();
    this.restart();
    this.board.focus();
  }

  /** Draws the curtain again. */
  hide() {
    if (!this.view.curtain || this.as === null) return;
    this.as = null;
    this.notebook = null;
    announce("");
    this.view = this.open;
    this.planned = null;
    this.restart();
  }

  /** Begins to show another viewer's game. */
  restart() {
    clearTimeout(this.leaving);
    this.leaving = 0;
    this.past = null;
    this.pasts.clear();
    this.shown = "";
    this.asking = "";
    this.arranger.leave();
    this.told("");
    if (!this.veiled()) this.board.appear();
    this.paint(null);
    void this.arrange().then(() => this.paint(null));
    this.stream.follow(this.view.n);
  }

  /** Begins, goes on with or ends the editor of a layout; none lies open behind a curtain. */
  arrange() {
    return this.veiled() ? Promise.resolve() : this.arranger.set(this.view);
  }

  paintCurtain() {
    const { view } = this;
    this.board.leave();
    const next = view.waiting_for.filter((seat) => view.seats.includes(seat));
    const told = view.stage === "play" ? this.toldAt(view.seen.length) : [];
    const waiting = view.waiting_for[0];
    this.curtain.lay({
      next: next.map((seat) => ({ seat, name: this.name(seat) })),
      layout: view.stage === "layout",
      told,
      waits: waiting ? say("curtain-waits", { seat: this.name(waiting) }) : "",
    });
  }

  // --- what comes in --------------------------------------------------------------------------

  /** @param {GameView} view */
  take(view) {
    if (view.viewer === "watcher") this.open = view;
    if (view.curtain && view.stage !== "over" && view.viewer !== (this.as ?? "watcher")) return;
    if (view.n < this.view.n || this.pacer.holds(view, this.view)) return;
    const old = this.view;
    this.view = view;
    if (view.ply !== old.ply) {
      if (view.ply < old.ply) this.pasts.clear();
      this.past = null;
    }
    if (old.stage === "over" || view.stage !== "over") this.paint(old);
    else this.ended(old);
    void this.arrange();
    if (view.seen.length > old.seen.length) this.tell(old);
    if (this.planned && this.ownTurn()) this.resume();
    if (wasDeclined(old, view)) this.say("status-declined");
    this.leave();
  }

  /**
   * One of several plies that came at once, shown by itself.
   * @param {SeenMove[]} seen up to it
   * @param {PastView} past the board after it
   */
  passing(seen, past) {
    const move = seen[seen.length - 1];
    this.shown = "";
    this.board.show({
      scene: past.scene,
      mode: { kind: "look" },
      turns: this.turns,
      moved: movedBy(move),
    });
    near.follow(this.board.host, this.board.hit(move.taps[1] ?? ""));
    this.record.set(seen, seen.length);
    byId("told").textContent = (move.told ?? []).join(" ");
    sound.play(move.fell.length > 0 ? "capture" : "move");
  }

  /** @param {GameView} old */
  ended(old) {
    this.pasts.clear();
    this.notebook?.close();
    if (old.curtain) this.board.appear();
    this.paint(old);
    sound.play("end");
    if (this.view.ending) announce(this.view.ending);
  }

  /** Whoever has moved or laid out leaves the screen to the next. */
  leave() {
    const { view } = this;
    if (!this.hasCurtain() || this.as === null || view.waiting_for.includes(this.as)) return;
    if (view.stage === "layout" || (view.seen.length === 0 && this.leaving === 0)) this.hide();
    else if (this.leaving === 0) {
      this.leaving = window.setTimeout(() => this.hide(), RESULT_MS);
    }
  }

  /** News in the line by the board, and to the ear. @param {string} key */
  say(key) {
    this.told(say(key));
  }

  /** @param {string} text */
  told(text) {
    this.status(text, "");
    if (text) announce(text);
  }

  /** A new move, to the ear. @param {GameView} old */
  tell(old) {
    const move = this.view.seen[this.view.seen.length - 1];
    if (!move) return;
    const by = move.by.map((s) => this.name(s)).join(", ");
    const check = this.view.in_check ? `, ${say("status-check")}` : "";
    const told = (move.told ?? []).map((line) => ` ${line}`).join("");
    announce(`${by}: ${move.western || move.text}${check}${told && `.${told}`}`);
    const target = move.taps[move.taps.length > 1 ? 1 : 0];
    const took = old.scene.pieces.some((p) => p.at === target && p.seat !== (move.by[0] ?? null));
    const fell = took || move.fell.length > 0;
    sound.play(this.view.in_check ? "check" : fell ? "capture" : "move");
  }

  /** @param {{ok: boolean, body: any}} answer */
  answered({ ok, body }) {
    if (body === null) {
      this.status(say("status-unsent"), "warn");
      return;
    }
    if (!ok && body.error?.code === "path-continues") {
      this.board.proceed(body.next ?? []);
      return;
    }
    const view = body.view;
    if (!ok) this.shown = "";
    if (view && view.n >= this.view.n) this.take(view);
    if (!ok) {
      this.paint(null);
      this.status(body.error?.message ?? say("status-refused"), "bad");
      announce(body.error?.message ?? "");
    }
  }

  /** @param {boolean} alive */
  life(alive) {
    const mended = alive && !this.alive;
    this.alive = alive;
    if (!alive) this.status(say("status-lost"), "warn");
    if (mended) this.paintStatus();
    // The stream may outlive a request that failed: each sign of life is a chance to try again.
    if (alive && (mended || this.outbox.waiting)) this.outbox.resend();
  }

  // --- what goes out --------------------------------------------------------------------------

  /** @param {Record<string, unknown>} action */
  act(action) {
    this.asking = "";
    const { view } = this;
    const arranging = view.stage === "layout" ? (view.arranging?.seat ?? null) : null;
    const seat = arranging ?? this.ownTurn() ?? this.seatedAt() ?? view.seats[0] ?? null;
    void this.outbox.send({ seat, ply: view.ply, ...action });
  }

  /** @param {string[] | null} taps */
  plan(taps) {
    this.planned = taps;
    this.status(taps ? say("status-planned") : "", "");
    if (!taps) this.paintStatus();
  }

  resume() {
    const taps = this.planned ?? [];
    this.planned = null;
    this.board.resume(taps);
  }

  async rematch() {
    if (this.view.rematch) {
      location.assign(this.view.rematch.url);
      return;
    }
    const answer = await fetch(this.api("rematch"), { method: "POST" });
    const body = await answer.json();
    if (answer.ok) location.assign(body.url);
    else this.status(body.error?.message ?? say("status-refused"), "bad");
  }

  // --- looking back ---------------------------------------------------------------------------

  /** With whose eyes plies are looked at; of a game that is over everything is shown. */
  looker() {
    const all = this.view.stage === "over" && this.view.viewers?.includes("referee");
    return this.eyes ?? (all ? "referee" : null);
  }

  /** Shows the game as it stood after a ply. @param {number} ply */
  async look(ply) {
    this.past = ply === this.view.seen.length ? null : ply;
    if (this.past !== null) await this.fetchPast(ply);
    this.paint(null);
  }

  /** @param {number} ply */
  async fetchPast(ply) {
    const looker = this.looker();
    const key = `${looker}/${ply}`;
    if (this.pasts.has(key)) return;
    const past = await this.fetchAt(ply, looker);
    if (past) this.pasts.set(key, past);
  }

  /**
   * @param {number} ply
   * @param {string | null} [looker]
   * @returns {Promise<PastView | null>}
   */
  async fetchAt(ply, looker = null) {
    // Layouts and a deal stand in the log before the first ply.
    const at = ply + (this.view.before_play ?? 0);
    const answer = await fetch(this.api(`at/${at}`, looker ? `as=${looker}` : "")).catch(() => null);
    return answer?.ok ? answer.json() : null;
  }

  pastNow() {
    return this.past === null ? null : this.pasts.get(`${this.looker()}/${this.past}`);
  }

  /** The switch of a game that is over: with whose eyes. */
  paintEyes() {
    const { view } = this;
    const box = byId("eyes");
    const offered = view.stage === "over" && view.hidden ? (view.viewers ?? []) : [];
    const hidden = offered.length < 2;
    box.toggleAttribute("hidden", hidden);
    const select = /** @type {HTMLSelectElement} */ (box.querySelector("select"));
    if (hidden || select.options.length > 0) return;
    const order = ["referee", ...view.players.map((p) => p.seat), "watcher"];
    for (const who of order.filter((w) => offered.includes(/** @type {Viewer} */ (w)))) {
      const seat = view.players.find((p) => p.seat === who)?.seat;
      select.append(html("option", { value: who }, seat ? this.name(seat) : say(`eyes-${who}`)));
    }
    select.addEventListener("change", () => {
      this.eyes = /** @type {Viewer} */ (select.value);
      this.shown = "";
      void this.look(this.past ?? view.seen.length);
    });
  }

  // --- notes ----------------------------------------------------------------------------------

  /** The notes of whoever looks, in games where others' pieces are unknown. */
  async openNotes() {
    const { view } = this;
    const seat = this.seatedAt();
    this.notebook = null;
    const arranged = view.arranging || (view.laid ?? []).length > 0;
    if (!view.hidden || !arranged || !seat || view.stage === "over") return;
    for (const player of view.players.filter((p) => p.seat !== seat)) {
      const arrangement = await arrangementOf(view.game, view.variant, player.seat);
      if (arrangement) this.others.set(player.seat, arrangement);
    }
    if (this.others.size > 0) this.notebook = new Notebook(view.id, seat);
  }

  /** The unknown piece of another at a place. @param {string} at */
  unknownAt(at) {
    const piece = this.view.scene.pieces.find((p) => p.at === at);
    const arrangement = piece?.seat && this.others.get(piece.seat);
    // What the owner knows by a face of its own is known.
    const known = arrangement && arrangement.kinds.some((kind) => piece.face.startsWith(kind.face));
    const own = !piece?.seat || this.view.seats.includes(piece.seat);
    return arrangement && !known && !own ? arrangement : null;
  }

  /** @returns {Note[]} */
  notes() {
    if (!this.notebook || this.past !== null) return [];
    const notes = [];
    for (const [at, { sign, letter }] of this.notebook.standing(this.view.seen)) {
      const arrangement = this.unknownAt(at);
      if (!arrangement) continue;
      const face = arrangement.kinds.find((kind) => kind.letter === letter)?.face ?? null;
      notes.push({ at, sign, face, text: noteText({ sign, letter }, arrangement) });
    }
    return notes;
  }

  /** Asks what is to be noted at a piece. @param {Place} place */
  note(place) {
    const { notebook, board, view } = this;
    const arrangement = this.unknownAt(place.id);
    if (!notebook || !arrangement || this.past !== null) return false;
    board.cancel();
    const now = notebook.standing(view.seen).get(place.id) ?? null;
    const about = { ground: board.ground, arrangement, now };
    const at = board.pixels(place);
    board.closeMenu = askNote(board.host, at, about, (note) => {
      board.closeMenu = null;
      notebook.write(place.id, view.seen, note);
      this.paintBoard(null);
      board.focus();
    });
    return true;
  }

  // --- the board ------------------------------------------------------------------------------

  /** What the board is to do with taps. @returns {BoardMode} */
  mode() {
    const { view } = this;
    if (this.past !== null || view.stage !== "play") return { kind: "look" };
    const seat = this.ownTurn();
    if (seat && view.free) return { kind: "free", taps: view.free_taps ?? 2, next: null, seat };
    if (seat) {
      this.taps = leastTaps(view.choices, this.board.isPlace);
      return { kind: "choose", choices: view.choices, seat, banned: view.banned ?? [] };
    }
    const own = this.seatedAt();
    if (own && view.waiting_for.length > 0 && !this.hasCurtain() && !view.scene.out.includes(own)) {
      return { kind: "plan", taps: view.free_taps ?? this.taps, seat: own };
    }
    return { kind: "look" };
  }

  /**
   * @param {GameView | null} old what was shown before, if the change is to be seen
   * @param {Moved | null} [moved] how a layout was changed
   */
  paintBoard(old, moved = null) {
    if (this.veiled()) return this.paintCurtain();
    const { view } = this;
    const scene = this.pastNow()?.scene ?? view.scene;
    const arranged = this.past === null ? this.arranger.state(scene) : null;
    const mode = arranged?.mode ?? this.mode();
    const notes = this.notes();
    const text = this.arranger.text;
    const key = JSON.stringify([view.ply, this.past, this.turns, view.stage, mode, text, notes]);
    if (key === this.shown) return;
    this.shown = key;
    const forward = old !== null && view.seen.length > old.seen.length;
    const move = forward ? lastMoved(view.seen.slice(old.seen.length)) : null;
    this.board.show({
      scene: arranged?.scene ?? scene,
      part: arranged?.part ?? null,
      mode,
      notes,
      // One's own half lies before one, also where several lay out at one screen.
      turns: arranged ? turnsFor(this.arranger.seat ?? "", view.players.length) : this.turns,
      moved: moved ?? (move ? movedBy(move) : null),
    });
    near.follow(this.board.host, move && this.board.hit(move.taps[1] ?? ""));
    paintFacts(byId("facts"), scene);
  }

  // --- the page around it ---------------------------------------------------------------------

  /** @param {GameView | null} old */
  paint(old) {
    const { view } = this;
    this.paintBoard(old);
    paintBars(view, this.turns, this.seatedAt(), (seat) => this.name(seat));
    const scene = this.pastNow()?.scene ?? view.scene;
    const lost = this.veiled() ? [] : scene.fallen;
    paintTrays(view, lost, this.turns, this.board.ground);
    this.clocks.set(view.clock, view.players.map((p) => p.seat));
    this.paintActions();
    this.paintEyes();
    this.paintPanel();
    this.paintStatus();
    this.record.set(view.seen, this.past ?? view.seen.length);
  }

  paintActions() {
    const { view } = this;
    const may = new Set([...view.calls, ...view.may_offer]);
    if (view.may_claim) may.add("claim-left");
    if (this.hasCurtain() && this.as) may.add("hide");
    const offered = new Set(view.offers.map((o) => o.what));
    for (const button of document.querySelectorAll(".side [data-act]")) {
      const act = button.getAttribute("data-act") ?? "";
      if (["flip", "sound", "faces", "near"].includes(act)) continue;
      const asked = offered.has(act);
      button.toggleAttribute("hidden", !may.has(act) && !asked);
      /** @type {HTMLButtonElement} */ (button).disabled = asked;
    }
    const begun = view.players.every((p) => p.seated || p.kind !== "person");
    const out = view.players.filter((p) => p.out).map((p) => p.seat);
    const none = this.held().every((seat) => out.includes(seat)) || view.stage !== "play" || !begun;
    byId("move-form").toggleAttribute("hidden", none);
    const input = /** @type {HTMLInputElement} */ (byId("move-text"));
    input.disabled = !this.ownTurn();
    if (view.choices.length > 0) input.placeholder = view.choices[0].text;
  }

  /** What the referee said of a ply. @param {number} ply */
  toldAt(ply) {
    return this.view.seen[ply - 1]?.told ?? [];
  }

  paintStatus() {
    const { view } = this;
    const told = this.toldAt(this.past ?? view.seen.length).join(" ");
    byId("told").textContent = this.veiled() ? "" : told;
    if (!this.alive) return;
    const skipped = told === "" ? passed(view) : null;
    if (this.past !== null) {
      this.status(say("status-past", { ply: this.past, of: view.seen.length }), "");
    } else if (view.stage === "over") {
      this.status([view.engine_failed, view.ending].filter(Boolean).join(" "), "end");
    } else if (view.players.some((p) => p.kind === "person" && !p.seated)) {
      this.status(say(view.players.length > 2 ? "status-waiting-all" : "status-waiting"), "");
    } else if (this.planned) {
      this.status(say("status-planned"), "");
    } else if (remark(view.scene, view.in_check)) {
      this.status(remark(view.scene, view.in_check), "");
    } else if (skipped) {
      this.status(say("status-passed", { seat: this.name(skipped) }), "");
    } else {
      this.status(this.awaited(), "");
    }
  }

  /**
   * Who still lays out, once one's own layout lies; at the beginning of play, how notes are made;
   * what a rule forbids just now.
   */
  awaited() {
    const { view } = this;
    if (this.notebook && view.stage === "play" && view.seen.length === 0) return say("note-hint");
    const [ban] = this.ownTurn() ? (view.banned ?? []) : [];
    if (ban) return say("status-banned", { from: ban.taps[0], to: ban.taps[1], why: ban.why });
    const laid = view.stage === "layout" && view.arranging?.laid && !this.veiled();
    if (!laid) return "";
    const seats = view.waiting_for.map((seat) => this.name(seat)).join(", ");
    return say("status-laid", { seats });
  }

  /** @param {string} text @param {"" | "warn" | "bad" | "end"} kind */
  status(text, kind) {
    const line = byId("status");
    line.textContent = text;
    line.className = kind;
  }

  paintPanel() {
    paintPanel(byId("panel"), this.view, this.asking, {
      act: (action) => this.act(action),
      again: () => {
        this.asking = "";
        this.paintPanel();
      },
      rematch: () => void this.rematch(),
      name: (seat) => this.name(seat),
    });
  }

  // --- buttons --------------------------------------------------------------------------------

  listen() {
    document.querySelector(".side")?.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target).closest("[data-act]");
      if (target) this.press(target.getAttribute("data-act") ?? "");
    });
    listenForFaces(document.querySelector("[data-act=faces]"), () => {
      this.shown = "";
      this.paint(null);
    });
    listenForMoves((move) => this.act({ move }));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      // What was begun is taken back first; then the board is hidden.
      if (this.board.begun()) this.board.cancel();
      else this.hide();
    });
    this.paintSound();
  }

  /** @param {string} act */
  press(act) {
    const { view } = this;
    if (act === "flip") {
      this.turns = (this.turns + quarters(view.players.length)) % 4;
      this.paint(null);
    } else if (act === "sound") {
      sound.turn(!sound.isOn());
      this.paintSound();
    } else if (act === "near") {
      near.step(this.board.host);
      this.paintNear();
    } else if (act === "hide") {
      this.hide();
    } else if (act === "claim-left") {
      this.act({ "claim-left": null });
    } else if (view.may_offer.includes(act) && !this.endsAtOnce(act)) {
      this.act({ offer: act });
    } else if (view.may_offer.includes(act) || view.calls.includes(act)) {
      this.asking = act;
      this.paintPanel();
      byId("panel").querySelector("button")?.focus();
    }
  }

  /** Whether nobody else is left to be asked, so that an offer would end the game. @param {string} act */
  endsAtOnce(act) {
    return act !== "take-back" && this.view.mode === "screen";
  }

  paintNear() {
    const on = near.isNear(this.board.host);
    document.querySelector("[data-act=near]")?.setAttribute("aria-pressed", String(on));
  }

  paintSound() {
    const button = document.querySelector("[data-act=sound]");
    const on = sound.isOn();
    button?.setAttribute("aria-pressed", String(on));
    button?.setAttribute("title", say(on ? "sound-off" : "sound-on"));
  }
}

/**
 * The last of these that moved something; a pass moves nothing.
 * @param {SeenMove[]} moves
 */
function lastMoved(moves) {
  return [...moves].reverse().find((m) => m.taps.length > 0) ?? null;
}

/**
 * Who has just had to pass, in games where that is a ply of its own.
 * @param {GameView} view
 */
function passed(view) {
  const last = view.seen[view.seen.length - 1];
  return last && last.taps.length === 0 ? (last.by[0] ?? null) : null;
}

/**
 * Whether an offer of the reader's own is gone though nothing came of it.
 * @param {GameView} old
 * @param {GameView} view
 */
function wasDeclined(old, view) {
  const own = (/** @type {GameView} */ v) => v.offers.some((o) => v.seats.includes(o.seat));
  return own(old) && !own(view) && view.stage === old.stage && view.ply === old.ply;
}

void new GamePage().start();
