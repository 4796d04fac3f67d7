// The switch between drawings and characters on the pieces, where a picture has both.

import { facesAreWritten, writeFaces } from "./draw.js";

/**
 * @param {Element | null} button
 * @param {() => void} changed
 */
export function listenForFaces(button, changed) {
  button?.addEventListener("click", () => {
    writeFaces(!facesAreWritten());
    changed();
  });
}

/**
 * Offers the switch or takes it away.
 * @param {Element | null} button
 * @param {{wide: Picture}} pictures of the board that is shown
 */
export function offerFaces(button, { wide }) {
  button?.toggleAttribute("hidden", !wide.defs.includes('-characters"'));
}
