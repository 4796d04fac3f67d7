// Clocks: they tick here between two words of the server, which alone decides.

const LOW_MS = 10_000;

/**
 * What is left after `spent` of the current ply, as the server would count it.
 * @param {TimeLeft} left
 * @param {ClockView["control"]} control
 * @param {number} spent
 * @returns {TimeLeft}
 */
export function after(left, control, spent) {
  if (spent <= left.main_ms) return { ...left, main_ms: left.main_ms - spent };
  if (control.byoyomi_ms === 0) return { main_ms: 0, periods: 0, byoyomi_ms: 0 };
  let over = spent - left.main_ms;
  let { periods, byoyomi_ms: rest } = left;
  while (periods > 0 && over >= rest) {
    over -= rest;
    periods -= 1;
    rest = control.byoyomi_ms;
  }
  return { main_ms: 0, periods, byoyomi_ms: periods > 0 ? rest - over : 0 };
}

/** @param {number} ms */
function figures(ms) {
  const tenths = Math.max(0, Math.ceil(ms / 100));
  if (ms < LOW_MS) return `0:0${Math.floor(tenths / 10) % 10}.${tenths % 10}`;
  const seconds = Math.ceil(ms / 1000);
  const pad = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

/**
 * A clock's face in text.
 * @param {TimeLeft} left
 * @param {ClockView["control"]} control
 * @returns {{text: string, periods: string, low: boolean}}
 */
export function face(left, control) {
  const counting = left.main_ms <= 0 && control.byoyomi_ms > 0;
  // The last period's seconds are not given back: a fallen flag stands at nothing.
  const period = left.periods > 0 ? left.byoyomi_ms : 0;
  const ms = counting ? period : left.main_ms;
  const periods = control.byoyomi_ms > 0 ? `${left.periods} × ${control.byoyomi_ms / 1000} s` : "";
  const last = counting ? left.periods <= 1 : control.byoyomi_ms === 0;
  const text = ms >= LOW_MS - 100 && ms < LOW_MS ? "0:10.0" : figures(ms);
  return { text, periods, low: last && ms < LOW_MS };
}

/** Both clocks of a game, ticking. */
export class Clocks {
  /** @param {(seat: number, shown: ReturnType<typeof face>, lit: boolean) => void} paint */
  constructor(paint) {
    this.paint = paint;
    /** @type {ClockView | null} */
    this.view = null;
    this.since = 0;
    /** @type {SeatName[]} */
    this.seats = [];
    setInterval(() => this.tick(), 100);
  }

  /**
   * @param {ClockView | null} view
   * @param {SeatName[]} seats
   */
  set(view, seats) {
    this.view = view;
    this.seats = seats;
    this.since = performance.now();
    this.tick();
  }

  tick() {
    const { view } = this;
    if (!view) return;
    view.left.forEach((left, i) => {
      const lit = view.running !== null && this.seats[i] === view.running;
      const spent = lit ? performance.now() - this.since : 0;
      this.paint(i, face(after(left, view.control, spent), view.control), lit);
    });
  }
}
