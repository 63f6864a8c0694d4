//! isl's own cases. The data are those of `FARKAS_DATA`, by default `../shared/data` beside the repository, if they are
//! there.

use std::path::{Path, PathBuf};

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow::{AccessInfo, Flow};

fn folder() -> PathBuf {
    let data = std::env::var_os("FARKAS_DATA").map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    data.unwrap_or_else(|| root.join("../shared/data")).join("isl/flow")
}

#[test]
fn accesses_of_isl() {
    let Ok(files) = std::fs::read_dir(folder()) else {
        println!("skipped: there is no folder {}", folder().display());
        return;
    };
    let mut count = 0;
    for file in files {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|extension| extension == "ai") {
            check(&file);
            count += 1;
        }
    }
    assert!(count >= 19, "{count} files");
}

fn check(file: &Path) {
    let b = Budget::new(10_000_000);
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let info = AccessInfo::parse(&read(file), &b).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let expected: Flow = read(&file.with_extension("flow")).parse().unwrap();
    let found = info.flow(&b).unwrap();
    assert!(found.is_equal(&expected, &b).unwrap(), "{}:\n{found}", file.display());
    let again: Flow = found.to_string().parse().unwrap();
    assert!(found.is_equal(&again, &b).unwrap(), "{found}");
}
