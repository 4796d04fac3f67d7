# Nine-square shogi; pieces, check and fouls are shogi's messages.
shogi3-about = Shogi on nine squares: small enough to be solved while you watch.

shogi3-variant-shogi3 = Nine-square shogi
shogi3-option-stalemate = A side without a move and not in check
shogi3-option-stalemate-loss = loses
shogi3-option-stalemate-draw = draws
shogi3-option-uchifuzume = Mate by dropping a pawn
shogi3-option-uchifuzume-forbidden = forbidden
shogi3-option-uchifuzume-allowed = allowed
shogi3-option-perpetual-check = Repetition by checks alone
shogi3-option-perpetual-check-loses = who gives check loses
shogi3-option-perpetual-check-draw = a draw

shogi3-setup-silver-pawn = Silver and pawn
shogi3-setup-rook-bishop = Rook and bishop
shogi3-setup-pawn-in-hand = A pawn in hand
shogi3-setup-lance-gold = Lance and gold
shogi3-setup-silver-hand-pawn = Silver, a pawn in hand
shogi3-setup-knight-pawn = Knight and pawn

shogi3-note-checks-alone = This draw can be held only by giving check for ever, which loses in a game.

shogi3-rules-1 = The board has three files and three ranks; the box has two each of king, rook, bishop, gold, silver, knight, lance and pawn. A game starts from a set-up: one king each, and usually two more pieces a side. The second player's pieces point the other way.
shogi3-rules-2 = In turn you move a piece or drop one from your hand onto an empty square. What you take changes sides and goes into your hand. Pieces move as in shogi.
shogi3-rules-3 = Only the far rank promotes: a piece may promote when its move begins or ends there, and a pawn, a lance and a knight must when they arrive. Gold and king do not promote.
shogi3-rules-4 = No pawn or lance may be dropped on the far rank and no knight on the two far ranks, nor a pawn on a file that already holds an unpromoted pawn of yours.
shogi3-rules-5 = Whoever is in check must get out of it; your king may not be left where it can be taken. If there is no way out, it is mate, and the game is lost.
shogi3-rules-6 = A side without a legal move loses, in check or not. As an option, one not in check draws.
shogi3-rules-7 = Mating at once by dropping a pawn is forbidden; giving check with it is not. As an option it is allowed.
shogi3-rules-8 = When a position occurs for the fourth time the game is drawn. If all moves of one side since its first occurrence gave check, that side loses.
shogi3-rules-9 = In official conduct an illegal move loses the game.
