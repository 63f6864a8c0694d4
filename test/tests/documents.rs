//! README and guide: every command in them runs, prints what they say it prints, and every file and page they name is there.
//!
//! Commands are the lines of `console` blocks that begin with `$ `. A command goes on behind a backslash at the end of its line, and up to
//! the line `END` where it has `<<'END'`. What follows up to the next command is what it prints; where nothing follows, it only has
//! to succeed, unless it asks for remarks. `UPDATE_EXPECT=1` writes what is printed today.
//!
//! The commands of a page run in turn in a folder of their own with the files of `docs/snippets`. There they find the plugin by
//! its name, and its header, as they would with the package installed.
#![forbid(unsafe_code)]

use farkas_test::{plugin, scratch, wrong_in};
use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that are not run, by how they begin, and why.
const EXCLUDED: [(&str, &str); 6] = [
    ("./scripts/", "takes minutes, and runs by itself"),
    ("sudo apt install ", "changes the system"),
    ("cargo ", "builds the workspace, from which this test comes"),
    ("RUSTC_BOOTSTRAP=1 RUSTFLAGS=", "takes a package of cargo's"),
    (
        "CC=clang-22 CFLAGS=",
        "takes a package of cargo's and a crate of a registry",
    ),
    ("mdbook ", "needs a program that tests do not install"),
];

/// Programs that commands may lack.
const OPTIONAL: [&str; 2] = ["make", "cmake"];

/// Where the package has the plugin.
const INSTALLED: &str = "/usr/lib/llvm-22/lib/farkas.so";

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().expect("the workspace")
}

/// README and the pages of the guide.
fn documents() -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join("docs/src")).expect("the guide");
    let mut paths: Vec<PathBuf> = pages.map(|page| page.expect("an entry").path()).collect();
    paths.push(root().join("README.md"));
    paths.sort();
    paths
}

/// A piece of a document.
enum Piece {
    Text(String),
    Command { text: String, output: String },
}

/// A document's lines, each with its end.
fn pieces(document: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut is_console = false;
    let mut lines = document.split_inclusive('\n');
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            is_console = line == "```console\n";
        }
        match pieces.last_mut() {
            _ if is_console && line.starts_with("$ ") => {
                let mut text = line.to_owned();
                let is_here = line.contains("<<'END'");
                while text.ends_with("\\\n") || is_here && !text.ends_with("\nEND\n") {
                    text += lines.next().expect("the rest of a command");
                }
                let output = String::new();
                pieces.push(Piece::Command { text, output });
            }
            Some(Piece::Command { output, .. }) if is_console && !line.starts_with("```") => *output += line,
            _ => pieces.push(Piece::Text(line.to_owned())),
        }
    }
    pieces
}

/// A folder in which commands run, and what they find there.
struct Folder {
    path: PathBuf,
    /// The folder that has the plugin and the library for GPUs.
    libraries: PathBuf,
}

impl Folder {
    fn new(name: &str) -> Folder {
        let path = scratch().join(format!("document-{name}"));
        let libraries = scratch().join(format!("libraries-{name}"));
        for folder in [&path, &libraries] {
            fs::create_dir_all(folder).expect("a folder");
        }
        for file in fs::read_dir(root().join("docs/snippets")).expect("snippets") {
            let file = file.expect("an entry");
            fs::copy(file.path(), path.join(file.file_name())).expect("a copy");
        }
        let link = |from: &Path, to: PathBuf| std::os::unix::fs::symlink(from, to).expect("a link");
        link(&plugin(), libraries.join("farkas.so"));
        let runtime = "libfarkas_runtime.so";
        link(&plugin().with_file_name(runtime), libraries.join(runtime));
        Folder { path, libraries }
    }

