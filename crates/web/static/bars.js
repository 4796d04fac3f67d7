// The players' bars: names, clocks, whose turn it is, and what they have lost.

import { html, pieceIcon } from "./draw.js";
import { byId } from "./parts.js";
import { sits } from "./seats.js";
import * as sound from "./sound.js";
import { has, say } from "./words.js";

/** @typedef {import("./draw.js").Ground} Ground */

/**
 * The bar of a seat, as the board is turned.
 * @param {GameView} view
 * @param {SeatName} seat
 * @param {number} turns
 */
function barOf(view, seat, turns) {
  return byId(`bar-${sits(seat, turns, view.players.length)}`);
}

/**
 * @param {GameView} view
 * @param {number} turns
 * @param {SeatName | null} own the one seat the reader sits at
 * @param {(seat: SeatName) => string} name
 */
export function paintBars(view, turns, own, name) {
  for (const player of view.players) {
    const { seat } = player;
    const bar = barOf(view, seat, turns);
    bar.dataset.seat = seat;
    const fill = (/** @type {string} */ part, /** @type {string} */ text) => {
      const node = bar.querySelector(`.${part}`);
      if (node && node.textContent !== text) node.textContent = text;
    };
    fill("seat", name(seat));
    fill("who", who(view, player, own === seat));
    const lit = view.stage !== "over" && player.seated && view.waiting_for.includes(seat);
    bar.classList.toggle("lit", lit);
    bar.classList.toggle("won", view.outcome?.winners.includes(seat) ?? false);
    bar.classList.toggle("out", player.out ?? view.scene.out.includes(seat));
    const away = player.kind === "person" && player.seated && !player.here && own !== seat;
    bar.classList.toggle("away", away && view.mode === "online");
    const turn = view.stage === "layout" ? "bar-arranging" : view.thinking ? "bar-thinking" : "bar-turn";
    fill("turn", lit ? say(turn) : "");
    if (!view.clock) bar.querySelector(".clock")?.setAttribute("hidden", "");
  }
}

/**
 * @param {GameView} view
 * @param {PlayerView} player
 * @param {boolean} own
 */
function who(view, player, own) {
  const parts = [];
  const several = view.players.length > 2 || view.viewer === "watcher";
  if (player.engine) parts.push(player.engine);
  else if (player.kind === "computer") parts.push(say("player-computer", { level: player.level ?? "" }));
  else if (!player.seated) parts.push(say("player-open"));
  else if (view.mode !== "screen" || view.players.some((p) => p.kind === "computer")) {
    parts.push(say(own ? "player-you" : several ? "player-person" : "player-rival"));
  }
  if (player.out ?? view.scene.out.includes(player.seat)) parts.push(say("player-out"));
  else if (!player.seated) return parts.join(", ");
  else if (view.stage === "layout" && view.waiting_for.length > 0) {
    parts.push(say(view.laid?.includes(player.seat) ? "player-laid" : "player-arranges"));
  }
  return parts.join(", ");
}

/**
 * The pieces each has lost, small.
 * @param {GameView} view
 * @param {Fallen[]} all
 * @param {number} turns
 * @param {Ground} ground
 */
export function paintTrays(view, all, turns, ground) {
  for (const { seat } of view.players) {
    const tray = barOf(view, seat, turns).querySelector(".tray");
    if (!tray) continue;
    const lost = all.filter((f) => f.seat === seat);
    const key = JSON.stringify(lost);
    if (tray.getAttribute("data-key") === key) continue;
    tray.setAttribute("data-key", key);
    const items = lost.map(({ face, name, count }) => {
      const item = html("li", {});
      item.append(pieceIcon(face, ground), html("span", { class: "unseen" }, has(name) ? say(name) : name));
      if (count > 1) item.append(html("b", {}, `× ${count}`));
      return item;
    });
    tray.replaceChildren(...items);
  }
}

/**
 * @param {GameView} view
 * @param {number} turns
 * @param {number} index of the seat
 * @param {{text: string, periods: string, low: boolean}} shown
 * @param {boolean} lit
 */
export function paintClock(view, turns, index, shown, lit) {
  const player = view.players[index];
  const clock = player && barOf(view, player.seat, turns).querySelector(".clock");
  if (!clock) return;
  clock.removeAttribute("hidden");
  const time = clock.querySelector(".time");
  const periods = clock.querySelector(".periods");
  if (time && time.textContent !== shown.text) {
    const second = time.textContent?.slice(0, 4) !== shown.text.slice(0, 4);
    time.textContent = shown.text;
    if (lit && shown.low && second && view.seats.includes(player.seat)) sound.play("clock");
  }
  if (periods) periods.textContent = shown.periods;
  clock.classList.toggle("low", shown.low);
}
