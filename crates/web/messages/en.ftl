# Texts of the pages.
site-name = Kiban

nav-label = Games
nav-skip = Skip to the page
nav-about = About
nav-rules = Rules
nav-analysis = Analysis
nav-puzzles = Puzzles
nav-theme = Light or dark

footer-words = Kiban, a board for classic games.
footer-rules = Rules of { $game }

home-title = Sit down at a good board.
home-words = Play the computer, a friend beside you, or somebody far away by a link. Every rule is kept exactly, down to the rare ones.
home-play = Play
home-exact-title = Exact rules
home-exact = The same code that explains a rule judges it. A foul is named, with the rule it breaks.
home-study-title = Made for study
home-study = Paste a record or a position, step through it, try other moves, and play on from where you are.
home-own-title = Your own machine
home-own = One program, no account, nothing sent elsewhere. Games are kept even if the power fails.

start-opponent = Who plays
start-computer = Play the computer
start-screen = Share this screen
start-online = Invite a friend
start-online-words = You get a link to send. Whoever opens it first takes a free seat.
start-screen-words = The players take turns at this board. Where ranks are hidden, a curtain hides the board between turns.
start-level = Level
start-engine = Which computer
start-engine-own = Kiban's own, by level
start-level-low = first game
start-level-high = full strength
start-side = Your side
start-random = Either
start-variant = Variant
start-setup = Start position
start-usual = The usual start
start-own = A position of your own
start-own-label = The position's text
start-clock = Clock
start-conduct = Illegal moves
start-more = Rules and options
start-seats-2 = Two players
start-seats-4 = Four players
start-place = Your seat
start-allies = Opposite seats play together.
start-others = Who plays
start-seat-person = A person
start-seat-computer = The computer
start-layout = Time to lay out
start-layout-0 = No limit
start-layout-60 = 1 minute
start-layout-120 = 2 minutes
start-layout-300 = 5 minutes
start-option-usual = As usual for the start
start-go = Start the game

level-1 = a child's first game
level-2 = knows the rules
level-3 = beginner
level-4 = casual player
level-5 = keen player
level-6 = strong amateur
level-7 = club player
level-8 = strong club player
level-9 = expert
level-10 = the best it can

clock-none = No clock
clock-fast = 3 minutes, 2 seconds added a move
clock-short = 10 minutes, 5 seconds added a move
clock-byoyomi = 10 minutes, then 30 seconds a move
clock-long = 30 minutes, then 60 seconds a move
clock-half-hour = 30 minutes for the whole game
clock-turn = 30 seconds for each move
clock-own = Your own times
clock-own-main = Minutes
clock-own-byoyomi = Byoyomi, seconds
clock-own-periods = Periods
clock-own-increment = Added, seconds
clock-words-main = { $time } each
clock-words-byoyomi = then { $periods } × { $seconds } s a move
clock-words-increment = { $seconds } s added a move

conduct-guided = Guided.
conduct-guided-words = The board offers legal moves only.
conduct-official = Official.
conduct-official-words = The board marks nothing, and an illegal move loses, as over the board.

rules-title = The rules of { $game }
rules-start = The start position
rules-board = The board
rules-pieces = The pieces
rules-endings = How a game ends
rules-fouls = Illegal moves
rules-fouls-words = In a guided game the board does not let them be made. In an official game they lose.
rules-variants = Variants
rules-options = Options
rules-options-words = Each can be chosen when a game is set up.
rules-default = usual
rules-here = in your game
rules-setups = Set positions
rules-formats = Records
rules-formats-words = Read: { $read }. Written: { $written }.

join-title = A game of { $game }
join-words = You are invited to take the seat of { $seat }.
join-company = Who sits there
join-go = Play { $seat }

game-no-script = The board needs JavaScript. The rules, the forms and the records work without it.
game-move-label = Move in writing
game-move-send = Play

bar-own-label = Player below
bar-rival-label = Player above
bar-left-label = Player on the left
bar-right-label = Player on the right
bar-tray = Pieces lost
bar-turn = to move
bar-arranging = lays out
bar-thinking = thinking

player-you = You
player-rival = Opponent
player-person = Player
player-open = seat open
player-out = out
player-laid = laid out
player-arranges = laying out
player-computer = Computer, level { $level }

board-label = Board
board-keys = Arrow keys go from place to place, Enter taps, Escape takes a tap back.
board-empty = empty
board-piece = { $owner } { $name }
board-hand = { $seat } in hand
board-target = can be played
board-can-go = can go to { $places }
board-choose = Choose

option-promote = Promote
option-keep = Keep

record-label = Record
record-steps = Step through the game
record-first = To the start
record-back = One move back
record-on = One move on
record-last = To the last move
record-start = Start
record-empty = No moves yet
record-notation = Change the notation
notation-western = Western
notation-text = Plain
notation-native = Native

