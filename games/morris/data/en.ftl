# Nine Men's Morris
seat-first = White
seat-second = Black
morris-about = Three men in a row take one of the other side's. Known since Roman times; with best play it is a draw.

morris-piece-white = white man
morris-piece-black = black man
morris-men-white = White men
morris-men-black = Black men
morris-slides = Slides without a removal

morris-variant-nine = Nine men's morris
morris-variant-six = Six men's morris: two rings, no flying
morris-variant-twelve = Twelve men's morris: with diagonals
morris-variant-lasker = Lasker morris: ten men, placed or slid
morris-variant-morabaraba = Morabaraba: twelve men, with diagonals

morris-option-flying = Flying
morris-option-flying-at-three = with three men left
morris-option-flying-never = never
morris-option-flying-at-four = with four men or fewer
morris-option-remove-from-mills = Men in mills may be taken
morris-option-remove-from-mills-when-all-in-mills = when all stand in mills
morris-option-remove-from-mills-never = never
morris-option-remove-from-mills-always = always
morris-option-double-mill = Two mills closed at once take
morris-option-double-mill-one = one man
morris-option-double-mill-two = two men
morris-option-blocked = A side without a move
morris-option-blocked-loses = loses
morris-option-blocked-draws = draws
morris-option-blocked-passes = passes

reason-fewer-than-three = fewer than three men left
reason-blocked = the side to move has no move
reason-repetition = the position occurred for the third time
reason-no-removal = too many slides in a row without a removal
reason-illegal-no-man = there is no man to move there, or none in hand
reason-illegal-occupied = a man stands there already
reason-illegal-not-adjacent = a man slides to a neighbouring point only
reason-illegal-removal = what was taken is not what is due

morris-rules-1 = White begins. While you have men in hand, put one on any empty point in each turn.
morris-rules-2 = When all men are placed, slide a man along a line to a neighbouring empty point. A side with exactly three men left may fly: move a man to any empty point.
morris-rules-3 = Three men of yours on a line are a mill. Closing one takes a man of the other side, in the same turn: any that stands in no mill, or any at all if every one of them stands in a mill. You may open a mill and close it again as often as you like.
morris-rules-4 = Two mills closed at once take one man.
morris-rules-5 = A side with fewer than three men, those in hand counted, loses. So does a side that has no move in its turn, also right after the last man is placed.
morris-rules-6 = The game is drawn when a position occurs for the third time with the same side to move, after a hundred slides in a row without a removal, and by agreement.
morris-rules-7 = Six men's morris is played with six men on two rings. There is no flying, and only the sides of the rings are mills.
morris-rules-8 = Twelve men's morris adds the diagonals: they join points and make mills.
morris-rules-9 = In Lasker morris each side has ten men, and may slide men while others are still in hand.
morris-rules-10 = Morabaraba is played as twelve men's morris. Once both sides are down to three men, twenty slides in a row without a removal are a draw.
morris-rules-11 = Where two men may be taken for two mills, what protects them is judged before either goes, and if only one may go, one goes. Where a blocked side passes, the board passes for it, and if neither side has a move the game is drawn.
morris-rules-12 = In official conduct an illegal move loses the game. A mill closed without taking the man that is due is one.
