// The panel beside the board: questions to the player, offers, invitations, what an end offers.

import { html } from "./draw.js";
import { button, linkBox, row } from "./parts.js";
import { data, say } from "./words.js";

/**
 * @typedef {object} Does
 * @property {(action: Record<string, unknown>) => void} act
 * @property {() => void} again the question is settled
 * @property {() => void} rematch
 * @property {(seat: SeatName) => string} name
 */

/** @typedef {{key: string, nodes: HTMLElement[]}} Content */

/**
 * Shows what is most pressing.
 * @param {HTMLElement} panel
 * @param {GameView} view
 * @param {string} asking the call that is asked about, or nothing
 * @param {Does} does
 */
export function paintPanel(panel, view, asking, does) {
  const content =
    question(view, asking, does) ?? offer(view, does) ?? invitation(view) ?? end(view, does);
  const key = content?.key ?? "";
  if (panel.dataset.key === key) return;
  panel.dataset.key = key;
  panel.replaceChildren(...(content?.nodes ?? []));
  panel.toggleAttribute("hidden", !content);
  if (content) panel.scrollIntoView({ block: "nearest" });
}

/**
 * "Resign this game?"
 * @param {GameView} view
 * @param {string} act
 * @param {Does} does
 * @returns {Content | null}
 */
function question(view, act, does) {
  if (act === "" || view.stage === "over") return null;
  const said = view.may_offer.includes(act) ? { offer: act } : { call: act };
  const yes = button(say(`act-${act}`), "danger", () => does.act(said));
  const no = button(say("act-play-on"), "", does.again);
  return { key: `ask-${act}`, nodes: [html("p", {}, say(`ask-${act}`)), row(yes, no)] };
}

/**
 * Something another player offers, or an offer of one's own that stands.
 * @param {GameView} view
 * @param {Does} does
 * @returns {Content | null}
 */
function offer(view, does) {
  const made = view.offers[0];
  if (!made || view.seats.length === 0) return null;
  const own = view.seats.includes(made.seat);
  const text = html("p", {}, say(`${own ? "offered" : "offer"}-${made.what}`));
  if (own) return { key: `own-${made.what}`, nodes: [text] };
  const yes = button(say("act-accept"), "primary", () => does.act({ accept: made.what }));
  const no = button(say("act-decline"), "", () => does.act({ decline: made.what }));
  return { key: `offer-${made.what}`, nodes: [text, row(yes, no)] };
}

/**
 * The link for the others, while seats are open.
 * @param {GameView} view
 * @returns {Content | null}
 */
function invitation(view) {
  const { links } = view;
  if (!links?.join) return null;
  const open = view.players.filter((p) => p.kind === "person" && !p.seated).length;
  const words = open > 1 ? say("invite-several", { open }) : say("invite");
  const nodes = [html("p", {}, words), linkBox(links.join, say("invite-label"))];
  if (links.watch) {
    const more = html("details", {});
    more.append(html("summary", {}, say("invite-watch")));
    more.append(linkBox(links.watch, say("invite-watch-label")));
    nodes.push(more);
  }
  return { key: `invite-${links.join}-${open}`, nodes };
}

/**
 * What the referee had promised of layouts and a deal, for those who want to check it.
 * @param {GameView} view
 * @param {Does} does
 */
function promises(view, does) {
  if (!view.commitments?.length) return [];
  const box = html("details", { class: "promises" });
  box.append(html("summary", {}, say("record-promises")));
  box.append(html("p", { class: "note" }, say("record-promises-words", { id: view.id })));
  const list = html("dl", {});
  for (const { who, sha256 } of view.commitments) {
    const name = who === "deal" ? say("record-deal") : does.name(/** @type {SeatName} */ (who));
    const value = html("dd", {});
    value.append(html("code", {}, sha256));
    list.append(html("dt", {}, name), value);
  }
  box.append(list);
  return [box];
}

/**
 * What the end of a game offers.
 * @param {GameView} view
 * @param {Does} does
 * @returns {Content | null}
 */
function end(view, does) {
  if (view.stage !== "over") return null;
  const nodes = [];
  if (view.score) {
    const [one, two] = /** @type {SeatName[]} */ (["first", "second"]).map(does.name);
    nodes.push(html("p", { class: "score" }, say("score", { one, two, ...view.score })));
  }
  const actions = [];
  const next = view.rematch ? "act-next-game" : "act-rematch";
  if (view.seats.length > 0) actions.push(button(say(next), "primary", does.rematch));
  const { watch, exact } = data("page");
  const secret = watch ? `&watch=${encodeURIComponent(watch)}` : "";
  const analyse = `/analysis/${view.game}?from=${view.id}${secret}`;
  actions.push(html("a", { class: "button", href: analyse }, say("act-analyse")));
  if (exact) {
    actions.push(html("a", { class: "button", href: `${analyse}&exact` }, say("exact-button")));
  }
  nodes.push(row(...actions), ...promises(view, does));
  return { key: `end-${view.rematch?.url ?? ""}-${view.ending}`, nodes };
}
