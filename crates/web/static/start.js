// The start form works without this. With it, the board shows what is being set up, and the
// last choices are remembered.

import { Board, pictures } from "./board.js";
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
    this.form.addEventListener("change", () => this.changed());
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

  async preview() {
    const fields = new FormData(this.form);
    const own = fields.get("setup") === "own";
    const position = String(own ? (fields.get("position") ?? "") : (fields.get("setup") ?? ""));
    const variant = this.variant();
    this.asked += 1;
    const asked = this.asked;
    const answer = await fetch(`/api/analysis/${this.game}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ variant, position }),
    });
    const body = await answer.json();
    if (asked !== this.asked) return;
    if (this.note) this.note.textContent = answer.ok ? "" : (body.error?.message ?? "");
    if (!answer.ok) return;
    if (variant !== this.shown) this.board.setPictures(await pictures(this.game, variant));
    this.shown = variant;
    const { scene } = body.record.plies[0];
    const mode = /** @type {BoardMode} */ ({ kind: "look" });
    this.board.show({ scene, mode, flipped: fields.get("side") === "second", moved: null, mover: null });
  }
}

void new StartPage().start();
