// The texts of the page, put into it by the server.

/** @type {Record<string, string> | null} */
let table = null;

/** @returns {Record<string, string>} */
function all() {
  if (table === null) table = data("words") ?? {};
  return /** @type {Record<string, string>} */ (table);
}

/**
 * A block of JSON of the page.
 * @param {string} id
 * @returns {any} null if the page has none
 */
export function data(id) {
  const block = document.getElementById(id);
  return block ? JSON.parse(block.textContent ?? "null") : null;
}

/** @param {string} key */
export function has(key) {
  return key in all();
}

/**
 * A text with its `{name}` places filled in; the key itself if there is no such text.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  const text = all()[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * A setting that is remembered, or its default.
 * @param {string} key
 * @param {string} fallback
 */
export function remembered(key, fallback) {
  try {
    return localStorage.getItem(`kiban-${key}`) ?? fallback;
  } catch {
    return fallback;
  }
}

/** @param {string} key */
export function forget(key) {
  try {
    localStorage.removeItem(`kiban-${key}`);
  } catch {
    // There is nothing to forget.
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(`kiban-${key}`, value);
  } catch {
    // A browser that keeps nothing still plays.
  }
}
