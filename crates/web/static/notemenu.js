// The menu of what may be noted at an enemy's piece.

import { html, pieceIcon } from "./draw.js";
import { place, walk } from "./menu.js";
import { say } from "./words.js";

/** @typedef {import("./draw.js").Ground} Ground */
/** @typedef {Arrangement["kinds"][number]} Kind */
/** @typedef {{sign: Note["sign"], letter: string}} Written */

const SIGNS = /** @type {const} */ (["is", "least", "most"]);

/**
 * The kinds as one thinks of them: those that have a rank, strongest first, then the others.
 * @param {Arrangement} arrangement
 */
function parted({ kinds, places }) {
  const ranked = (/** @type {Kind} */ kind) => kind.places.length === places.length;
  return { ranked: kinds.filter(ranked), others: kinds.filter((kind) => !ranked(kind)) };
}

/**
 * What a note says.
 * @param {Written} note
 * @param {Arrangement} arrangement of the piece's owner
 */
export function noteText({ sign, letter }, { kinds }) {
  const name = kinds.find((kind) => kind.letter === letter)?.name ?? "";
  return say(`note-text-${sign}`, { name });
}

/**
 * Asks what is to be noted; calls back with the note, null to clear it, or not at all.
 * @param {HTMLElement} host
 * @param {{x: number, y: number, size: number}} at
 * @param {{ground: Ground, arrangement: Arrangement, now: Written | null}} about
 * @param {(note: Written | null) => void} done
 * @returns {() => void} closes it
 */
export function askNote(host, at, { ground, arrangement, now }, done) {
  const menu = html("div", { class: "ask notes", role: "menu", "aria-label": say("note-label") });
  const close = () => menu.remove();
  const { ranked, others } = parted(arrangement);
  const known = SIGNS.find((sign) => sign === now?.sign);
  let sign = /** @type {Note["sign"]} */ (known ?? "is");
  /** @param {Written | null} note */
  const choose = (note) => {
    close();
    done(note);
  };
  const signs = html("div", { class: "signs", role: "group" });
  for (const each of SIGNS) {
    const button = item(say(`note-${each}`), () => {
      sign = each;
      for (const other of signs.children) other.setAttribute("aria-checked", String(other === button));
    });
    button.setAttribute("role", "menuitemradio");
    button.setAttribute("aria-checked", String(each === sign));
    button.setAttribute("data-sign", each);
    signs.append(button);
  }
  const grid = html("div", { class: "kinds" });
  for (const kind of [...ranked, ...others]) {
    // What has no rank is itself or nothing.
    const chosen = () => choose({ sign: ranked.includes(kind) ? sign : "is", letter: kind.letter });
    const button = item(kind.name, chosen);
    button.prepend(pieceIcon(kind.face, ground));
    button.setAttribute("data-letter", kind.letter);
    button.classList.toggle("now", now?.letter === kind.letter);
    grid.append(button);
  }
  const foot = html("div", { class: "row" });
  foot.append(item(say("note-moved"), () => choose({ sign: "moved", letter: "" })));
  if (now) foot.append(item(say("note-clear"), () => choose(null)));
  menu.append(signs, grid, foot);
  menu.addEventListener("keydown", (event) => walk(menu, event, close, () => undefined));
  host.append(menu);
  place(host, menu, at);
  const first = grid.querySelector("button.now") ?? grid.querySelector("button");
  /** @type {HTMLElement | null} */ (first)?.focus();
  return close;
}

/**
 * @param {string} text
 * @param {() => void} press
 */
function item(text, press) {
  const button = html("button", { type: "button", role: "menuitem" });
  button.append(html("span", {}, text));
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    press();
  });
  return /** @type {HTMLButtonElement} */ (button);
}
