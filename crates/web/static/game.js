// The page of a game: what the server says is shown, what the player does is sent.

import { Board, announce, pictures } from "./board.js";
import { Clocks } from "./clock.js";
import { html } from "./draw.js";
import { paintFacts, remark } from "./facts.js";
import { leastTaps } from "./paths.js";
import { RecordList } from "./record.js";
import * as sound from "./sound.js";
import { Outbox, Stream } from "./stream.js";
import { data, say } from "./words.js";

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

class GamePage {
  constructor() {
    this.view = /** @type {GameView} */ (data("view"));
    const { watch } = data("page");
    this.query = watch ? `watch=${encodeURIComponent(watch)}` : "";
    this.flipped = this.seatedAt() === "second";
    /** @type {number | null} the ply looked at, null for the game as it stands */
    this.past = null;
    /** @type {Map<number, PastView>} */
    this.pasts = new Map();
    this.taps = 2;
    this.shown = "";
    this.asking = "";
    this.alive = true;
    /** @type {string[] | null} */
    this.planned = null;
    this.board = new Board(byId("board"), {
      send: (taps) => this.act({ taps }),
      plan: (taps) => this.plan(taps),
      // A guided table takes no illegal move, but it knows the rule.
      refused: (taps) => this.act({ taps }),
    });
    this.record = new RecordList(byId("record"), (ply) => void this.look(ply));
    this.clocks = new Clocks((seat, shown, lit) => this.paintClock(seat, shown, lit));
    this.outbox = new Outbox(this.view.id, (answer) => this.answered(answer));
    const url = (/** @type {number} */ after) => this.api("events", `after=${after}`);
    this.stream = new Stream(url, (view) => this.take(view), (alive) => this.life(alive));
  }

  async start() {
    this.listen();
    this.board.setPictures(await pictures(this.view.game, this.view.variant));
    this.paint(null);
    this.stream.start(this.view.n);
    this.outbox.resend();
  }

  /** @param {string} path @param {string} [more] */
  api(path, more = "") {
    const query = [this.query, more].filter(Boolean).join("&");
    return `/api/games/${this.view.id}${path && `/${path}`}${query && `?${query}`}`;
  }

  /** The one seat the reader holds, or null: a watcher, or both seats at one screen. */
  seatedAt() {
    return this.view.seats.length === 1 ? this.view.seats[0] : null;
  }

  /** The reader's seat that is to move. */
  ownTurn() {
    const { view } = this;
    const open = view.stage === "play" && view.players.every((p) => p.seated || p.kind !== "person");
    return open ? (view.seats.find((s) => view.waiting_for.includes(s)) ?? null) : null;
  }

  // --- what comes in --------------------------------------------------------------------------

  /** @param {GameView} view */
  take(view) {
    if (view.n < this.view.n) return;
    const old = this.view;
    this.view = view;
    if (view.ply !== old.ply) {
      if (view.ply < old.ply) this.pasts.clear();
      this.past = null;
    }
    this.paint(old);
    if (view.ply > old.ply) this.tell(old);
    if (old.stage !== "over" && view.stage === "over") {
      sound.play("end");
      if (view.ending) announce(view.ending);
    }
    if (this.planned && this.ownTurn()) this.resume();
    if (wasDeclined(old, view)) this.say("status-declined");
  }

  /** News in the line by the board, and to the ear. @param {string} key */
  say(key) {
    this.status(say(key), "");
    announce(say(key));
  }

