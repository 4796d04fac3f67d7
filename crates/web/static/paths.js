// Paths of taps: which tap may follow, and when a path says a move. Knows no game.

/**
 * The choices that begin with this path.
 * @param {Choice[]} choices
 * @param {string[]} path
 */
export function matching(choices, path) {
  return choices.filter((c) => path.every((tap, i) => c.taps[i] === tap));
}

/**
 * The taps that may follow a path.
 * @param {Choice[]} choices
 * @param {string[]} path
 * @returns {Set<string>}
 */
export function following(choices, path) {
  const next = matching(choices, path).map((c) => c.taps[path.length]);
  return new Set(next.filter((tap) => tap !== undefined));
}

/**
 * What a path comes to: a whole path, small options to choose from, or nothing yet.
 * @param {Choice[]} choices
 * @param {string[]} path
 * @param {(tap: string) => boolean} isPlace
 * @returns {{whole: string[] | null, options: string[]}}
 */
export function outcome(choices, path, isPlace) {
  const left = matching(choices, path);
  const whole = left.find((c) => c.taps.length === path.length);
  if (whole) return { whole: whole.taps, options: [] };
  const options = [...following(left, path)];
  if (options.length === 0 || options.some(isPlace)) return { whole: null, options: [] };
  // A single way on that asks for no place needs no question.
  const sure = left.length === 1 && left[0].taps.slice(path.length).every((t) => !isPlace(t));
  return sure ? { whole: left[0].taps, options: [] } : { whole: null, options };
}

/**
 * The taps that would leave nothing but small options: targets, to be marked.
 * @param {Choice[]} choices
 * @param {string[]} path
 * @param {(tap: string) => boolean} isPlace
 * @returns {Set<string>}
 */
export function targets(choices, path, isPlace) {
  const found = new Set();
  for (const choice of matching(choices, path)) {
    const rest = choice.taps.slice(path.length);
    // After a first tap every way on is a target; before it only what is a move by itself.
    if (path.length > 0 || rest.filter(isPlace).length === 1) found.add(rest[0]);
  }
  return found;
}

/**
 * The least number of place taps of a move.
 * @param {Choice[]} choices
 * @param {(tap: string) => boolean} isPlace
 */
export function leastTaps(choices, isPlace) {
  const counts = choices.map((c) => c.taps.filter(isPlace).length);
  return counts.length > 0 ? Math.min(...counts) : 2;
}
