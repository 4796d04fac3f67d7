//! A slow second reading of the rules page: a mailbox of characters, options as their texts, every
//! pair of squares tried. It shares nothing with the crate.

use std::collections::HashMap;

/// File and rank, both from 0.
pub(crate) type At = (i32, i32);

/// What one ply was.
#[derive(Clone, Copy)]
struct Ply {
    red: bool,
    animal: char,
    from: At,
    to: At,
}

/// A game by the rules page.
#[derive(Clone)]
pub(crate) struct Slow {
    options: HashMap<String, String>,
    board: HashMap<At, char>,
    red_to_move: bool,
    quiet: u32,
    plies: Vec<Ply>,
    stood: Vec<String>,
}

fn river((file, rank): At) -> bool {
    (3..=5).contains(&rank) && [1, 2, 4, 5].contains(&file)
}

fn den_of(red: bool) -> At {
    if red { (3, 0) } else { (3, 8) }
}

fn traps_of(red: bool) -> [At; 3] {
    if red { [(2, 0), (4, 0), (3, 1)] } else { [(2, 8), (4, 8), (3, 7)] }
}

fn trap(at: At) -> bool {
    traps_of(true).contains(&at) || traps_of(false).contains(&at)
}

/// All squares.
pub(crate) fn squares() -> impl Iterator<Item = At> {
    (0..9).flat_map(|rank| (0..7).map(move |file| (file, rank)))
}

/// `a1` to `g9`.
pub(crate) fn name((file, rank): At) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

/// The square of a name.
pub(crate) fn at(name: &str) -> At {
    let bytes = name.as_bytes();
    (i32::from(bytes[0]) - 97, i32::from(bytes[1]) - 49)
}

