// The editor of a layout: two pieces of one's own half are swapped until it is as one likes it, then
// it is laid down.

import { html } from "./draw.js";
import { Shelf, drawn, fault, mirror, swap, whyNot } from "./layout.js";
import { button, copyText, row } from "./parts.js";
import { remember, remembered, say } from "./words.js";

/**
 * @typedef {object} Hooks
 * @property {(moved: Moved | null) => void} changed the layout is another
 * @property {(text: string) => void} lay it is to be laid down
 * @property {(text: string) => void} told something to be said in the line by the board
 */

/** A layout is laid so long before the time is up. */
const LAST_MS = 1500;

/** @type {Map<string, Promise<Arrangement | null>>} */
const known = new Map();

/**
 * What an editor of a seat's half needs to know; null where a seat lays out nothing.
 * @param {string} game
 * @param {string} variant
 * @param {SeatName} seat
 */
export function arrangementOf(game, variant, seat) {
  const url = `/api/arrangement/${game}?${new URLSearchParams({ variant, seat })}`;
  const asked = known.get(url) ?? fetch(url).then((answer) => (answer.ok ? answer.json() : null));
  known.set(url, asked);
  return asked;
}

export class Arranger {
  /**
   * @param {HTMLElement} host
   * @param {Hooks} hooks
   */
  constructor(host, hooks) {
    this.host = host;
    this.hooks = hooks;
    /** @type {Arrangement | null} */
    this.arrangement = null;
    /** @type {SeatName | null} */
    this.seat = null;
    this.text = "";
    this.draft = "";
    this.deadline = 0;
    this.shared = false;
    this.late = false;
    /** How often it was said what is to be shown: an answer that comes late is for an older one. */
    this.said = 0;
    setInterval(() => this.tick(), 250);
  }

  /** Whether a layout is being made. */
  get active() {
    return this.seat !== null;
  }

  /**
   * Begins, goes on or ends, as the view has it.
   * @param {GameView} view
   */
  async set(view) {
    const { arranging } = view;
    if (view.stage !== "layout" || !arranging || arranging.laid !== null || view.seats.length === 0) {
      this.end();
      return;
    }
    const { seat, left_ms: left } = arranging;
    this.deadline = left === null ? 0 : performance.now() + left;
    if (this.seat === seat) return;
    const said = (this.said += 1);
    const arrangement = await arrangementOf(view.game, view.variant, seat);
    if (!arrangement || said !== this.said) return;
    this.seat = seat;
    this.late = false;
    this.arrangement = arrangement;
    this.shelf = new Shelf(view.game);
    this.draft = `kiban-draft-${view.id}-${seat}`;
    // Behind a curtain the last layout laid at this screen may be the other side's.
    this.shared = view.curtain === true;
    const before = this.shared ? "" : remembered(this.shelf.last, "");
    const last = sessionStorage.getItem(this.draft) ?? before;
    this.text = fault(arrangement, last) === "" ? last : arrangement.presets[0].text;
    this.build();
    this.hooks.changed(null);
  }

  end() {
    this.said += 1;
    if (!this.active) return;
    sessionStorage.removeItem(this.draft);
    this.leave();
    this.hooks.changed(null);
  }

  /** Shows nothing any more; what was begun is kept. */
  leave() {
    this.said += 1;
    this.seat = null;
    this.text = "";
    this.host.replaceChildren();
    this.host.setAttribute("hidden", "");
  }

  // --- what the board shows -------------------------------------------------------------------

  /** @param {Scene} scene what else stands on the board */
  state(scene) {
    const { arrangement, seat, text } = this;
    if (!arrangement || !seat) return null;
    const { places, kinds } = arrangement;
    const pieces = [...text].map((letter, i) => {
      const kind = kinds.find((k) => k.letter === letter) ?? kinds[0];
      const as = { at: places[i], face: kind.face, name: kind.name };
      // The name comes as a text already.
      return { ...as, seat, turned: false, upright: true, count: 1 };
    });
    return {
      scene: { ...scene, pieces, last: [] },
      part: places,
      mode: /** @type {BoardMode} */ ({ kind: "choose", choices: this.swaps(), seat, insist: true }),
    };
  }

  /** @returns {Choice[]} */
  swaps() {
    const { arrangement, text } = this;
    if (!arrangement) return [];
    const { places } = arrangement;
    /** @type {Choice[]} */
    const all = [];
    places.forEach((from, i) => {
      places.forEach((to, j) => {
        const other = text[i] !== text[j];
        if (other && whyNot(arrangement, text, i, j) === "") all.push({ text: "", taps: [from, to] });
      });
    });
    return all;
  }

  /** @param {string[]} taps two places */
  swap(taps) {
    const { arrangement } = this;
    if (!arrangement) return;
    const [i, j] = taps.map((tap) => arrangement.places.indexOf(tap));
    const moved = { taps, path: [], fell: [], told: false, by: this.seat };
    this.become(swap(this.text, i, j), moved);
    this.hooks.told("");
  }

  /** Says why two places cannot be swapped. @param {string[]} taps */
  refused(taps) {
    const { arrangement } = this;
    if (!arrangement) return;
    const [i, j] = taps.map((tap) => arrangement.places.indexOf(tap));
    const same = j >= 0 && this.text[i] === this.text[j];
    const why = j < 0 ? say("layout-stays-empty") : whyNot(arrangement, this.text, i, j);
    this.hooks.told(same ? say("layout-same") : why);
  }

  /**
   * @param {string} text
   * @param {Moved | null} [moved]
   */
  become(text, moved = null) {
    this.text = text;
    sessionStorage.setItem(this.draft, text);
    this.paint();
    this.hooks.changed(moved);
  }