record-promises = Check the referee
record-promises-words = These hashes were told when each layout lay. The downloaded record holds salt and layout of each: the SHA-256 of "SALT:{ $id }:SEAT:LAYOUT" must be the same, where SEAT is first, second, third or fourth in the order of turns. "kiban judge" checks it.
record-deal = The deal

act-take-back = Take back
act-draw = Offer draw
act-impasse = Impasse
act-declare = Declare
act-claim-left = Claim the game
act-resign = Resign
act-play-on = Play on
act-accept = Accept
act-decline = Decline
act-rematch = Rematch
act-next-game = Go to the next game
act-analyse = Analyse
act-download = Download the record
act-flip = Turn the board
act-near = Look at the board from near
act-rules = The rules of this game
act-hide = Hide the board
act-faces = Characters or drawings on the pieces
act-copy = Copy
act-copied = Copied

ask-resign = Resign this game?
ask-draw = Do both sides agree to a draw?
ask-impasse = Do both sides agree to an impasse?
ask-declare = Declare now? If a condition is not met, the declaration loses the game.

offer-draw = Your opponent offers a draw.
offer-impasse = Your opponent proposes to settle the game as an impasse.
offer-take-back = Your opponent asks to take back a move.
offered-draw = You have offered a draw.
offered-impasse = You have proposed an impasse.
offered-take-back = You have asked to take back a move.

invite = Send this link to whom you want to play with. The game begins when they take the seat.
invite-several = Send this link to those you want to play with: each who opens it takes one of the { $open } open seats. The game begins when all are taken.
invite-label = Link for your opponent
invite-watch = A link for watchers
invite-watch-label = Link for watchers

status-check = Check.
status-past = After move { $ply } of { $of }.
status-waiting = Waiting for the other player.
status-waiting-all = Waiting for the other players.
status-planned = Played as soon as it is your turn, if it can be. Escape takes it back.
status-passed = { $seat } has no move and passes.
status-declined = Your opponent declined.
status-unsent = The move is kept and sent again when the server answers.
status-refused = That was not taken.
status-lost = The line to the server is broken. Trying again.

status-banned = Hatched ({ $from } to { $to }). { $why }
status-laid = You have laid out. Waiting for { $seats }.

layout-title = Your layout
layout-help = Tap two pieces to swap them, or drag one onto the other.
layout-left = { $time } left
layout-late = The time is up; your layout is laid as it stands.
layout-mirror = Mirror
layout-random = At random
layout-pick = Layouts
layout-none = Your own
layout-listed = To begin with
layout-own = Saved here
layout-name = A name for this one
layout-keep = Save
layout-kept = Saved in this browser.
layout-drop = Delete
layout-text = As text
layout-text-help = Front rank first, left to right. Paste one here to use it.
layout-lay = Lay down
layout-same = These two are alike.
layout-stays-empty = This place stays empty in a layout.
layout-bad-length = A layout has { $want } letters, this one { $found }.
layout-bad-letter = "{ $letter }" names no piece; the letters go from { $first } to { $last }.
layout-bad-count = There are { $found } pieces "{ $name }" ({ $letter }); a side has { $count }.

note-hint = Right click, long press or M: note what an unknown piece may be.
note-label = What do you think it is
note-is = is
note-least = at least
note-most = at most
note-moved = has moved
note-clear = Clear
note-text-is = noted: { $name }
note-text-least = noted: at least { $name }
note-text-most = noted: at most { $name }
note-text-moved = noted: has moved

curtain-label = Between two players
curtain-title = { $seat } comes next
curtain-show = Show { $seat }'s board
curtain-layout = Lay out for { $seat }
curtain-waits = Waiting for { $seat }.
curtain-words = Only { $seat } should look. Escape hides the board again.

eyes-label = Shown as seen by
eyes-referee = Everything
eyes-watcher = Everybody, what was public

sound-on = Sounds on
sound-off = Sounds off

score = { $one } { $first } : { $second } { $two }

# What another program did, followed by what comes of it.
engine-fault-absent = { $name } cannot be started
engine-fault-unready = { $name } did not get ready within { $seconds } seconds
engine-fault-ended = { $name } ended by itself
engine-fault-stall = { $name } did not answer in time
engine-fault-wrong = { $name } answered without a move
engine-fault-illegal = { $name } answered { $move }, which the rules forbid
engine-fault-untold = { $name } cannot be told this position
engine-fault-gone = { $name } is not set up on this server any more
engine-fault-busy = { $name } got no turn, as other games keep the engines busy
engine-resigns = { $fault }; it resigns.
engine-label = Best moves
engine-think = Best moves
engine-thinking = The computer is thinking.
engine-waits = The computer looks at the whole game first.
engine-over = The game is over here.
engine-lost = The line to the server is broken; switch it off and on to try again.
engine-silent = While two people play, the computer says nothing about their game.
engine-which = Who analyses
engine-own = Kiban
engine-arrows = Arrows
engine-depth = Depth { $depth }. Plus is good for { $seat }.
engine-call = The computer would choose: { $call }.
engine-draw = A draw
engine-wins = { $seat } wins
engine-wins-by = { $seat } wins by move { $ply }

