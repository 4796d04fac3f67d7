// The small question at a place: which of a few options is meant.

import { html, svg } from "./draw.js";
import { has, say } from "./words.js";

/**
 * Shows the options and calls back with the chosen one, or null if none was.
 * @param {HTMLElement} host positioned; the menu stands inside it
 * @param {{x: number, y: number, size: number}} at centre in the host's pixels, and a place's side
 * @param {{tap: string, face: string | null, turned: boolean, value?: ExactMove}[]} options
 * @param {(tap: string | null) => void} done
 * @returns {() => void} closes it without an answer
 */
export function ask(host, at, options, done) {
  const menu = html("div", { class: "ask", role: "menu", "aria-label": say("board-choose") });
  const close = () => menu.remove();
  for (const option of options) {
    const text = has(`option-${option.tap}`) ? say(`option-${option.tap}`) : option.tap;
    const button = html("button", { type: "button", role: "menuitem", "data-tap": option.tap });
    if (option.face) button.append(faceOf(option.face, option.turned));
    button.append(html("span", {}, text));
    if (option.value) button.append(html("b", { class: option.value.value }, option.value.words));
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      close();
      done(option.tap);
    });
    menu.append(button);
  }
  menu.addEventListener("keydown", (event) => walk(menu, event, close, done));
  host.append(menu);
  fit(menu, at.size);
  place(host, menu, at);
  menu.querySelector("button")?.focus();
  return close;
}

/**
 * @param {string} face
 * @param {boolean} turned
 */
function faceOf(face, turned) {
  const icon = svg("svg", { "aria-hidden": "true" });
  const use = svg("use", { href: `#f-${face}` }, icon);
  if (turned) use.setAttribute("transform", "rotate(180)");
  return icon;
}

/**
 * Fits each face into its button; a drawing has a size only once it is in the page.
 * @param {HTMLElement} menu
 * @param {number} size
 */
function fit(menu, size) {
  for (const icon of menu.querySelectorAll("svg")) {
    const box = icon.querySelector("use")?.getBBox() ?? { width: 1, height: 1 };
    const side = Math.max(box.width, box.height) * 1.1;
    const pixels = String(Math.max(44, Math.min(size, 80)));
    icon.setAttribute("viewBox", `${-side / 2} ${-side / 2} ${side} ${side}`);
    icon.setAttribute("width", pixels);
    icon.setAttribute("height", pixels);
  }
}

/**
 * @param {HTMLElement} menu
 * @param {KeyboardEvent} event
 * @param {() => void} close
 * @param {(tap: string | null) => void} done
 */
export function walk(menu, event, close, done) {
  const buttons = [...menu.querySelectorAll("button")];
  const now = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  const steps = /** @type {Record<string, number>} */ ({
    ArrowRight: 1,
    ArrowDown: 1,
    ArrowLeft: -1,
    ArrowUp: -1,
  });
  event.stopPropagation();
  if (event.key === "Escape") {
    close();
    done(null);
  } else if (event.key in steps) {
    event.preventDefault();
    buttons[(now + steps[event.key] + buttons.length) % buttons.length].focus();
  }
}

/**
 * Keeps the menu within the host.
 * @param {HTMLElement} host
 * @param {HTMLElement} menu
 * @param {{x: number, y: number}} at
 */
export function place(host, menu, at) {
  const [w, h] = [menu.offsetWidth, menu.offsetHeight];
  const x = Math.max(4, Math.min(at.x - w / 2, host.clientWidth - w - 4));
  const y = Math.max(4, Math.min(at.y - h / 2, host.clientHeight - h - 4));
  menu.style.left = `${x}px`;
  menu.style.top = `${y}px`;
}
