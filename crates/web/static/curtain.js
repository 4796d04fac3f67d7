// The curtain between two people at one screen: while it is up, nothing of the board is on the page.

import { html } from "./draw.js";
import { button, row } from "./parts.js";
import { say } from "./words.js";

export class Curtain {
  /**
   * @param {HTMLElement} host what the board stands in
   * @param {(seat: SeatName) => void} show
   */
  constructor(host, show) {
    this.host = host;
    this.show = show;
    this.key = "";
  }

  /**
   * Lays it over the board's place.
   * @param {object} what
   * @param {{seat: SeatName, name: string}[]} what.next whose boards may be shown now
   * @param {boolean} what.layout whether they lay out
   * @param {string[]} what.told what everybody may know of the last ply
   * @param {string} what.waits what is said where nobody here is to move
   */
  lay({ next, layout, told, waits }) {
    const key = JSON.stringify([next, layout, told, waits]);
    const up = this.host.querySelector(".curtain");
    if (up && key === this.key) return;
    const focused = !up || up.contains(document.activeElement);
    this.key = key;
    const names = next.map(({ name }) => name);
    const title = next.length > 0 ? say("curtain-title", { seat: names[0] }) : waits;
    const box = html("section", { class: "curtain", "aria-label": say("curtain-label") });
    const card = html("div", {});
    card.append(html("h2", {}, title));
    for (const line of told) card.append(html("p", { class: "told" }, line));
    const buttons = next.map(({ seat, name }, i) => {
      const text = say(layout ? "curtain-layout" : "curtain-show", { seat: name });
      const made = button(text, i === 0 ? "primary" : "", () => this.show(seat));
      made.setAttribute("data-show", seat);
      return made;
    });
    if (next.length > 0) card.append(row(...buttons));
    if (next.length > 0) card.append(html("p", { class: "note" }, say("curtain-words", { seat: names[0] })));
    box.append(card);
    this.host.replaceChildren(box);
    // Whoever just moved leaves the focus to whoever comes.
    if (focused) box.querySelector("button")?.focus();
  }
}
