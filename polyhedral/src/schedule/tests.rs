use super::*;

fn constraints(text: &str) -> ScheduleConstraints {
    text.parse().unwrap()
}

fn scheduled(text: &str) -> String {
    schedule(&constraints(text), &Options::default(), &Budget::unlimited())
        .unwrap()
        .to_string()
}

#[test]
fn matrix_multiplication() {
    println!(
        "{}",
        scheduled(
            r#"
domain: "[n, m, k] -> { T[i, j, l] : 0 <= i < n and 0 <= j < m and 0 <= l < k; S[i, j] : 0 <= i < n and 0 <= j < m }"
validity: "[n, m, k] -> { S[i, j] -> T[i, j, 0]; T[i, j, l] -> T[i, j, l + 1] }"
proximity: "[n, m, k] -> { S[i, j] -> T[i, j, 0]; T[i, j, l] -> T[i, j, l + 1] }"
coincidence: "[n, m, k] -> { S[i, j] -> T[i, j, 0]; T[i, j, l] -> T[i, j, l + 1] }"
"#
        )
    );
}

#[test]
fn files() {
    let Ok(dir) = std::env::var("SC_DIR") else { return };
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    for f in files {
        let name = f.display().to_string();
        if !name.ends_with(&std::env::var("SC_SUFFIX").unwrap_or("param.nolr.sc".into())) {
            continue;
        }
        let Ok(c) = std::fs::read_to_string(&f).unwrap().parse::<ScheduleConstraints>() else {
            println!("{name} not parsed");
            continue;
        };
        let b = Budget::new(u64::MAX);
        let start = std::time::Instant::now();
        let mut c = c;
        if std::env::var("COIN").is_ok() {
            c.coincidence = c.validity.clone();
        }
        let t = schedule(&c, &Options::default(), &b);
        println!("{name} {:?} units {}", start.elapsed(), u64::MAX - b.left());
        match t {
            Ok(t) => {
                if std::env::var("SHOW").is_ok() {
                    println!("{t}")
                }
            }
            Err(e) => println!("{e}"),
        }
    }
}
