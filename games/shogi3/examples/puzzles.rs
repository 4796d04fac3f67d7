//! Finds problems and prints the file: `puzzles SEED EACH`, so many of each kind and grade.

#![expect(clippy::print_stdout, reason = "a tool on the command line")]

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut number = || numbers.next().and_then(Result::ok);
    match (number(), number()) {
        (Some(seed), Some(each)) => print!("{}", kiban_shogi3::puzzles::write(seed, each as usize)),
        _ => println!("usage: puzzles SEED EACH"),
    }
}
