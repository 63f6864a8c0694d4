//! The Debian packages that `scripts/package` makes: what is in them works from another root.
//!
//! The binaries are those of the release build here. `FARKAS_PACKAGES=FOLDER` tests packages that were made before.
#![forbid(unsafe_code)]

use farkas_test::scratch;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// The largest plugin: it is loaded by each run of the compiler.
const MAX_PLUGIN: u64 = 12_000_000;

/// The folder that both packages are unpacked into.
static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    // Each run replaces what the one before left: it is large.
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("debian-package");
    if work.exists() {
        fs::remove_dir_all(&work).expect("the folder of an earlier run");
    }
    let (packages, root) = (work.join("packages"), work.join("root"));
    fs::create_dir_all(&root).expect("a folder");
    let packages = env::var_os("FARKAS_PACKAGES").map_or_else(
        || {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/package");
            let mut command = Command::new(script);
            command
                .args(["--built", "--profile", "release", "--output"])
                .arg(&packages);
            // Compressing the symbols would take most of the time.
            success(command.env("DPKG_DEB_COMPRESSOR_TYPE", "none"));
            packages
        },
        PathBuf::from,
    );
    let mut count = 0;
    for package in fs::read_dir(packages).expect("packages") {
        let package = package.expect("an entry").path();
        success(Command::new("dpkg-deb").arg("-x").args([&package, &root]));
        count += 1;
    }
    assert_eq!(count, 2, "a package and its symbols");
    root
});

fn success(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{errors}");
    output
}

/// What a command prints, with its errors.
fn printed(command: &mut Command) -> String {
    let output = success(command);
    let texts = [output.stdout, output.stderr];
    texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat()
}

/// The files in a folder and in those below it.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files.extend(files_below(&path)),
            false => files.push(path),
        }
    }
    files
}

/// The compiler, which finds the plugin by its name as it would in the folder of LLVM's library.
fn clang() -> Command {
    let mut command = Command::new("clang-22");
    command.env("LD_LIBRARY_PATH", ROOT.join("usr/lib/llvm-22/lib"));
    command.args(["-O3", "-fpass-plugin=farkas.so", "-Rpass=farkas"]);
    command
}

/// The folder of libraries for this architecture.
fn library_folder() -> PathBuf {
    let runtime = files_below(&ROOT.join("usr/lib"))
        .into_iter()
        .find(|path| path.ends_with("libfarkas_runtime.so"))
        .expect("the library for GPUs");
    runtime.parent().expect("a folder").to_owned()
}

#[test]
fn the_compiler_loads_the_plugin_by_its_name() {
    let source = farkas_test::kernel_dir().join("gemm.c");
    let program = scratch().join("by-name");
    let said = printed(clang().arg(source).arg("-o").arg(&program));
    assert!(said.contains("loop nest transformed"), "{said}");
    assert!(!printed(Command::new(program).arg("checksum")).is_empty());
}

#[test]
fn programs_include_the_header() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/snippets/annotated.c");
    let mut command = clang();
    command
        .arg("-isystem")
        .arg(ROOT.join("usr/include"))
        .arg("-c")
        .arg(source);
    let said = printed(command.arg("-o").arg(scratch().join("annotated.o")));
    assert!(said.contains("loops in an order by hand"), "{said}");
}

#[test]
fn programs_link_with_the_library_for_gpus() {
    let source = farkas_test::kernel_dir().join("gemm.c");
    let (program, libraries) = (scratch().join("with-runtime"), library_folder());
    let mut command = clang();
    command.args(["-mllvm", "-farkas-gpu=force"]).arg(source);
    command.arg("-L").arg(&libraries).args(["-lfarkas_runtime", "-o"]);
    let said = printed(command.arg(&program));
    assert!(said.contains("loop nest transformed"), "{said}");
    let mut command = Command::new(program);
    command.arg("checksum").env("LD_LIBRARY_PATH", libraries);
    assert!(!printed(command.env("FARKAS_GPU", "off")).is_empty());
}

