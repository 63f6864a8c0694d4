use farkas_peer::ast::c::Program;
use farkas_peer::ast::input::{Mode, inputs};
use farkas_peer::ast::order::order;
use farkas_peer::isl::Isl;
use std::time::{Duration, Instant};

#[test]
fn explore() {
    let isl = Isl::system().unwrap();
    for input in inputs().unwrap().unwrap() {
        for mode in Mode::ALL {
            if mode != Mode::AsGiven {
                continue;
            }
            let input = input.with_mode(mode);
            let t = Instant::now();
            let g = input.generate_isl(&isl, Duration::from_secs(5));
            let t1 = t.elapsed();
            let text = match g {
                Ok(g) => g.text,
                Err(e) => {
                    println!("{} {}: {e}", input.name, mode.name());
                    continue;
                }
            };
            let program: Program = match text.parse() {
                Ok(p) => p,
                Err(e) => {
                    println!("{} {}: {e}", input.name, mode.name());
                    continue;
                }
            };
            let asg = input.assignments(6);
            let mut lens = vec![];
            let t = Instant::now();
            for values in &asg {
                match order(&input.schedule, values, 300_000) {
                    Ok(order) => {
                        lens.push(order.len().to_string());
                        let v: Vec<(&str, i64)> = values.iter().map(|(n, v)| (n.as_str(), *v)).collect();
                        match program.execute(&v, 20_000_000) {
                            Ok(e) => {
                                if let Err(m) = order.check(&e.instances) {
                                    println!("WRONG {} {}: {v:?} {m}", input.name, mode.name())
                                }
                            }
                            Err(e) => println!("{} {}: {v:?} {e}", input.name, mode.name()),
                        }
                    }
                    Err(e) => lens.push(format!("{values:?} {e}")),
                }
            }
            println!(
                "{} {}: {:.0?} {:.0?} {lens:?}",
                input.name,
                mode.name(),
                t1,
                t.elapsed()
            );
        }
    }
}
