// The start form works without this. With it, the board shows what is being set up, and the
// last choices are remembered.

import { Board, pictures } from "./board.js";
import { SEATS, turnsFor } from "./seats.js";
import { data, remember, remembered } from "./words.js";

const REMEMBERED = ["opponent", "level", "side", "clock", "conduct"];

class StartPage {
  constructor() {
    const { game, filled } = data("page");
    this.game = /** @type {string} */ (game);
    this.form = /** @type {HTMLFormElement} */ (document.getElementById("start"));
    const host = /** @type {HTMLElement} */ (document.getElementById("board"));
    this.board = new Board(host, { send: () => undefined, plan: () => undefined });
    this.note = document.getElementById("position-note");
    this.timer = 0;
    this.asked = 0;
    this.shown = "?";
    if (!filled) this.recall();
  }

  async start() {
    this.form.addEventListener("change", (event) => {
      this.graded(/** @type {HTMLInputElement} */ (event.target));
      this.changed();
    });
    this.form.addEventListener("input", (event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      if (input.name === "position") this.changed();
      if (input.name === "level") this.level();
    });
    this.level();
    await this.preview();
  }

  recall() {
    for (const name of REMEMBERED) {
      const value = remembered(`${this.game}-${name}`, "");
      const field = this.form.elements.namedItem(name);
      if (!value || field === null) continue;
      if (field instanceof RadioNodeList || 'value' in field) {
        field.value = value;
      }
    }
  }

  /** A set-up of the grade that was chosen, or the position of one's own. @param {HTMLInputElement} field */
  graded(field) {
    if (field.name !== "grade") return;
    const group = this.form.querySelector(`[data-grade="${field.value}"]`);
    const [first] = group?.querySelectorAll("[name=setup]") ?? [];
    if (group && first && !group.querySelector("[name=setup]:checked")) {
      /** @type {HTMLInputElement} */ (first).checked = true;
    }
  }

  level() {
    const input = /** @type {HTMLInputElement | null} */ (this.form.elements.namedItem("level"));
    const shown = document.getElementById("level-shown");
    const words = document.getElementById("level-words");
    if (!input || !shown) return;
    shown.textContent = input.value;
    const texts = /** @type {string[]} */ (data("page").levels);
    if (words) words.textContent = texts[Number(input.value) - 1] ?? "";
  }

  changed() {
    const fields = new FormData(this.form);
    for (const name of REMEMBERED) {
      const value = fields.get(name);
      if (typeof value === "string") remember(`${this.game}-${name}`, value);
    }
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.preview(), 250);
  }

  /** The variant as text: its name and the options that were chosen. */
  variant() {
    const fields = new FormData(this.form);
    const parts = [String(fields.get("variant") ?? "")];
    for (const [name, value] of fields) {
      if (name.startsWith("option-") && value !== "") parts.push(`${name.slice(7)}=${value}`);
    }
    return parts.join(",");
  }

  /**
   * What the player would see at the start; null where another position is chosen.
   * @param {string} variant
   * @param {string} position
   * @returns {Promise<Scene | null>}
   */
  async example(variant, position) {
    if (position !== "") return null;
    const query = new URLSearchParams({ variant, seat: this.seat() });
    const answer = await fetch(`/api/example/${this.game}?${query}`);
    return answer.ok ? answer.json() : null;
  }

  /** The seat the player takes: one of two, or one of several that each say who plays. */
  seat() {
    const fields = new FormData(this.form);
    const several = this.form.querySelector("[name=variant] option:checked[data-seats='4']");
    const own = several ? SEATS.find((seat) => fields.get("place") === seat) : null;
    return own ?? (fields.get("side") === "second" && !several ? "second" : "first");
  }

  async preview() {
    const fields = new FormData(this.form);
    const own = fields.get("setup") === "own";
    const position = String(own ? (fields.get("position") ?? "") : (fields.get("setup") ?? ""));
    const variant = this.variant();
    this.asked += 1;
    const asked = this.asked;
    const example = await this.example(variant, position);
    const { scene, fault } = example ? { scene: example, fault: "" } : await this.read(variant, position);
    if (asked !== this.asked) return;
    if (this.note) this.note.textContent = fault;
    if (!scene) return;
    if (variant !== this.shown) this.board.setPictures(await pictures(this.game, variant));
    this.shown = variant;
    const mode = /** @type {BoardMode} */ ({ kind: "look" });
    const turns = turnsFor(this.seat(), scene.sides.length || 2);
    this.board.show({ scene, mode, turns, moved: null });
  }

  /**
   * The board of a position, or what is wrong with its text.
   * @param {string} variant
   * @param {string} position
   * @returns {Promise<{scene: Scene | null, fault: string}>}
   */
  async read(variant, position) {
    const answer = await fetch(`/api/analysis/${this.game}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ variant, position }),
    });
    const body = await answer.json();
    if (!answer.ok) return { scene: null, fault: body.error?.message ?? "" };
    return { scene: body.record.plies[0].scene, fault: "" };
  }
}

void new StartPage().start();
