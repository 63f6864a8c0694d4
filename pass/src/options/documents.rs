//! The documents on the options: made of [`SPECS`], so that none is missing and none says something else than `-help`.
//!
//! `UPDATE_EXPECT=1` writes them anew.

use super::SPECS;
use expect_test::expect_file;
use farkas_llvm::plugin::OptionSpec;

/// Where a document has the options.
const PLACE: &str = "@OPTIONS@\n";

/// The options that `-help` lists.
fn listed() -> impl Iterator<Item = &'static OptionSpec> {
    SPECS.iter().filter(|option| option.is_listed())
}

#[test]
fn the_guide_has_all_options() {
    let mut table = String::from("| key | value | meaning |\n|---|---|---|\n");
    for option in listed() {
        let values: Vec<String> = option.values().split('|').map(|value| format!("`{value}`")).collect();
        let row = [&format!("`{}`", option.key()), &*values.join(", "), option.help()];
        table += &format!("| {} |\n", row.join(" | "));
    }
    let page = include_str!("options.md").replace(PLACE, &table);
    expect_file!["../../../docs/src/options.md"].assert_eq(&page);
}

/// Text in roff, where a backslash and a dot at the start of a line mean something else, and `-` is a hyphen.
fn roff(text: &str) -> String {
    let mut escaped = text.replace('\\', "\\e").replace('-', "\\-");
    // Names of files and commands are in backquotes, two by two.
    while escaped.contains('`') {
        escaped = escaped.replacen('`', "\\fB", 1).replacen('`', "\\fR", 1);
    }
    escaped
}

#[test]
fn the_manual_page_has_all_options() {
    let mut entries = String::new();
    for option in listed() {
        entries += &format!(
            ".TP\n\\fB\\-{}\\fR=\\fI{}\\fR\n{}.\n",
            roff(option.name()),
            roff(option.values()),
            roff(option.help())
        );
    }
    let page = include_str!("farkas-plugin.7").replace(PLACE, &entries);
    expect_file!["../../../docs/man/farkas-plugin.7"].assert_eq(&page);
}
