# Texts of every game. A game's own file may override a seat's name.
seat-first = First
seat-second = Second
seat-third = Third
seat-fourth = Fourth

reason-timeout = time ran out
reason-resign = resignation
reason-abandoned = the other player left
reason-agreement = the players agreed

call-resign = Resign
call-declare = Declare
call-agree-draw = Agree to a draw
call-agree-impasse = Agree that this is an impasse
call-timeout = Time ran out
call-left = Left the game

outcome-win = { $winner } wins: { $reason }.
outcome-win-team = { $winner } win: { $reason }.
outcome-team = { $one } and { $other }
outcome-draw = A draw: { $reason }.
outcome-replay = No decision: { $reason }. The game is played again with sides swapped.
outcome-foul = { $move } is a foul by { $seat }: { $reason }.
outcome-foul-win = { $winner } wins.
outcome-foul-win-team = { $winner } win.
outcome-foul-open = In records of this game a foul decides nothing; this one ends there without a result.

refusal-over = The game is over.
refusal-not-your-turn = It is not your turn.
refusal-no-take-back = This cannot be taken back.
refusal-wrong-stage = That does not belong to this stage of the game.
