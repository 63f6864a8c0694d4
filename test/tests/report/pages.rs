//! Pages to look at.

use farkas_polyhedral::program::text;
use farkas_report::{Fact, Model, Outcome, Place, RegionReport, SourceLines, page};
use farkas_test::{kernel_dir, plans, plugin, scratch};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Kernels with all that there is on a page: several nests, those without a model or a gain, triangles, many statements.
const KERNELS: [&str; 6] = ["adi", "correlation", "gemm", "jacobi2d", "lu", "nussinov"];

/// The page that `farkas report` makes of files.
pub(crate) fn of_programs(files: &[PathBuf]) -> String {
    let command = plugin().with_file_name("farkas");
    let done = Command::new(command).arg("report").args(files).output();
    let done = done.expect("the command starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// The pages that the plugin makes of kernels, with their names.
pub(crate) fn of_kernels() -> &'static [(String, String)] {
    static PAGES: OnceLock<Vec<(String, String)>> = OnceLock::new();
    PAGES.get_or_init(compile_kernels)
}

fn compile_kernels() -> Vec<(String, String)> {
    let folder = scratch().join("report");
    let page = |name: &str| {
        let compiled = Command::new("clang-22")
            .current_dir(kernel_dir())
            .args(["-O3", "-g", "-c", "-o", "/dev/null", &format!("{name}.c")])
            .arg(format!("-fpass-plugin={}", plugin().display()))
            .args(["-mllvm", &format!("-farkas-report={}", folder.display())])
            .output()
            .expect("clang starts");
        assert!(compiled.status.success() && compiled.stderr.is_empty(), "{compiled:?}");
        let page = fs::read_to_string(folder.join(format!("{name}.c.html")));
        (name.to_owned(), page.expect("the page of the module"))
    };
    let pages = KERNELS.map(page);
    let left = fs::read_dir(&folder).expect("a folder of pages").count();
    assert_eq!(left, KERNELS.len(), "only pages are left");
    pages.into()
}

/// A page of 200 nests: those of the corpus, and some whose names, places and sources are as unkind as may be.
pub(crate) fn of_many() -> String {
    let corpus = ["gemm", "lu", "jacobi2d", "trisolv"].map(|name| {
        let text = fs::read_to_string(plans::folder().join(format!("{name}.scop"))).expect("a file of the corpus");
        text::programs(&text).expect("programs").remove(0)
    });
    let regions = (0..200).map(|number: usize| match number % 5 {
        4 => RegionReport {
            place: Some(Place {
                file: format!("{}/f.c", "folder".repeat(30)),
                line: u32::MAX,
                column: number as u32,
                inlined: Some("operator<<".to_owned()),
            }),
            facts: vec![Fact {
                name: "Checked before",
                text: "that n >= m & A, B do not overlap ".repeat(10),
            }],
            source: Some(SourceLines {
                first: 7,
                lines: vec![
                    "\t</pre><script>\u{0}\u{7}\u{1b}[31m'\"&amp;".repeat(20),
                    "]]>".to_owned(),
                ],
            }),
            ..RegionReport::new(
                "std::vector<std::map<int, double>>::insert".repeat(8),
                Outcome::Declined,
                "word".repeat(100),
            )
        },
        own => RegionReport {
            gain: Some(format!("{number}")),
            model: Some(Model {
                text: corpus[own].to_string(),
                program: corpus[own].clone(),
            }),
            ..RegionReport::new(format!("f{number}"), Outcome::Transformed, "interchanged loops")
        },
    });
    page("many.c", &regions.collect::<Vec<_>>())
}
