//! Prints random operands, to look at them: `operands [SEED] [COUNT]`.

use farkas_peer::differential::Input;

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|arg| arg.parse::<u64>().ok());
    let (seed, count) = (args.next().unwrap_or(1), args.next().unwrap_or(20));
    for number in 0..count {
        let input = Input::new(seed, number);
        println!("{number}: {}", input.name());
        input.texts().iter().for_each(|text| println!("    {text}"));
    }
}
