// A board for four is small on a phone: it can be looked at from near, and pushed about.

/** Whether the board is looked at from near. @param {HTMLElement} host */
export function isNear(host) {
  return host.classList.contains("near");
}

/**
 * Goes near, or back. Near, one's own places come first.
 * @param {HTMLElement} host
 */
export function step(host) {
  host.classList.toggle("near");
  host.scrollTo((host.scrollWidth - host.clientWidth) / 2, host.scrollHeight);
}

/**
 * Brings a place to the middle.
 * @param {HTMLElement} host
 * @param {Element | null} place
 */
export function follow(host, place) {
  if (!place || !isNear(host)) return;
  const [box, at] = [host.getBoundingClientRect(), place.getBoundingClientRect()];
  const left = at.left + at.width / 2 - box.left - box.width / 2;
  const top = at.top + at.height / 2 - box.top - box.height / 2;
  host.scrollBy({ left, top, behavior: "smooth" });
}