  /** A new move, to the ear. @param {GameView} old */
  tell(old) {
    const move = this.view.seen[this.view.seen.length - 1];
    if (!move) return;
    const by = move.by.map((s) => say(`seat-${s}`)).join(", ");
    const check = this.view.in_check ? `, ${say("status-check")}` : "";
    announce(`${by}: ${move.western || move.text}${check}`);
    const target = move.taps[move.taps.length > 1 ? 1 : 0];
    const took = old.scene.pieces.some((p) => p.at === target && p.seat !== (move.by[0] ?? null));
    sound.play(this.view.in_check ? "check" : took ? "capture" : "move");
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
    if (view && view.n >= this.view.n) {
      if (!ok) this.shown = "";
      this.take(view);
    } else if (!ok) {
      this.shown = "";
      this.paint(null);
    }
    if (!ok) {
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
    const seat = this.ownTurn() ?? this.seatedAt() ?? this.view.seats[0] ?? null;
    void this.outbox.send({ seat, ply: this.view.ply, ...action });
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

  /** Shows the game as it stood after a ply. @param {number} ply */
  async look(ply) {
    if (ply === this.view.seen.length) {
      this.past = null;
    } else {
      this.past = ply;
      if (!this.pasts.has(ply)) {
        const answer = await fetch(this.api(`at/${ply}`));
        if (!answer.ok) return;
        this.pasts.set(ply, await answer.json());
      }
    }
    this.paint(null);
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
      return { kind: "choose", choices: view.choices, seat };
    }
    const own = this.seatedAt();
    if (own && view.waiting_for.length > 0) {
      return { kind: "plan", taps: view.free_taps ?? this.taps, seat: own };
    }
    return { kind: "look" };
  }

  /** @param {GameView | null} old what was shown before, if the change is to be seen */
  paintBoard(old) {
    const { view } = this;
    const past = this.past === null ? null : this.pasts.get(this.past);
    const scene = past?.scene ?? view.scene;
    const key = JSON.stringify([view.ply, this.past, this.flipped, view.stage, this.mode()]);
    if (key === this.shown) return;
    this.shown = key;
    const forward = old !== null && view.ply > old.ply;
    const move = forward ? lastMoved(view.seen.slice(old.seen.length)) : null;
    this.board.show({
      scene,
      mode: this.mode(),
      flipped: this.flipped,
      moved: move?.taps ?? null,
      mover: move?.by[0] ?? null,
    });
    paintFacts(byId("facts"), scene);
  }

  // --- the page around it ---------------------------------------------------------------------

  /** @param {GameView | null} old */
  paint(old) {
    this.paintBoard(old);
    this.record.set(this.view.seen, this.past ?? this.view.seen.length);
    this.paintBars();
    this.clocks.set(this.view.clock, this.view.players.map((p) => p.seat));
    this.paintActions();
    this.paintPanel();
    this.paintStatus();
  }

  /** @param {SeatName} seat */
  bar(seat) {
    const below = this.flipped ? "second" : "first";
    return byId(seat === below || (seat !== "first" && seat !== "second") ? "bar-own" : "bar-rival");
  }

  paintBars() {
    const { view } = this;
    for (const player of view.players) {
      const bar = this.bar(player.seat);
      const part = (/** @type {string} */ name) => bar.querySelector(`.${name}`);
      const own = this.seatedAt() === player.seat;
      let who = say(own ? "player-you" : "player-rival");
      if (player.kind === "computer") who = say("player-computer", { level: player.level ?? "" });
      else if (view.mode === "screen") who = "";
      else if (!player.seated) who = say("player-open");
      else if (view.viewer === "watcher") who = say("player-person");
      const seat = part("seat");
      const name = part("who");
      if (seat) seat.textContent = say(`seat-${player.seat}`);
      if (name) name.textContent = who;
      const lit = view.stage === "play" && view.waiting_for.includes(player.seat);
      bar.classList.toggle("lit", lit);
      bar.classList.toggle("won", view.outcome?.winners.includes(player.seat) ?? false);
      const away = player.kind === "person" && player.seated && !player.here && !own;
      bar.classList.toggle("away", away && view.mode === "online");
      const turn = part("turn");
      if (turn) turn.textContent = lit ? say(view.thinking ? "bar-thinking" : "bar-turn") : "";
      const clock = part("clock");
      if (clock && !view.clock) clock.setAttribute("hidden", "");
    }
  }

  /**
   * @param {number} index
   * @param {{text: string, periods: string, low: boolean}} shown
   * @param {boolean} lit
   */
  paintClock(index, shown, lit) {
    const player = this.view.players[index];
    if (!player) return;
    const clock = this.bar(player.seat).querySelector(".clock");
    if (!clock) return;
    clock.removeAttribute("hidden");
    const time = clock.querySelector(".time");
    const periods = clock.querySelector(".periods");
    if (time && time.textContent !== shown.text) {
      const second = time.textContent?.slice(0, 4) !== shown.text.slice(0, 4);
      time.textContent = shown.text;
      const mine = this.view.seats.includes(player.seat);
      if (lit && shown.low && second && mine) sound.play("clock");
    }
    if (periods) periods.textContent = shown.periods;
    clock.classList.toggle("low", shown.low);
  }

  paintActions() {
    const { view } = this;
    const may = new Set([...view.calls, ...view.may_offer]);
    if (view.may_claim) may.add("claim-left");
    const offered = new Set(view.offers.map((o) => o.what));
    for (const button of document.querySelectorAll("#actions [data-act]")) {
      const act = button.getAttribute("data-act") ?? "";
      const asked = offered.has(act);
      button.toggleAttribute("hidden", !may.has(act) && !asked);
      /** @type {HTMLButtonElement} */ (button).disabled = asked;
    }
    const begun = view.players.every((p) => p.seated || p.kind !== "person");
    const none = view.seats.length === 0 || view.stage === "over" || !begun;
    byId("move-form").toggleAttribute("hidden", none);
    const input = /** @type {HTMLInputElement} */ (byId("move-text"));
    input.disabled = !this.ownTurn();
    if (view.choices.length > 0) input.placeholder = view.choices[0].text;
  }

  paintStatus() {
    const { view } = this;
    if (!this.alive) return;
    if (this.past !== null) {
      this.status(say("status-past", { ply: this.past, of: view.seen.length }), "");
    } else if (view.stage === "over") {
      this.status(view.ending ?? "", "end");
    } else if (view.players.some((p) => p.kind === "person" && !p.seated)) {
      this.status(say("status-waiting"), "");
    } else if (this.planned) {
      this.status(say("status-planned"), "");
    } else if (remark(view.scene, view.in_check)) {
      this.status(remark(view.scene, view.in_check), "");
    } else if (passed(view)) {
      this.status(say("status-passed", { seat: say(`seat-${passed(view)}`) }), "");
    } else {
      this.status("", "");
    }
  }

  /** @param {string} text @param {"" | "warn" | "bad" | "end"} kind */
  status(text, kind) {
    const line = byId("status");
    line.textContent = text;
    line.className = kind;
  }

  // --- questions and news ---------------------------------------------------------------------

  paintPanel() {
    const panel = byId("panel");
    const content = this.question() ?? this.offer() ?? this.invitation() ?? this.end();
    const key = content?.key ?? "";
    if (panel.dataset.key === key) return;
    panel.dataset.key = key;
    panel.replaceChildren(...(content?.nodes ?? []));
    panel.toggleAttribute("hidden", !content);
    if (content) panel.scrollIntoView({ block: "nearest" });
  }

  /** "Resign this game?" */
  question() {
    if (this.asking === "" || this.view.stage !== "play") return null;
    const act = this.asking;
    const yes = button(say(`act-${act}`), "danger", () => this.act({ call: act }));
    const no = button(say("act-play-on"), "", () => {
      this.asking = "";
      this.paintPanel();
    });
    return { key: `ask-${act}`, nodes: [html("p", {}, say(`ask-${act}`)), row(yes, no)] };
  }

  /** Something the other player offers, or an offer of one's own that stands. */
  offer() {
    const offer = this.view.offers[0];
    if (!offer || this.view.seats.length === 0) return null;
    const own = this.view.seats.includes(offer.seat);
    const text = html("p", {}, say(`${own ? "offered" : "offer"}-${offer.what}`));
    if (own) return { key: `own-${offer.what}`, nodes: [text] };
    const yes = button(say("act-accept"), "primary", () => this.act({ offer: offer.what }));
    const no = button(say("act-decline"), "", () => this.act({ decline: offer.what }));
    return { key: `offer-${offer.what}`, nodes: [text, row(yes, no)] };
  }

  /** The link for the other player, while the seat is open. */
  invitation() {
    const { links } = this.view;
    if (!links?.join) return null;
    const nodes = [html("p", {}, say("invite")), linkBox(links.join, say("invite-label"))];
    if (links.watch) {
      const more = html("details", {});
      more.append(html("summary", {}, say("invite-watch")));
      more.append(linkBox(links.watch, say("invite-watch-label")));
      nodes.push(more);
    }
    return { key: `invite-${links.join}`, nodes };
  }

  /** What the end of a game offers. */
  end() {
    const { view } = this;
    if (view.stage !== "over") return null;
    const nodes = [];
    if (view.score) {
      const [one, two] = ["first", "second"].map((seat) => say(`seat-${seat}`));
      nodes.push(html("p", { class: "score" }, say("score", { one, two, ...view.score })));
    }
    const actions = [];
    const next = view.rematch ? "act-next-game" : "act-rematch";
    if (view.seats.length > 0) actions.push(button(say(next), "primary", () => void this.rematch()));
    const analyse = `/analysis/${view.game}?from=${view.id}`;
    actions.push(html("a", { class: "button", href: analyse }, say("act-analyse")));
    nodes.push(row(...actions));
    return { key: `end-${view.rematch?.url ?? ""}-${view.ending}`, nodes };
  }

  // --- buttons --------------------------------------------------------------------------------

  listen() {
    document.querySelector(".side")?.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target).closest("[data-act]");
      if (target) this.press(target.getAttribute("data-act") ?? "");
    });
    byId("move-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = /** @type {HTMLInputElement} */ (byId("move-text"));
      if (input.value.trim() !== "") this.act({ move: input.value.trim() });
      input.value = "";
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.board.cancel();
    });
    this.paintSound();
  }

  /** @param {string} act */
  press(act) {
    const { view } = this;
    if (act === "flip") {
      this.flipped = !this.flipped;
      this.paint(null);
    } else if (act === "sound") {
      sound.turn(!sound.isOn());
      this.paintSound();
    } else if (act === "claim-left") {
      this.act({ "claim-left": null });
    } else if (view.may_offer.includes(act)) {
      this.act({ offer: act });
    } else if (view.calls.includes(act)) {
      this.asking = act;
      this.paintPanel();
      byId("panel").querySelector("button")?.focus();
    }
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

/**
 * @param {string} text
 * @param {string} kind
 * @param {() => void} press
 */
function button(text, kind, press) {
  const made = html("button", { type: "button", class: kind }, text);
  made.addEventListener("click", press);
  return made;
}

/** @param {HTMLElement[]} nodes */
function row(...nodes) {
  const made = html("div", { class: "row" });
  made.append(...nodes);
  return made;
}

/**
 * A link to send to somebody, with a button that copies it.
 * @param {string} path
 * @param {string} label
 */
function linkBox(path, label) {
  const url = new URL(path, location.href).href;
  const box = html("div", { class: "copy" });
  const input = html("input", { type: "text", readonly: "", "aria-label": label });
  /** @type {HTMLInputElement} */ (input).value = url;
  input.addEventListener("focus", () => /** @type {HTMLInputElement} */ (input).select());
  const copy = button(say("act-copy"), "primary", () => {
    /** @type {HTMLInputElement} */ (input).select();
    // The clipboard needs a secure address; the old command works on a club's plain one too.
    const done = navigator.clipboard
      ? navigator.clipboard.writeText(url)
      : Promise.resolve(document.execCommand("copy"));
    void done.then(() => {
      copy.textContent = say("act-copied");
    });
  });
  box.append(input, copy);
  return box;
}

void new GamePage().start();