impl Slow {
    /// A game of a variant, `online` or `classic` with options, from a position's text.
    pub(crate) fn new(variant: &str, position: &str) -> Slow {
        let mut parts = variant.split(',');
        let classic = parts.next() == Some("classic");
        let pick = |online: &str, by_name: &str| if classic { by_name } else { online }.to_string();
        let mut options = HashMap::from([
            ("leave-water".to_string(), pick("rat", "none")),
            ("enter-water".to_string(), pick("yes", "no")),
            ("trapped-captures".to_string(), pick("no", "yes")),
            ("elephant-takes-rat".to_string(), pick("trapped", "trapped")),
            ("anti-chase".to_string(), pick("on", "off")),
            ("repetition".to_string(), pick("none", "three")),
            ("no-capture".to_string(), pick("200", "100")),
            ("equal".to_string(), pick("attacker-survives", "attacker-survives")),
            ("order".to_string(), pick("dog-below-wolf", "dog-below-wolf")),
        ]);
        for part in parts {
            let (key, value) = part.split_once('=').expect("key=value");
            options.insert(key.to_string(), value.to_string());
        }
        let fields: Vec<&str> = position.split(' ').collect();
        let mut board = HashMap::new();
        for (i, row) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(empty) => file += empty as i32,
                    None => {
                        board.insert((file, 8 - i as i32), c);
                        file += 1;
                    }
                }
            }
        }
        let quiet = fields.get(2).map_or(0, |n| n.parse().expect("a number"));
        let red_to_move = fields[1] == "w";
        let mut slow =
            Slow { options, board, red_to_move, quiet, plies: Vec::new(), stood: Vec::new() };
        slow.stood.push(slow.standing());
        slow
    }

    fn says(&self, key: &str, value: &str) -> bool {
        self.options[key] == value
    }

    /// Board and side, as text.
    fn standing(&self) -> String {
        let row = |at: At| self.board.get(&at).copied().unwrap_or('.');
        let mut text: String = squares().map(row).collect();
        text.push(if self.red_to_move { 'w' } else { 'b' });
        text
    }

    fn power(&self, animal: char) -> i32 {
        let order = if self.says("order", "wolf-below-dog") { "RCWDPTLE" } else { "RCDWPTLE" };
        order.find(animal).expect("an animal") as i32 + 1
    }

    fn of(&self, red: bool) -> Vec<(At, char)> {
        let own = self.board.iter().filter(|(_, c)| c.is_ascii_uppercase() == red);
        own.map(|(at, c)| (*at, c.to_ascii_uppercase())).collect()
    }

    fn may_take(&self, red: bool, (animal, from): (char, At), (prey, to): (char, At)) -> bool {
        if self.says("trapped-captures", "no") && traps_of(!red).contains(&from) {
            return false;
        }
        if river(to) {
            return river(from) || self.says("enter-water", "yes");
        }
        if river(from) && self.says("leave-water", "none") {
            return false;
        }
        if river(from) && self.says("leave-water", "rat") && prey != 'R' {
            return false;
        }
        let trapped = traps_of(red).contains(&to);
        match (animal, prey) {
            ('E', 'R') => match self.options["elephant-takes-rat"].as_str() {
                "never" => false,
                "always" => true,
                _ => trapped,
            },
            ('R', 'E') => true,
            _ => trapped || self.power(animal) >= self.power(prey),
        }
    }

    /// The first rule a move of this side breaks, history aside, whosever turn it is.
    fn fault(&self, red: bool, from: At, to: At) -> Option<&'static str> {
        let animal = self.board.get(&from).filter(|c| c.is_ascii_uppercase() == red);
        let Some(animal) = animal.map(char::to_ascii_uppercase) else {
            return Some("illegal-no-animal");
        };
        let (across, up) = (to.0 - from.0, to.1 - from.1);
        let far = across.abs().max(up.abs());
        let straight = (across == 0) != (up == 0);
        let between: Vec<At> =
            (1..far).map(|i| (from.0 + across.signum() * i, from.1 + up.signum() * i)).collect();
        let jump = straight && far > 1 && "LT".contains(animal) && !river(from) && !river(to);
        let jump = jump && between.iter().all(|at| river(*at));
        if !(straight && far == 1 || jump) {
            return Some("illegal-step");
        }
        if river(to) && animal != 'R' {
            return Some("illegal-water");
        }
        let rat = |at: &At| self.board.get(at).is_some_and(|c| c.eq_ignore_ascii_case(&'R'));
        if jump && between.iter().any(rat) {
            return Some("illegal-jump-blocked");
        }
        if to == den_of(red) {
            return Some("illegal-own-den");
        }
        let stands = self.board.get(&to)?;
        if stands.is_ascii_uppercase() == red {
            return Some("illegal-own-piece");
        }
        let takes = self.may_take(red, (animal, from), (stands.to_ascii_uppercase(), to));
        (!takes).then_some("illegal-capture")
    }

    /// The moves of a side without history.
    fn moves_of(&self, red: bool) -> Vec<(At, At)> {
        let pairs =
            self.of(red).into_iter().flat_map(|(from, _)| squares().map(move |to| (from, to)));
        pairs.filter(|(from, to)| self.fault(red, *from, *to).is_none()).collect()
    }

    /// The side's own last moves, the oldest first, if there are so many or `fewer` will do.
    fn window(&self, length: usize, fewer: bool) -> Vec<Ply> {
        let own: Vec<Ply> =
            self.plies.iter().filter(|p| p.red == self.red_to_move).copied().collect();
        let window = &own[own.len().saturating_sub(length)..];
        if window.len() < length && !fewer { Vec::new() } else { window.to_vec() }
    }

    /// The anti-chase rule that forbids a move which no other rule forbids.
    fn ban(&self, from: At, to: At) -> Option<&'static str> {
        if self.says("anti-chase", "off") {
            return None;
        }
        let animal = self.board[&from].to_ascii_uppercase();
        let seven = self.window(7, true);
        let entered = seven.iter().filter(|p| p.animal == animal && p.to == to).count();
        let chased = || self.moves_of(!self.red_to_move).iter().any(|(_, prey)| *prey == from);
        if entered >= 3 && !seven.iter().any(|p| trap(p.to)) && !chased() {
            return Some("illegal-anti-chase-7-3");
        }
        let seventeen = self.window(17, false);
        if seventeen.is_empty() || seventeen.iter().any(|p| p.animal != animal || trap(p.to)) {
            return None;
        }
        let mut stood: Vec<At> = seventeen.iter().map(|p| p.to).collect();
        stood.push(seventeen[0].from);
        stood.sort_unstable();
        stood.dedup();
        (stood.len() <= 5 && stood.contains(&to)).then_some("illegal-anti-chase-17-5")
    }

    /// The legal moves as texts, sorted, and the banned ones with their rule.
    pub(crate) fn legal(&self) -> (Vec<String>, Vec<(String, &'static str)>) {
        let mut moves = self.moves_of(self.red_to_move);
        moves.sort_unstable();
        let text = |(from, to): &(At, At)| name(*from) + &name(*to);
        let (mut legal, mut banned) = (Vec::new(), Vec::new());
        for m in &moves {
            match self.ban(m.0, m.1) {
                None => legal.push(text(m)),
                Some(rule) => banned.push((text(m), rule)),
            }
        }
        if legal.is_empty() {
            banned.clear();
            legal = moves.iter().map(text).collect();
        }
        legal.sort_unstable();
        banned.sort_unstable();
        (legal, banned)
    }

    /// The rule a move of the side to move breaks, history included.
    pub(crate) fn foul(&self, from: At, to: At) -> Option<&'static str> {
        if let Some(fault) = self.fault(self.red_to_move, from, to) {
            return Some(fault);
        }
        let text = name(from) + &name(to);
        self.legal().1.into_iter().find(|(banned, _)| *banned == text).map(|(_, rule)| rule)
    }

    /// Plays a move.
    pub(crate) fn play(&mut self, text: &str) {
        let (from, to) = (at(&text[..2]), at(&text[2..]));
        let mover = self.board.remove(&from).expect("an animal moves");
        let animal = mover.to_ascii_uppercase();
        self.quiet += 1;
        let taken = self.board.remove(&to);
        if taken.is_some() {
            self.quiet = 0;
        }
        let trapped = traps_of(self.red_to_move).contains(&to);
        let vanish = self.says("equal", "both-vanish")
            && !trapped
            && taken.is_some_and(|c| self.power(c.to_ascii_uppercase()) == self.power(animal));
        if !vanish {
            self.board.insert(to, mover);
        }
        self.plies.push(Ply { red: self.red_to_move, animal, from, to });
        self.red_to_move = !self.red_to_move;
        self.stood.push(self.standing());
    }

    /// How the game stands: result and reason.
    pub(crate) fn outcome(&self) -> Option<(&'static str, &'static str)> {
        let side = |red: bool| if red { "first" } else { "second" };
        let (mover, enemy) = (!self.red_to_move, self.red_to_move);
        for red in [mover, enemy] {
            let inside = self.board.get(&den_of(!red));
            if inside.is_some_and(|c| c.is_ascii_uppercase() == red) {
                return Some((side(red), "den"));
            }
        }
        match (self.of(mover).is_empty(), self.of(enemy).is_empty()) {
            (true, true) => return Some(("draw", "all-captured")),
            (true, false) => return Some((side(enemy), "all-captured")),
            (false, true) => return Some((side(mover), "all-captured")),
            _ => {}
        }
        if self.moves_of(enemy).is_empty() {
            return Some((side(mover), "blocked"));
        }
        if self.options["no-capture"].parse().is_ok_and(|most: u32| self.quiet >= most) {
            return Some(("draw", "no-capture"));
        }
        let now = self.stood.last().expect("the start stood");
        let times = self.stood.iter().filter(|stood| *stood == now).count();
        (self.says("repetition", "three") && times >= 3).then_some(("draw", "repetition"))
    }
}