exact-button = Exact values
exact-label = Exact values
exact-solving = Solving this position.
exact-verdict = { $seat } { $worth }.
exact-over = The game is over here.
exact-win = wins in { $n }
exact-draw = draws
exact-loss = loses in { $n }
exact-mark-win = +{ $n }
exact-mark-draw = =
exact-mark-loss = −{ $n }
exact-under = Under which rules
exact-history = What happened before is left out of account: a line without end is a draw. Numbers are plies to the end, the winner playing fastest and the loser slowest.

review-label = The course of the game
review-start = Review
review-stop = Stop
review-progress = { $done } of { $all } positions
review-done = Each position was looked at briefly; a mark may be wrong.
review-graph = Chance to win, ply by ply
review-table = As a table
review-column-move = Move
review-column-chance = Chance
review-column-remark = Remark
review-unknown = not known
review-chance = { $seat } { $percent } %
review-at = { $move }: { $chance }
review-won = { $seat } has won
review-drawn = The game is drawn
review-inaccuracy = Inaccuracy
review-mistake = Mistake
review-blunder = Blunder
review-better = { $mark }. Better: { $move }
review-count-inaccuracy = inaccuracies { $n }
review-count-mistake = mistakes { $n }
review-count-blunder = blunders { $n }

analysis-title = { $game } analysis
analysis-tried = You are trying your own moves.
analysis-restore = Back to the record
analysis-ended = The game has ended here
analysis-ends = The end, after move { $of }
analysis-play = Play from here
analysis-position = Position
analysis-text = A record or a position
analysis-read = Read it
analysis-open = Open a file
analysis-link = Copy a link to this
analysis-link-copied = The link is copied.
analysis-link-long = This is too long for a link; send the record itself.

puzzle-title = { $game } puzzles
puzzle-words = All of them come from solved positions: each has one right first move, and the board answers every try.
puzzle-list = All puzzles
puzzle-number = Puzzle { $n }
puzzle-done = solved
puzzle-aim-win = { $seat } to move: win in { $n }.
puzzle-aim-keep-win = { $seat } to move: only one move keeps the win.
puzzle-aim-keep-draw = { $seat } to move: only one move keeps the draw.
puzzle-count = The number counts the moves of both sides.
puzzle-right = Right. Go on.
puzzle-solved = Solved.
puzzle-solved-keep-win = Right: this alone keeps the win.
puzzle-solved-keep-draw = Right: this alone keeps the draw. All else loses.
puzzle-slower = This wins too, but only in { $n }.
puzzle-lets-draw = This lets the win go: after { $reply } it is a draw.
puzzle-loses = This loses: { $reply }, and it is over in { $n }.
puzzle-loses-at-once = This loses at once.
puzzle-draws-at-once = This ends the game without a win.
puzzle-shown = One way to play it out.
puzzle-again = Try again
puzzle-show = Show the answer
puzzle-next = Next puzzle
puzzle-analyse = Analyse

grade-beginner = Beginner
grade-easy = Easy
grade-medium = Medium
grade-hard = Hard
grade-own = Your own

setup-show-worth = Its value
setup-worth-win = Under the usual rules { $seat } wins in { $n }.
setup-worth-draw = Under the usual rules it is a draw.

about-title = About Kiban
about-words = Kiban, the Japanese word for a game board, is one program with classic board games: exact rules, an honest referee, computer opponents and tools to study a game.
about-own = It runs on your own machine or on a club's. It needs no account, loads nothing from elsewhere and tells nobody what you play.
about-keys-title = Keys
about-keys = On the board, the arrow keys move from place to place, Enter or Space taps, Escape takes a tap back. Elsewhere the left and right arrows step through the record. On an unknown piece M notes what you think it is. Moves can also be written in the game's own notation.
about-licence-title = Licence
about-licence = Kiban { $version } is free software under the MIT licence or the Apache License 2.0, as you choose.
about-face-title = Characters on the pieces
about-face = They are drawn as outlines, so that they look right on every machine.
about-face-licence = Notice and licence of the typeface

error-404 = Nothing here
error-403 = Not for everybody
error-other = That did not work
error-home = To the first page
error-no-page = There is no page at this address.
error-picture = The board could not be loaded. Load the page again.
