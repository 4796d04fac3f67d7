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
  count: number;
  name: string;
}

interface Scene {
  pieces: ScenePiece[];
  last: string[];
  check: string[];
  facts: [string, string][];
}

interface Choice {
  text: string;
  taps: string[];
}

interface SeenMove {
  by: SeatName[];
  text: string;
  native: string;
  western: string;
  taps: string[];
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
  seated: boolean;
  here: boolean;
}

interface GameView {
  id: string;
  n: number;
  game: string;
  variant: string;
  start: string;
  conduct: "guided" | "official";
  mode: "computer" | "screen" | "online";
  viewer: SeatName | "watcher";
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
  outcome: { result: string; winners: SeatName[]; reason: string } | null;
  foul: { ply: number; seat: SeatName; move: string; reason: string } | null;
  ending: string | null;
  score: { first: number; second: number } | null;
  rematch: { url: string } | null;
  links: { join: string | null; watch: string | null } | null;
  formats: { id: string; extension: string }[];
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

/** What the board is to do with taps. */
type BoardMode =
  | { kind: "look" }
  | { kind: "choose"; choices: Choice[]; seat: SeatName | null }
  | { kind: "free"; taps: number; next: string[] | null; seat: SeatName | null }
  | { kind: "plan"; taps: number; seat: SeatName };

interface BoardState {
  scene: Scene;
  mode: BoardMode;
  flipped: boolean;
  /** The taps of the move that led here, to be animated; null to jump. */
  moved: string[] | null;
  mover: SeatName | null;
}