#[test]
fn the_command_runs() {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("plans/gemm.scop");
    let farkas = ROOT.join("usr/bin/farkas");
    assert!(printed(Command::new(&farkas).arg("plan").arg(plan)).contains("schedule"));
    let completions = ROOT.join("usr/share/bash-completion/completions/farkas");
    let completions = fs::read_to_string(completions).expect("completions");
    let printed = printed(Command::new(farkas).args(["completions", "bash"]));
    assert_eq!(completions, printed);
}

#[test]
fn binaries_have_their_symbols_in_the_other_package() {
    let plugin = ROOT.join("usr/lib/llvm-22/lib/farkas.so");
    let size = fs::metadata(&plugin).expect("the plugin").len();
    assert!(size <= MAX_PLUGIN, "the plugin has {size} bytes");
    let runtime = library_folder().join("libfarkas_runtime.so");
    for binary in [plugin, runtime, ROOT.join("usr/bin/farkas")] {
        let notes = printed(
            Command::new("readelf")
                .env("LC_ALL", "C")
                .args(["-n", "-S"])
                .arg(&binary),
        );
        assert!(!notes.contains(".debug_info"), "{} has symbols", binary.display());
        let id = notes
            .split("Build ID: ")
            .nth(1)
            .expect("an identifier of the build")
            .trim();
        let file = format!("usr/lib/debug/.build-id/{}/{}.debug", &id[..2], &id[2..40]);
        let symbols = printed(Command::new("readelf").arg("-S").arg(ROOT.join(file)));
        assert!(symbols.contains(".debug_info"), "{symbols}");
    }
}

#[test]
fn documents_are_complete() {
    let share = ROOT.join("usr/share");
    for file in [
        "copyright",
        "README.md",
        "changelog.gz",
        "docs/src/options.md",
        "docs/snippets/product.c",
    ] {
        assert!(share.join("doc/farkas").join(file).exists(), "no {file}");
    }
    let copyright = fs::read_to_string(share.join("doc/farkas/copyright")).expect("a text");
    assert!(copyright.contains("LLVM Exceptions to the Apache 2.0 License"));
    let crates: Vec<_> = copyright
        .lines()
        .filter_map(|line| line.strip_suffix(')')?.strip_prefix(' ')?.split_once(" ("))
        .collect();
    assert!(crates.iter().any(|(name, _)| name.starts_with("clap-")), "{crates:?}");
    for (name, licence) in crates {
        // Where a crate comes without a text, that of Apache's licence is here for our own.
        let has_text = share.join("doc/farkas/licences").join(name).is_dir();
        assert!(
            has_text || licence.contains("Apache-2.0"),
            "{name} has no text of {licence}"
        );
    }
    let completions = [
        "zsh/vendor-completions/_farkas",
        "fish/vendor_completions.d/farkas.fish",
    ];
    for file in completions {
        let text = fs::read_to_string(share.join(file)).expect("completions");
        assert!(text.contains("candidates"), "{file} lacks an option");
    }
}

#[test]
fn manual_pages_are_well_formed() {
    let pages = files_below(&ROOT.join("usr/share/man"));
    let names: Vec<_> = pages.iter().filter_map(|page| page.file_name()?.to_str()).collect();
    for page in ["farkas.1.gz", "farkas-calc.1.gz", "farkas-plugin.7.gz"] {
        assert!(names.contains(&page), "{names:?}");
    }
    if Command::new("groff").arg("--version").output().is_err() {
        eprintln!("groff is not installed: manual pages are not checked");
        return;
    }
    for page in &pages {
        let text = success(Command::new("gzip").arg("-dc").arg(page)).stdout;
        let plain = scratch().join(page.with_extension("").file_name().expect("a name"));
        fs::write(&plain, text).expect("a page");
        // Its errors are warnings.
        let output = success(Command::new("groff").args(["-man", "-ww", "-Tutf8", "-z"]).arg(plain));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{}", page.display());
    }
}
