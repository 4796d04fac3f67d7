//! Finds openings for matches and prints the file: `drawn_openings SEED COUNT`.

#![expect(clippy::print_stdout, reason = "a tool on the command line")]

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut number = || numbers.next().and_then(Result::ok);
    match (number(), number()) {
        (Some(seed), Some(count)) => {
            print!("{}", kiban_shogi3::openings::write(seed, count as usize));
        }
        _ => println!("usage: drawn_openings SEED COUNT"),
    }
}