  // --- the panel ------------------------------------------------------------------------------

  build() {
    const { arrangement } = this;
    if (!arrangement) return;
    const head = html("div", { class: "head" });
    head.append(html("h2", {}, say("layout-title")), html("span", { class: "left" }));
    const turn = button(say("layout-mirror"), "", () => this.become(mirror(arrangement, this.text)));
    const lot = button(say("layout-random"), "", () => this.become(drawn(arrangement)));
    const lay = button(say("layout-lay"), "primary wide", () => {
      if (this.shelf && !this.shared) remember(this.shelf.last, this.text);
      this.hooks.lay(this.text);
    });
    lay.id = "lay";
    const help = html("p", { class: "note" }, say("layout-help"));
    this.host.replaceChildren(head, help, row(turn, lot), lay, this.shelves(), this.written());
    this.host.removeAttribute("hidden");
    this.paint();
    this.tick();
  }

  /** Layouts to choose from, and the way to keep one. */
  shelves() {
    const box = html("div", { class: "field shelf" });
    const pick = /** @type {HTMLSelectElement} */ (html("select", { id: "layout-pick" }));
    pick.addEventListener("change", () => {
      const text = pick.selectedOptions[0]?.dataset.text ?? "";
      if (text && this.arrangement && fault(this.arrangement, text) === "") this.become(text);
    });
    this.pick = pick;
    const drop = button(say("layout-drop"), "", () => {
      this.shelf?.drop(pick.value.slice(4));
      this.fill();
      this.paint();
    });
    drop.id = "layout-drop";
    const name = /** @type {HTMLInputElement} */ (html("input", { type: "text", maxlength: "40" }));
    name.id = "layout-name";
    name.setAttribute("aria-label", say("layout-name"));
    name.placeholder = say("layout-name");
    const form = html("form", { class: "copy" });
    form.append(name, html("button", { type: "submit" }, say("layout-keep")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (name.value.trim() === "") return name.focus();
      this.shelf?.keep({ name: name.value.trim(), text: this.text });
      name.value = "";
      this.fill();
      this.paint();
      this.hooks.told(say("layout-kept"));
    });
    const chosen = html("div", { class: "copy" });
    chosen.append(pick, drop);
    box.append(html("label", { for: "layout-pick" }, say("layout-pick")), chosen, form);
    this.fill();
    return box;
  }

  /** Fills the list of layouts. */
  fill() {
    const { pick, arrangement } = this;
    if (!pick || !arrangement) return;
    const group = (/** @type {string} */ label, /** @type {HTMLElement[]} */ options) => {
      const made = html("optgroup", { label });
      made.append(...options);
      return made;
    };
    const option = (/** @type {string} */ value, /** @type {string} */ name, /** @type {string} */ text) =>
      html("option", { value, "data-text": text }, name);
    const listed = arrangement.presets.map((p) => option(`set-${p.id}`, p.name, p.text));
    const own = (this.shelf?.all() ?? []).map((n) => option(`own-${n.name}`, n.name, n.text));
    const nodes = [option("", say("layout-none"), ""), group(say("layout-listed"), listed)];
    if (own.length > 0) nodes.push(group(say("layout-own"), own));
    pick.replaceChildren(...nodes);
  }

  /** The layout as a text, to copy and to paste. */
  written() {
    const box = html("details", { class: "written" });
    const field = /** @type {HTMLInputElement} */ (html("input", { type: "text", spellcheck: "false" }));
    field.id = "layout-text";
    field.setAttribute("autocomplete", "off");
    field.setAttribute("autocapitalize", "off");
    field.setAttribute("aria-label", say("layout-text"));
    field.setAttribute("aria-describedby", "layout-fault");
    const wrong = html("p", { id: "layout-fault", class: "fault", role: "status" });
    field.addEventListener("input", () => {
      const text = field.value.trim();
      const why = this.arrangement ? fault(this.arrangement, text) : "";
      wrong.textContent = why;
      if (why === "" && text !== this.text) this.become(text);
    });
    this.field = field;
    const line = html("div", { class: "copy" });
    line.append(field, copyText(field));
    const help = html("p", { class: "note" }, say("layout-text-help"));
    box.append(html("summary", {}, say("layout-text")), line, wrong, help);
    return box;
  }

  /** Shows which layout it is. */
  paint() {
    const { pick, field } = this;
    if (field && field !== document.activeElement) {
      field.value = this.text;
      const wrong = this.host.querySelector("#layout-fault");
      if (wrong) wrong.textContent = "";
    }
    if (!pick) return;
    const now = [...pick.options].find((o) => o.dataset.text === this.text);
    pick.value = now?.value ?? "";
    this.host.querySelector("#layout-drop")?.toggleAttribute("hidden", !pick.value.startsWith("own-"));
  }

  tick() {
    // What one has is laid before the time is up: else the server would lay one of its own.
    if (this.active && this.deadline !== 0 && !this.late && performance.now() > this.deadline - LAST_MS) {
      this.late = true;
      if (this.arrangement && fault(this.arrangement, this.text) === "") {
        this.hooks.told(say("layout-late"));
        this.hooks.lay(this.text);
      }
    }
    const left = this.host.querySelector(".left");
    if (!left) return;
    const seconds = Math.max(0, Math.ceil((this.deadline - performance.now()) / 1000));
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const text = this.deadline === 0 ? "" : say("layout-left", { time });
    if (left.textContent !== text) left.textContent = text;
    left.classList.toggle("low", this.deadline !== 0 && seconds <= 10);
  }
}
