// The line to the server: events come in, actions go out, and neither is lost when it breaks.

const DEAD_MS = 7500;
const LONGEST_WAIT_MS = 8000;

/** A stream of numbered views that mends itself. */
export class Stream {
  /**
   * @param {(after: number) => string} url
   * @param {(view: GameView) => void} onView
   * @param {(alive: boolean) => void} onLife
   */
  constructor(url, onView, onLife) {
    this.url = url;
    this.onView = onView;
    this.onLife = onLife;
    this.after = 0;
    this.wait = 500;
    this.heard = performance.now();
    /** @type {EventSource | null} */
    this.source = null;
    this.timer = 0;
  }

  /** @param {number} after the number of the last event known */
  start(after) {
    this.after = after;
    this.open();
    setInterval(() => this.check(), 1000);
    document.addEventListener("visibilitychange", () => this.check());
    addEventListener("pagehide", () => this.source?.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    addEventListener("online", () => this.open());
  }

  /** Follows another viewer's stream, as the address now has it. @param {number} after */
  follow(after) {
    this.after = after;
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.source?.close();
    this.heard = performance.now();
    const source = new EventSource(this.url(this.after));
    this.source = source;
    source.addEventListener("open", () => this.hear());
    source.addEventListener("ping", () => this.hear());
    source.addEventListener("error", () => source === this.source && this.reopen());
    source.addEventListener("view", (event) => {
      this.hear();
      const view = /** @type {GameView} */ (JSON.parse(event.data));
      this.after = Math.max(this.after, view.n);
      this.onView(view);
    });
  }

  hear() {
    this.heard = performance.now();
    this.wait = 500;
    this.onLife(true);
  }

  /** A stream that has been silent for too long is dead, even if nobody says so. */
  check() {
    if (this.source && performance.now() - this.heard > DEAD_MS) this.reopen();
  }

  reopen() {
    this.source?.close();
    this.source = null;
    this.onLife(false);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }
}

/** @returns {string} unique enough for one seat of one game */
function freshId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) =>
    b.toString(16).padStart(2, "0"),
  ).join("");
}

/** One action on its way to the server. It is kept until it is answered. */
export class Outbox {
  /**
   * @param {string} game
   * @param {(answer: {ok: boolean, body: any}) => void} onAnswer
   */
  constructor(game, onAnswer) {
    this.url = `/api/games/${game}/entries`;
    this.key = `kiban-unsent-${game}`;
    this.onAnswer = onAnswer;
    this.busy = false;
    /** Whether the last try did not reach the server. */
    this.waiting = false;
  }

  /** @param {Record<string, unknown>} action */
  send(action) {
    const body = JSON.stringify({ id: freshId(), ...action });
    sessionStorage.setItem(this.key, body);
    return this.post(body);
  }

  /** Sends again what was never answered; its id keeps it from being done twice. */
  resend() {
    const body = sessionStorage.getItem(this.key);
    if (body && !this.busy) void this.post(body);
  }

  /** @param {string} body */
  async post(body) {
    this.busy = true;
    let result = { ok: false, body: null };
    try {
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(this.url, { method: "POST", headers, body });
      result = { ok: answer.ok, body: await answer.json() };
      sessionStorage.removeItem(this.key);
      this.waiting = false;
    } catch {
      this.waiting = true;
    }
    this.busy = false;
    this.onAnswer(result);
  }
}
