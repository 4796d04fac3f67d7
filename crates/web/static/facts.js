// The short facts a game tells beside its board.

import { html } from "./draw.js";
import { has, say } from "./words.js";

/**
 * Facts with a value: counts, points.
 * @param {HTMLElement} host
 * @param {Scene} scene
 */
export function paintFacts(host, scene) {
  const counted = scene.facts.filter(([, value]) => value !== "");
  const items = counted.map(([key, value]) => {
    const text = has(key) ? say(key, { value }) : key;
    const item = html("span", { class: "fact" }, `${text} `);
    // A text without a place for its value is followed by it.
    if (has(key) && say(key) === text) item.append(html("b", {}, value));
    return item;
  });
  host.replaceChildren(...items);
}

/**
 * Facts without a value are said in the line by the board: "Check".
 * @param {Scene} scene
 * @param {boolean | null} inCheck
 */
export function remark(scene, inCheck) {
  const said = scene.facts.filter(([key, value]) => value === "" && has(key));
  if (said.length > 0) return said.map(([key]) => say(key)).join(". ");
  return inCheck ? say("status-check") : "";
}
