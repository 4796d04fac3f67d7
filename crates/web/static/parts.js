// Small parts of pages.

import { html } from "./draw.js";
import { say } from "./words.js";

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * @param {string} text
 * @param {string} kind
 * @param {() => void} press
 */
export function button(text, kind, press) {
  const made = html("button", { type: "button", class: kind }, text);
  made.addEventListener("click", press);
  return made;
}

/** @param {HTMLElement[]} nodes */
export function row(...nodes) {
  const made = html("div", { class: "row" });
  made.append(...nodes);
  return made;
}

/** Takes moves that are written into the page's field. @param {(text: string) => void} made */
export function listenForMoves(made) {
  byId("move-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (byId("move-text"));
    if (input.value.trim() !== "") made(input.value.trim());
    input.value = "";
  });
}

/** Puts a text on the clipboard. @param {string} text */
export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // It needs a secure address; the old command works on a club's plain one, too.
    const field = /** @type {HTMLTextAreaElement} */ (html("textarea", { class: "unseen" }, text));
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** Says in the line by the board what a place is that somebody came to. @param {string} words */
export function namePlace(words) {
  byId("place").textContent = words;
}

/** A button that copies what stands in a field. @param {HTMLInputElement} field */
export function copyText(field) {
  const copy = button(say("act-copy"), "", () => {
    field.select();
    void toClipboard(field.value).then(() => {
      copy.textContent = say("act-copied");
    });
  });
  return copy;
}

/**
 * A link to send to somebody, with a button that copies it.
 * @param {string} path
 * @param {string} label
 */
export function linkBox(path, label) {
  const box = html("div", { class: "copy" });
  const input = html("input", { type: "text", readonly: "", "aria-label": label });
  const field = /** @type {HTMLInputElement} */ (input);
  field.value = new URL(path, location.href).href;
  field.addEventListener("focus", () => field.select());
  const copy = copyText(field);
  copy.classList.add("primary");
  box.append(field, copy);
  return box;
}
