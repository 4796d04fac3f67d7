// Layouts as plain data: swapping, mirroring, drawing lots, and what is wrong with a text.

import { remember, remembered, say } from "./words.js";

/**
 * Whether a kind may stand on a place.
 * @param {Arrangement} arrangement
 * @param {string} letter
 * @param {number} place
 */
function may({ kinds }, letter, place) {
  return kinds.find((kind) => kind.letter === letter)?.places.includes(place) ?? false;
}

/**
 * Why two places cannot be swapped; empty if they can.
 * @param {Arrangement} arrangement
 * @param {string} text
 * @param {number} i
 * @param {number} j
 */
export function whyNot(arrangement, text, i, j) {
  for (const [letter, place] of /** @type {[string, number][]} */ ([[text[i], j], [text[j], i]])) {
    if (may(arrangement, letter, place)) continue;
    return arrangement.kinds.find((kind) => kind.letter === letter)?.why ?? "";
  }
  return "";
}

/**
 * @param {string} text
 * @param {number} i
 * @param {number} j
 */
export function swap(text, i, j) {
  const letters = [...text];
  [letters[i], letters[j]] = [letters[j], letters[i]];
  return letters.join("");
}

/** @param {Arrangement} arrangement @param {string} text */
export function mirror({ mirror: twins }, text) {
  return twins.map((twin) => text[twin]).join("");
}

/** A number below `n` by chance. @param {number} n */
function below(n) {
  return Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * n);
}

/** A legal layout by chance. @param {Arrangement} arrangement */
export function drawn({ kinds, places }) {
  /** @type {string[]} */
  const letters = places.map(() => "");
  for (const kind of kinds) {
    for (let n = 0; n < kind.count; n += 1) {
      const free = kind.places.filter((place) => letters[place] === "");
      letters[free[below(free.length)]] = kind.letter;
    }
  }
  return letters.join("");
}

/**
 * What is wrong with a layout's text, in a sentence; empty if nothing is.
 * @param {Arrangement} arrangement
 * @param {string} text
 */
export function fault({ kinds, places }, text) {
  const letters = [...text];
  if (letters.length !== places.length) {
    return say("layout-bad-length", { want: places.length, found: letters.length });
  }
  const strange = letters.find((letter) => !kinds.some((kind) => kind.letter === letter));
  if (strange !== undefined) {
    const [first, last] = [...kinds.map((kind) => kind.letter)].sort().filter((_, i, all) => {
      return i === 0 || i === all.length - 1;
    });
    return say("layout-bad-letter", { letter: strange, first, last });
  }
  for (const { letter, count, name } of kinds) {
    const found = letters.filter((other) => other === letter).length;
    if (found !== count) return say("layout-bad-count", { name, letter, count, found });
  }
  for (const kind of kinds) {
    if (letters.some((letter, i) => letter === kind.letter && !kind.places.includes(i))) {
      return kind.why ?? "";
    }
  }
  return "";
}

/** @typedef {{name: string, text: string}} Named */

/** Layouts kept under a name in this browser, for every variant of a game. */
export class Shelf {
  /** @param {string} game */
  constructor(game) {
    this.key = `layouts-${game}`;
    this.last = `layout-last-${game}`;
  }

  /** @returns {Named[]} */
  all() {
    return JSON.parse(remembered(this.key, "[]"));
  }

  /** Keeps a layout; one of the same name is replaced. @param {Named} named */
  keep(named) {
    const others = this.all().filter((other) => other.name !== named.name);
    remember(this.key, JSON.stringify([...others, named]));
  }

  /** @param {string} name */
  drop(name) {
    remember(this.key, JSON.stringify(this.all().filter((other) => other.name !== name)));
  }
}
