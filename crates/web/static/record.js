// The list of moves beside a board, and stepping through it.

import { html } from "./draw.js";
import { remember, remembered, say } from "./words.js";

const STYLES = /** @type {const} */ (["western", "text", "native"]);

export class RecordList {
  /**
   * @param {HTMLElement} root holds `ol`, `.step` buttons, `.notation` and `.line`
   * @param {(ply: number) => void} onStep
   */
  constructor(root, onStep) {
    this.root = root;
    this.onStep = onStep;
    this.list = /** @type {HTMLElement} */ (root.querySelector("ol"));
    this.line = root.querySelector(".line");
    /** @type {SeenMove[]} */
    this.moves = [];
    this.cursor = 0;
    /** @type {(ply: number) => {mark: string, text: string} | null} what is to be said of a move */
    this.remark = () => null;
    /** @type {() => void} the notation has changed: what else names moves is to follow */
    this.renamed = () => undefined;
    this.style = /** @type {(typeof STYLES)[number]} */ (remembered("notation", "western"));
    this.listen();
    this.draw();
    // What comes and goes beside the list leaves it more or less room.
    new ResizeObserver(() => this.show()).observe(this.list);
  }

  listen() {
    for (const button of this.root.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.getAttribute("data-step") ?? ""));
    }
    this.root.querySelector(".notation")?.addEventListener("click", () => {
      const next = STYLES[(STYLES.indexOf(this.style) + 1) % STYLES.length];
      this.style = next;
      remember("notation", next);
      this.draw();
      this.renamed();
    });
    this.root.querySelector(".opens")?.addEventListener("click", (event) => {
      const open = this.root.classList.toggle("open");
      const button = /** @type {Element} */ (event.currentTarget);
      button.setAttribute("aria-expanded", String(open));
      if (open) this.root.scrollIntoView({ block: "nearest" });
    });
    document.addEventListener("keydown", (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target.closest("input, textarea, select, [role=menu], .board")) return;
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const keys = /** @type {Record<string, string>} */ ({
        ArrowLeft: "back",
        ArrowRight: "on",
        Home: "first",
        End: "last",
      });
      if (!(event.key in keys)) return;
      event.preventDefault();
      this.step(keys[event.key]);
    });
  }

  /** @param {string} where */
  step(where) {
    const last = this.moves.length;
    const steps = /** @type {Record<string, number>} */ ({
      first: 0,
      back: this.cursor - 1,
      on: this.cursor + 1,
      last,
    });
    const ply = Math.max(0, Math.min(last, steps[where] ?? last));
    if (ply !== this.cursor) this.onStep(ply);
  }

  /**
   * @param {SeenMove[]} moves
   * @param {number} cursor
   */
  set(moves, cursor) {
    // What two viewers may read of one move differs.
    const shown = (/** @type {SeenMove[]} */ list) =>
      JSON.stringify(list.map(({ text, native, western, told }) => [text, native, western, told]));
    const same = moves === this.moves || shown(moves) === shown(this.moves);
    this.moves = moves;
    this.cursor = cursor;
    if (same) this.mark();
    else this.draw();
  }

  /** A move in the chosen notation. @param {{text: string, native: string, western: string}} move */
  text(move) {
    return move[this.style] || move.text;
  }

  draw() {
    const items = this.moves.map((move, i) => {
      const item = html("li", {});
      const button = html("button", { type: "button" });
      button.append(html("span", { class: "ply" }, String(i + 1)), html("span", {}, this.text(move)));
      button.addEventListener("click", () => this.onStep(i + 1));
      item.append(button);
      const remark = this.remark(i + 1);
      if (remark) button.append(sign(remark));
      for (const line of move.told ?? []) item.append(html("span", { class: "told" }, line));
      return item;
    });
    if (items.length === 0) items.push(html("li", { class: "none" }, say("record-empty")));
    this.list.replaceChildren(...items);
    this.list.classList.toggle("telling", this.list.querySelector(".told") !== null);
    const notation = this.root.querySelector(".notation");
    if (notation) notation.textContent = say(`notation-${this.style}`);
    this.mark();
  }

  /** Brings the move looked at into sight. */
  show() {
    const current = /** @type {HTMLElement | undefined} */ (this.list.children[this.cursor - 1]);
    this.list.scrollTop = current ? current.offsetTop - this.list.clientHeight / 2 : 0;
  }

  mark() {
    [...this.list.children].forEach((item, i) => {
      const current = i + 1 === this.cursor;
      if (current) item.firstElementChild?.setAttribute("aria-current", "step");
      else item.firstElementChild?.removeAttribute("aria-current");
    });
    this.show();
    if (this.line) {
      const move = this.moves[this.cursor - 1];
      const remark = this.remark(this.cursor)?.text;
      this.line.textContent = move
        ? `${this.cursor}. ${this.text(move)}${remark ? ` (${remark})` : ""}`
        : say(this.moves.length > 0 ? "record-start" : "record-empty");
    }
    for (const button of this.root.querySelectorAll("[data-step]")) {
      const back = ["first", "back"].includes(button.getAttribute("data-step") ?? "");
      const end = back ? this.cursor === 0 : this.cursor === this.moves.length;
      /** @type {HTMLButtonElement} */ (button).disabled = end;
    }
  }
}

/**
 * A mark beside its move, as annotators write it; what it says in words is for the ear and a tip.
 * @param {{mark: string, text: string}} remark
 */
function sign({ mark, text }) {
  const sign = html("span", { class: `remark ${mark}`, title: text });
  sign.append(html("span", { class: "unseen" }, text));
  return sign;
}