    /// Runs a command; gives what it prints, or why it failed.
    fn run(&self, command: &str) -> Result<String, String> {
        let command = command.replace(INSTALLED, &self.libraries.join("farkas.so").to_string_lossy());
        let commands = plugin().parent().expect("a folder").to_owned();
        let before = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([commands].into_iter().chain(env::split_paths(&before)));
        let output = Command::new("bash")
            .args(["-o", "pipefail", "-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(&self.path)
            .env("PATH", path.expect("folders"))
            .env("LD_LIBRARY_PATH", &self.libraries)
            .env("LIBRARY_PATH", &self.libraries)
            .env("CPATH", root().join("pass/include"))
            .env_remove("RUST_LOG")
            .output()
            .expect("bash");
        // Flang leaves out the first slash.
        let folder = format!("{}/", self.path.display());
        let printed = String::from_utf8_lossy(&output.stdout).replace(&folder, "");
        let printed = printed.replace(&folder[1..], "");
        match output.status.success() {
            true => Ok(printed),
            false => Err(printed),
        }
    }
}

/// Why a command is not run.
fn reason_to_skip(command: &str) -> Option<&'static str> {
    let excluded = EXCLUDED.iter().find(|(start, _)| command.starts_with(start));
    let program = command.split(' ').next().unwrap_or_default();
    let is_missing = OPTIONAL.contains(&program) && Command::new(program).arg("--version").output().is_err();
    excluded
        .map(|(_, why)| *why)
        .or(is_missing.then_some("is not installed"))
}

/// What is wrong with the commands of a document. Writes their output to it if that is asked for.
fn check_commands(path: &Path) -> Vec<String> {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let document = fs::read_to_string(path).expect("a document");
    let folder = Folder::new(&name);
    let is_update = env::var_os("UPDATE_EXPECT").is_some();
    let (mut written, mut wrong) = (String::new(), Vec::new());
    for piece in pieces(&document) {
        let (text, output) = match piece {
            Piece::Text(text) => {
                written += &text;
                continue;
            }
            Piece::Command { text, output } => (text, output),
        };
        written += &text;
        let command = text[2..].trim_end();
        if let Some(why) = reason_to_skip(command) {
            eprintln!("{name}: `{command}` is not run: {why}");
            written += &output;
            continue;
        }
        let is_shown = !output.is_empty() || command.contains("-Rpass");
        let printed = folder.run(command);
        match &printed {
            Err(printed) => wrong.push(format!("{name}: `{command}` failed:\n{printed}")),
            Ok(printed) if !is_update && is_shown && *printed != output => {
                wrong.push(format!("{name}: `{command}` prints\n{printed}instead of\n{output}"));
            }
            Ok(_) => {}
        }
        written += match &printed {
            Ok(printed) if is_shown => printed,
            _ => &output,
        };
    }
    if is_update && written != document {
        fs::write(path, written).expect("the document");
    }
    wrong
}

#[test]
fn commands_do_what_documents_say() {
    let wrong = wrong_in(documents(), |path| check_commands(&path));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What documents name in links and includes, each with where it is looked for.
fn named_files(path: &Path) -> Vec<PathBuf> {
    let document = fs::read_to_string(path).expect("a document");
    let folder = path.parent().expect("a folder");
    let links = document.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links = links.filter_map(|link| link.split('#').next());
    let includes = document
        .split("{{#include ")
        .skip(1)
        .filter_map(|rest| rest.split('}').next());
    let local = links
        .chain(includes)
        .filter(|name| !name.is_empty() && !name.contains("://"));
    local.map(|name| folder.join(name)).collect()
}

#[test]
fn links_and_includes_lead_to_files() {
    let mut missing = String::new();
    for path in documents() {
        for file in named_files(&path).iter().filter(|file| !file.exists()) {
            writeln!(missing, "{}: no {}", path.display(), file.display()).expect("memory");
        }
    }
    assert!(missing.is_empty(), "{missing}");
}

#[test]
fn all_pages_and_snippets_are_in_the_guide() {
    let named = |path: &Path| {
        named_files(path)
            .into_iter()
            .filter_map(|file| file.canonicalize().ok())
    };
    let summary = root().join("docs/src/SUMMARY.md");
    let pages: BTreeSet<PathBuf> = named(&summary).collect();
    let mut snippets = BTreeSet::new();
    for page in documents().into_iter().filter(|page| page.parent() == summary.parent()) {
        assert!(
            page == summary || pages.contains(&page),
            "{} is in no table",
            page.display()
        );
        snippets.extend(named(&page));
    }
    for snippet in fs::read_dir(root().join("docs/snippets")).expect("snippets") {
        let snippet = snippet.expect("an entry").path();
        assert!(snippets.contains(&snippet), "no page includes {}", snippet.display());
    }
}

#[test]
fn papers_lead_to_code() {
    let page = fs::read_to_string(root().join("docs/src/papers.md")).expect("the page");
    let mut count = 0;
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let place = row.trim_end_matches(" |").rsplit(" | ").next().expect("a column");
        let mut folder = PathBuf::new();
        for file in place.split('`').skip(1).step_by(2) {
            let file = Path::new(file);
            // A file without a folder is beside the one before it, or its folder is.
            let path = match file.starts_with("polyhedral") || file.starts_with("codegen") || file.starts_with("pass") {
                true => root().join(file),
                false => folder.join(file),
            };
            assert!(path.exists(), "{} is not there: {row}", path.display());
            folder = path.parent().expect("a folder").to_owned();
            count += 1;
        }
    }
    assert!(count > 10, "{count} places");
}

/// Rows such as ``| LU decomposition (`lu`) | 0.2155 | 0.0092 | 23.56 |``.
#[test]
fn times_are_those_of_the_benchmarks() {
    let benchmarks = fs::read_to_string(root().join("BENCHMARKS.md")).expect("the benchmarks");
    for page in ["README.md", "docs/src/what.md"] {
        let document = fs::read_to_string(root().join(page)).expect("the page");
        let rows = document
            .lines()
            .filter(|line| line.starts_with("| ") && line.contains("(`"));
        let rows: Vec<&str> = rows.filter(|row| row.split(" | ").count() == 4).collect();
        assert!(rows.len() >= 5, "{page}: {rows:?}");
        for row in rows {
            let (words, times) = row.split_once(" | ").expect("columns");
            let kernel = words.split('`').nth(1).expect("a kernel");
            let measured = format!("| {kernel} | {}", times.trim_end_matches('|'));
            assert!(benchmarks.contains(&measured), "{page}: not measured: {row}");
        }
    }
}
