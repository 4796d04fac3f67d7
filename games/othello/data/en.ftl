# Othello
seat-first = Black
seat-second = White
othello-about = Place a disc, turn all it encloses. A minute to learn, a lifetime to master.

othello-piece-black = black disc
othello-piece-white = white disc
othello-discs-black = Black
othello-discs-white = White

othello-variant-othello = Othello
othello-variant-anti = Anti-reversi: fewer discs win
othello-variant-reversi = Reversi of the 1890s: free centre
othello-variant-xot = XOT: a drawn opening
othello-option-size = Board
othello-option-size-4 = 4 × 4
othello-option-size-6 = 6 × 6
othello-option-size-8 = 8 × 8
othello-option-size-10 = 10 × 10
othello-option-handicap = Black's corners at the start
othello-option-handicap-0 = none
othello-option-handicap-1 = one corner
othello-option-handicap-2 = two corners
othello-option-handicap-3 = three corners
othello-option-handicap-4 = four corners

othello-setup-handicap-1 = Handicap: one corner
othello-setup-handicap-2 = Handicap: two corners
othello-setup-handicap-3 = Handicap: three corners
othello-setup-handicap-4 = Handicap: four corners
othello-setup-parallel = Parallel start

reason-more-discs = more discs
reason-fewer-discs = fewer discs
reason-equal-discs = equally many discs
reason-illegal-occupied = a disc was placed on a disc
reason-illegal-no-flip = the disc would turn no other
reason-illegal-pass = a pass while a disc can be placed

othello-rules-1 = Black begins. Place a disc on an empty square so that one or more straight, unbroken runs of the other side's discs lie between it and another disc of yours. All these discs turn over, in every direction.
othello-rules-2 = Whoever can turn nothing passes; the board does that for you. Whoever can turn something must.
othello-rules-3 = When neither side can place a disc the game is over. More discs win; the empty squares are counted to the winner, or half each in a draw.
othello-rules-4 = In anti-reversi all is the same, but fewer discs win. The discs are counted as they lie.
othello-rules-5 = In the Reversi of the 1890s the board starts empty. The first four discs go freely onto the four centre squares and turn nothing.
othello-rules-6 = In XOT the game starts after eight moves of an even opening drawn by lot.
othello-rules-7 = Boards of 4, 6 and 10 squares a side follow the same rules.
othello-rules-8 = With a handicap Black starts with discs on one to four corners, and White begins.
othello-rules-9 = Time, resignation and leaving lose at once, and every square is counted to the winner; in anti-reversi, to the loser.
othello-rules-10 = In official conduct an illegal move loses the game.
