//! `farkas man` and `farkas completions`: made of the definitions that `--help` shows.

use std::fs;
use std::process::Command;

fn printed(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_farkas")).args(arguments).output();
    let done = done.expect("the command runs");
    assert!(done.status.success(), "{arguments:?}");
    String::from_utf8(done.stdout).expect("text")
}

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = printed(&["--help"]);
    let listed = help.split("Commands:\n").nth(1).expect("commands");
    let names = listed.lines().take_while(|line| line.starts_with("  "));
    let names = names.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next().map(str::to_owned));
    names.filter(|name| name != "help").collect()
}

/// The long options that a command's `--help` lists.
fn options(command: &str) -> Vec<String> {
    let help = printed(&[command, "--help"]);
    let words = help.lines().filter_map(|line| {
        let option = line.trim_start();
        option.starts_with('-').then(|| option.split_whitespace())
    });
    let long = words.flatten().filter(|word| word.starts_with("--"));
    // A value that may be left out follows in brackets.
    long.filter_map(|word| word.split('[').next().map(str::to_owned))
        .collect()
}

#[test]
fn each_command_has_a_page_with_its_options() {
    let folder = std::env::temp_dir().join(format!("farkas-man-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    printed(&["man", folder.to_str().expect("text")]);
    let commands = commands();
    assert!(commands.iter().any(|name| name == "calc"), "{commands:?}");
    for command in commands {
        let page = fs::read_to_string(folder.join(format!("farkas-{command}.1")));
        let page = page
            .unwrap_or_else(|error| panic!("farkas-{command}.1: {error}"))
            .replace('\\', "");
        for option in options(&command) {
            assert!(page.contains(&option), "farkas-{command}.1 has no {option}");
        }
    }
    fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn completions_have_all_options() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: no {command}");
            for option in options(&command) {
                // Fish has the name of an option without its dashes.
                assert!(script.contains(&option[2..]), "{shell}: no {option} of {command}");
            }
        }
    }
}

#[test]
fn the_folder_has_to_be_there() {
    let done = Command::new(env!("CARGO_BIN_EXE_farkas"))
        .args(["man", "/nowhere/at/all"])
        .output();
    let done = done.expect("the command runs");
    assert_eq!(done.status.code(), Some(1));
    let errors = String::from_utf8(done.stderr).expect("text");
    assert!(
        errors.starts_with("/nowhere/at/all: ") && errors.lines().count() == 1,
        "{errors}"
    );
}
