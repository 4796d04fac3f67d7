// Shapes of the JSON the server sends; used by `tsc --checkJs` only, never served.

type SeatName = "first" | "second" | "third" | "fourth";

interface Place {
  id: string;
  tap: string;
  seat: SeatName | null;
  x: number;
  y: number;
  w: number;
  h: number;
  /** Message key of what kind of place it is, where that is not like most. */
  kind?: string;
}

interface Picture {
  width: number;
  height: number;
  places: Place[];
  defs: string;
  board: string;
  labels: { x: number; y: number; svg: string }[];
}

interface ScenePiece {
  at: string;
  face: string;
  seat: SeatName | null;
  turned: boolean;
  upright: boolean;
  count: number;
  name: string;
}

interface Scene {
  pieces: ScenePiece[];
  last: string[];
  check: string[];
  /** Chains of places along which a line glows: what the last move completed. */
  glow?: string[][];
  /** Whether the last move jumped: from the first to the second of `last`. */
  leap?: boolean;
  facts: [string, string][];
  fallen: Fallen[];
  /** Message keys that name the seats; empty where the usual ones do. */
  sides: string[];
  out: SeatName[];
}

interface Fallen {
  seat: SeatName | null;
  face: string;
  name: string;
  count: number;
}

interface Choice {
  text: string;
  taps: string[];
}

/** A move that would be legal but for a rule. */
interface Banned extends Choice {
  reason: string;
  why: string;
}

interface SeenMove {
  by: SeatName[];
  text: string;
  native: string;
  western: string;
  taps: string[];
  path: string[];
  fell: string[];
  told?: string[];
  spent_ms?: number | null;
}

interface TimeLeft {
  main_ms: number;
  periods: number;
  byoyomi_ms: number;
}

interface ClockView {
  control: { main_ms: number; byoyomi_ms: number; periods: number; increment_ms: number };
  running: SeatName | null;
  left: TimeLeft[];
}

interface PlayerView {
  seat: SeatName;
  kind: "person" | "computer";
  level: number | null;
  /** The name of another program. */
  engine?: string | null;
  seated: boolean;
  here: boolean;
  name?: string;
  out?: boolean;
}

type Viewer = SeatName | "watcher" | "referee";

interface Arrangement {
  places: string[];
  mirror: number[];
  kinds: {
    letter: string;
    face: string;
    name: string;
    count: number;
    places: number[];
    why: string | null;
  }[];
  presets: { id: string; name: string; text: string }[];
}

/** Something a player noted at a piece. */
interface Note {
  at: string;
  sign: "is" | "least" | "most" | "moved";
  face: string | null;
  text: string;
}

/** The move that led to a scene. */
interface Moved {
  taps: string[];
  path: string[];
  fell: string[];
  told: boolean;
  by: SeatName | null;
}

interface GameView {
  id: string;
  n: number;
  game: string;
  variant: string;
  start: string;
  conduct: "guided" | "official";
  mode: "computer" | "screen" | "online";
  viewer: Viewer;
  seats: SeatName[];
  stage: "layout" | "play" | "over";
  position: string;
  ply: number;
  waiting_for: SeatName[];
  to_move: SeatName | null;
  scene: Scene;
  choices: Choice[];
  free: boolean;
  free_taps?: number;
  calls: string[];
  may_offer: string[];
  offers: { seat: SeatName; what: string }[];
  may_claim: boolean;
  seen: SeenMove[];
  in_check: boolean | null;
  clock: ClockView | null;
  players: PlayerView[];
  thinking: boolean;
  /** What befell a program that plays here. */
  engine_failed?: string | null;
  outcome: { result: string; winners: SeatName[]; reason: string } | null;
  foul: { ply: number; seat: SeatName; move: string; reason: string } | null;
  ending: string | null;
  score: { first: number; second: number } | null;
  rematch: { url: string } | null;
  links: { join: string | null; watch: string | null } | null;
  formats: { id: string; extension: string }[];
  arranging?: { seat: SeatName; laid: string | null; left_ms: number | null } | null;
  laid?: SeatName[];
  before_play?: number;
  commitments?: { who: string; sha256: string }[];
  hidden?: boolean;
  curtain?: boolean;
  viewers?: Viewer[];
  banned?: Banned[];
}

interface PastView {
  ply: number;
  scene: Scene;
  position: string;
  in_check: boolean | null;
}

interface ServerError {
  error: { code: string; message: string; where?: { line?: number; column?: number } | null };
  view?: GameView;
  next?: string[];
}

/** A move with its exact value, to be drawn. */
interface ExactMove {
  taps: string[];
  value: "win" | "draw" | "loss";
  label: string;
  words: string;
}

/** What the board is to do with taps. */
type BoardMode =
  | { kind: "look" }
  | { kind: "choose"; choices: Choice[]; seat: SeatName | null; insist?: boolean; banned?: Banned[] }
  | { kind: "free"; taps: number; next: string[] | null; seat: SeatName | null }
  | { kind: "plan"; taps: number; seat: SeatName };

interface BoardState {
  scene: Scene;
  mode: BoardMode;
  /** By how many quarters the board is turned clockwise. */
  turns: number;
  /** The places to be seen, if not all. */
  part?: string[] | null;
  notes?: Note[];
  /** What moves are worth, best first. */
  values?: ExactMove[];
  /** The move that led here, to be animated; null to jump. */
  moved: Moved | null;
}
