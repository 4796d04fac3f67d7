//! Records: what is written is read back, judges alike, and mangled files are read calmly.

use crate::{Playing, Random};
use kiban_core::{
    Act, Arbiter, Entry, Format, Judged, Opening, ReadRecords, Record, Source, Viewer, WriteRecords,
};

/// Mangled files of each format.
const MANGLED: usize = 6;

/// The game so far is written in every format and read back as the same game.
///
/// # Errors
/// Names the format and what became different.
pub fn round_trip(playing: &mut Playing<'_>) -> Result<(), String> {
    let record = playing.game.record(Viewer::Referee);
    playing.case.doing("judging the record");
    let judged = (playing.case.spec.judge)(&record).map_err(|e| format!("judge: {e}"))?;
    judged_alike(playing, &judged)?;
    for format in playing.case.spec.formats {
        let fault = |fault| format!("format {}: {fault}", format.id);
        match (format.write, format.read) {
            (Some(write), Some(read)) => {
                through(playing, format, (write, read), &record, &judged).map_err(fault)?;
            }
            (Some(write), None) => drop(write(std::slice::from_ref(&record))),
            (None, Some(read)) => drop(read(source(b"", None))),
            (None, None) => return Err(fault("neither read nor written".to_string())),
        }
    }
    Ok(())
}

fn source<'a>(bytes: &'a [u8], variant: Option<&'a str>) -> Source<'a> {
    Source { bytes, variant }
}

/// The judge sees what the referee saw. It judges archived play: who made a foul in it may be
/// guessed and it may decide nothing, so a foul's place and rule alone are compared.
fn judged_alike(playing: &Playing<'_>, judged: &Judged) -> Result<(), String> {
    let (game, ending) = (&playing.game, playing.game.ending());
    if let Some(error) = &judged.error {
        return Err(format!("the judge cannot read the game's own record: {error}"));
    }
    if judged.last != game.position(Viewer::Referee) {
        return Err(format!("the judge ends at {}", judged.last));
    }
    let foul = ending.and_then(|e| e.foul.as_ref()).map(|f| f.reason);
    if judged.foul.as_ref().map(|(_, f)| f.reason) != foul {
        return Err(format!("the judge sees the foul {:?}, not {foul:?}", judged.foul));
    }
    let outcome = ending.and_then(|e| e.outcome);
    if foul.is_none() && judged.outcome != outcome {
        return Err(format!("the judge gives {:?}, not {outcome:?}", judged.outcome));
    }
    Ok(())
}

fn through(
    playing: &mut Playing<'_>,
    format: &Format,
    (write, read): (WriteRecords, ReadRecords),
    record: &Record,
    judged: &Judged,
) -> Result<(), String> {
    playing.case.doing(format!("writing a record as {}", format.id));
    let bytes = match write(std::slice::from_ref(record)) {
        Ok(bytes) => bytes,
        Err(error) if error.to_string().trim().is_empty() => {
            return Err("refuses to write without a word".to_string());
        }
        // The format cannot hold this game and says so.
        Err(_) => return Ok(()),
    };
    if (format.sniff)(&bytes) == 0 {
        return Err("does not know its own file".to_string());
    }
    playing.case.doing(format!("reading a record as {}", format.id));
    let mut records =
        read(source(&bytes, Some(&record.variant))).map_err(|e| format!("its own file: {e}"))?;
    let (Some(back), true) = (records.pop(), records.is_empty()) else {
        return Err("one record was written, another number is read".to_string());
    };
    let again = replayed(playing, &back)?;
    if again.log() != playing.game.log() {
        return Err(format!("reads {:?}, not {:?}", again.log(), playing.game.log()));
    }
    let rejudged = (playing.case.spec.judge)(&back).map_err(|e| format!("judge: {e}"))?;
    if let Some(error) = &rejudged.error {
        return Err(format!("the judge cannot read it: {error}"));
    }
    let facts = |j: &Judged| {
        let foul = j.foul.as_ref().map(|(ply, f)| (*ply, f.seat, f.reason));
        (j.variant.clone(), j.start.clone(), j.plies, j.last.clone(), j.outcome, foul, j.score)
    };
    if facts(&rejudged) != facts(judged) {
        return Err(format!("judged {:?}, not {:?}", facts(&rejudged), facts(judged)));
    }
    if rejudged.agrees == Some(false) {
        return Err(format!("claims {:?}, judged {:?}", back.claimed, rejudged.outcome));
    }
    mangled(&mut playing.random, &bytes, read);
    Ok(())
}

/// The read record put into a fresh game of the same conduct.
fn replayed(playing: &Playing<'_>, record: &Record) -> Result<Box<dyn Arbiter>, String> {
    let spec = playing.case.spec;
    let variant = spec.variant(&record.variant).map_err(|e| format!("reads a variant: {e}"))?;
    let start = (!record.start.is_empty()).then(|| record.start.clone());
    let opening = Opening { variant, start, ..playing.opening.clone() };
    let mut game = (spec.open)(&opening).map_err(|e| format!("reads a start: {e}"))?;
    for entry in record.entries() {
        if game.ending().is_some() && matches!(entry.act, Act::Call(_)) {
            // Formats state a result that is reached already.
            break;
        }
        let mut entry: Entry = entry.clone();
        if entry.by.is_empty() && !matches!(entry.act, Act::Deal(_)) {
            entry.by = game.waiting_for();
        }
        game.put(&entry).map_err(|e| format!("reads {entry:?}, which is refused: {e}"))?;
    }
    Ok(game)
}

/// Whatever a file holds, reading it ends in records or in an error.
fn mangled(random: &mut Random, bytes: &[u8], read: ReadRecords) {
    for _ in 0..MANGLED {
        let mut bytes = bytes.to_vec();
        for _ in 0..=random.below(3) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"\n 0+*,;:\"\xff"[random.below(10)]),
                _ => bytes[at] = random.bits() as u8,
            }
        }
        let _ = read(source(&bytes, None));
    }
}

/// Every viewer's record can be handed to every writer and read back without a panic.
pub fn partial(playing: &Playing<'_>) {
    for who in crate::faces::viewers(&*playing.game) {
        let record = playing.game.record(who);
        for format in playing.case.spec.formats {
            playing.case.doing(format!("writing the record of {} as {}", who.name(), format.id));
            let bytes = format.write.and_then(|write| write(std::slice::from_ref(&record)).ok());
            if let (Some(bytes), Some(read)) = (bytes, format.read) {
                let _ = read(source(&bytes, Some(&record.variant)));
            }
        }
    }
}
