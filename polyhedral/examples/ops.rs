use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{Map, Set};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let verbose = args.len() > 2;
    let mut total: std::collections::BTreeMap<String, (u32, f64, f64, u32)> = Default::default();
    for line in text.lines() {
        let f: Vec<&str> = line.split('\t').collect();
        let (n, op, isl) = (f[0], f[1], f[2].parse::<f64>().unwrap());
        let a = &f[3..];
        let m = |i: usize| -> Map { a[i].parse().unwrap_or_else(|e| panic!("{n}: {e}")) };
        let s = |i: usize| -> Set { a[i].parse().unwrap_or_else(|e| panic!("{n}: {e}")) };
        let b = Budget::new(20_000_000);
        if op.contains("hull") {}
        let set_op = op.contains("lex") && a[0].parse::<Map>().is_err();
        let max = op.contains("lexmax") || a.get(2) == Some(&"1");
        let op = match (set_op, max) {
            (true, true) => "set_lexmax",
            (true, false) => "set_lexmin",
            _ => op,
        };
        if !op.contains("hull")
            && !set_op
            && !op.starts_with("set")
            && a.iter()
                .take(if op.contains("apply") { 2 } else { 1 })
                .any(|t| t.parse::<Map>().is_err())
        {
            continue;
        }
        let run: Box<dyn Fn() -> Option<String>> = match op {
            "map_lexmin" => {
                let x = m(0);
                let b = &b;
                Box::new(move || x.lexmin(b).ok().map(|r| r.pieces().len().to_string()))
            }
            "set_lexmin" => {
                let x = s(0);
                let b = &b;
                Box::new(move || x.lexmin(b).ok().map(|r| r.pieces().len().to_string()))
            }
            "set_lexmax" => {
                let x = s(0);
                let b = &b;
                Box::new(move || x.lexmax(b).ok().map(|r| r.pieces().len().to_string()))
            }
            "map_lexmax" | "map_lexmax_pw_multi_aff" => {
                let x = m(0);
                let b = &b;
                Box::new(move || x.lexmax(b).ok().map(|r| r.pieces().len().to_string()))
            }
            "map_lexmin_pw_multi_aff" => {
                let x = m(0);
                let b = &b;
                Box::new(move || x.lexmin(b).ok().map(|r| r.pieces().len().to_string()))
            }
            "map_partial_lexmax" => {
                let (x, d) = (m(0), s(1));
                let b = &b;
                Box::new(move || {
                    x.partial_lexmax(&d, b)
                        .ok()
                        .map(|r| format!("{}+{}", r.0.pieces().len(), r.1.pieces().len()))
                })
            }
            "tab_basic_map_partial_lexopt" | "tab_basic_map_partial_lexopt_pw_multi_aff" => {
                let (x, d) = (m(0), s(1));
                let b = &b;
                let max = a.get(2) == Some(&"1");
                Box::new(move || {
                    if max {
                        x.partial_lexmax(&d, b)
                    } else {
                        x.partial_lexmin(&d, b)
                    }
                    .ok()
                    .map(|r| format!("{}+{}", r.0.pieces().len(), r.1.pieces().len()))
                })
            }
            "map_apply_range" | "basic_map_apply_range" => {
                let (x, d) = (m(0), m(1));
                let b = &b;
                Box::new(move || x.apply_range(&d, b).ok().map(|r| r.pieces().len().to_string()))
            }
            "map_deltas" => {
                let x = m(0);
                let b = &b;
                Box::new(move || x.deltas(b).ok().map(|r| r.pieces().len().to_string()))
            }
            "basic_map_affine_hull" | "map_affine_hull" => {
                let b = &b;
                let bb = Budget::new(20_000_000);
                if let Ok(x) = a[0].parse::<Map>() {
                    let mine = x.affine_hull(&bb).unwrap();
                    match a[1].parse::<Map>() {
                        Ok(theirs) => {
                            if !mine.is_equal(&theirs, &bb).unwrap() {
                                println!("{n} differs: {} : {} isl {}", a[0], mine, a[1]);
                            }
                        }
                        Err(e) => println!("{n}: {e}"),
                    }
                    Box::new(move || x.affine_hull(b).ok().map(|r| r.pieces().len().to_string()))
                } else {
                    let x = s(0);
                    let mine = x.affine_hull(&bb).unwrap();
                    match a[1].parse::<Set>() {
                        Ok(theirs) => {
                            if !mine.is_equal(&theirs, &bb).unwrap() {
                                println!("{n} differs: {} : {} isl {}", a[0], mine, a[1]);
                            }
                        }
                        Err(e) => println!("{n}: {e}"),
                    }
                    Box::new(move || x.affine_hull(b).ok().map(|r| r.pieces().len().to_string()))
                }
            }
            _ => continue,
        };
        let t = Instant::now();
        let left = b.left();
        let r = run();
        let mut time = t.elapsed().as_secs_f64();
        let units = left - b.left();
        let mut k = 0;
        while k < 5 && (time < 0.02) {
            let t = Instant::now();
            run();
            time = time.min(t.elapsed().as_secs_f64());
            k += 1;
        }
        let e = total.entry(op.to_string()).or_default();
        e.0 += 1;
        e.1 += time;
        e.2 += isl;
        e.3 += r.is_none() as u32;
        if verbose || time > 3.0 * isl && time > 1e-3 {
            println!(
                "{n} {op} {:.1}us isl {:.1}us units {units} -> {r:?}",
                time * 1e6,
                isl * 1e6
            );
        }
    }
    for (op, (n, t, i, fail)) in total {
        println!(
            "{op}: {n} ours {:.1}us isl {:.1}us ratio {:.2} out of budget {fail}",
            t / n as f64 * 1e6,
            i / n as f64 * 1e6,
            t / i
        );
    }
}
