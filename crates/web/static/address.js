// Where an analysis stands, written into the page's address, so that it can be reloaded, gone back
// to and sent to somebody. What an address has no room for is kept as long as the window lives.

/** Some messengers cut what is longer. */
const LONGEST = 1_900;
const KEPT = "kiban-analysis-";

/**
 * @typedef {object} Stand
 * @property {string} variant
 * @property {string | null} from a game played here
 * @property {string | null} watch the secret of its watchers
 * @property {string} position what the line begins with
 * @property {string[]} moves the line
 * @property {string | null} record the text of a record, where no position and moves say the same
 * @property {number | null} base the ply that moves were tried out after; null if none were
 * @property {string[]} tried those moves
 * @property {number | null} ply the ply looked at
 */

/**
 * @typedef {object} Kept
 * @property {Record<string, unknown> | null} source what the line was read from
 * @property {unknown} review what was thought of it
 */

/** @param {string | null} text */
const words = (text) => (text ?? "").split(" ").filter(Boolean);

/** @param {string | null} text */
const number = (text) => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

/** What the page's address says. @returns {Stand} */
export function readAddress() {
  const query = new URLSearchParams(location.search);
  const record = new URLSearchParams(location.hash.slice(1)).get("record");
  return {
    variant: query.get("variant") ?? "",
    from: query.get("from"),
    watch: query.get("watch"),
    position: query.get("position") ?? "",
    moves: words(query.get("moves")),
    record,
    base: number(query.get("at")),
    tried: words(query.get("tried")),
    ply: number(query.get("ply")),
  };
}

/** The address that says this; null if it is too long for one. @param {Stand} stand */
export function addressOf(stand) {
  const { variant, from, watch, position, moves, record, base, tried, ply } = stand;
  const query = new URLSearchParams();
  const put = (/** @type {string} */ name, /** @type {string | null} */ value) => {
    if (value) query.set(name, value);
  };
  put("from", from);
  put("watch", watch);
  put("variant", from ? "" : variant);
  put("position", position);
  put("moves", moves.join(" "));
  put("at", base === null ? "" : String(base));
  put("tried", tried.join(" "));
  put("ply", ply === null ? "" : String(ply));
  const search = query.size > 0 ? `?${query}` : "";
  const hash = record === null ? "" : `#${new URLSearchParams({ record })}`;
  const address = `${location.pathname}${search}${hash}`;
  return address.length > LONGEST ? null : address;
}

/** The number of this place in the window's history, where what is kept lies. */
function place() {
  return /** @type {string | null} */ (history.state?.analysis ?? null);
}

/**
 * Writes where one stands into the address of this place in the history.
 * @param {Stand} stand
 * @returns {boolean} whether all of it had room
 */
export function writeAddress(stand) {
  const state = { analysis: place() ?? newPlace() };
  const whole = addressOf(stand);
  const short = { ...stand, position: "", moves: [], record: null };
  const address = whole ?? addressOf(short) ?? addressOf({ ...short, base: null, tried: [] });
  try {
    history.replaceState(state, "", address);
  } catch {
    // A browser takes only so many changes a minute; the next one tells this, too.
  }
  return whole !== null;
}

/** Begins a new place in the history: what was looked at before is one step back. */
export function turnPage() {
  history.pushState({ analysis: newPlace() }, "", location.pathname);
}

function newPlace() {
  return Math.random().toString(36).slice(2);
}

/** What was kept for this place in the history. @returns {Kept | null} */
export function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(`${KEPT}${place()}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Kept} kept */
export function keep(kept) {
  const [key, text] = [`${KEPT}${place()}`, JSON.stringify(kept)];
  try {
    sessionStorage.setItem(key, text);
  } catch {
    makeRoom(key, text);
  }
}

/**
 * Forgets what other places keep.
 * @param {string} key
 * @param {string} text
 */
function makeRoom(key, text) {
  try {
    for (const other of Object.keys(sessionStorage)) {
      if (other.startsWith(KEPT)) sessionStorage.removeItem(other);
    }
    sessionStorage.setItem(key, text);
  } catch {
    // What a browser does not keep is read again.
  }
}
