// Plies that come faster than they can be seen are shown one after another, on a board for several.

/** How long each is looked at before the next. */
const STEP_MS = 900;

/**
 * @typedef {object} Hooks
 * @property {(seen: SeenMove[], past: PastView) => void} show
 * @property {(ply: number) => Promise<PastView | null>} past the board after a ply
 * @property {(view: GameView) => void} take what came, now that its turn has come
 */

export class Pacer {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** When a ply was shown last. */
    this.at = -STEP_MS;
    this.busy = false;
    /** @type {GameView | null} what came last */
    this.latest = null;
    /** @type {GameView | null} what has waited long enough */
    this.due = null;
  }

  /**
   * Whether a view has to wait until those before it have been seen.
   * @param {GameView} view
   * @param {GameView} shown
   */
  holds(view, shown) {
    if (view.players.length <= 2 || view.curtain || view === this.due) return false;
    if (this.busy) {
      if (!this.latest || view.n >= this.latest.n) this.latest = view;
      return true;
    }
    const news = view.seen.length - shown.seen.length;
    if (news <= 0) return false;
    const now = performance.now();
    if (news === 1 && now - this.at >= STEP_MS) {
      this.at = now;
      return false;
    }
    this.latest = view;
    this.busy = true;
    void this.run(shown.seen.length);
    return true;
  }

  /** @param {number} count of the plies that have been seen */
  async run(count) {
    let seen = count;
    while (this.latest) {
      const left = this.at + STEP_MS - performance.now();
      if (left > 0) await new Promise((done) => setTimeout(done, left));
      const { latest } = this;
      this.at = performance.now();
      if (latest.seen.length <= seen + 1) break;
      seen += 1;
      const past = await this.hooks.past(seen);
      if (past) this.hooks.show(latest.seen.slice(0, seen), past);
    }
    const { latest } = this;
    this.latest = null;
    this.busy = false;
    this.due = latest;
    if (latest) this.hooks.take(latest);
  }
}
