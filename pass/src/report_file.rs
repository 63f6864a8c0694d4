//! The report of a module: what was found out about its regions, which becomes one page when the compilation ends.
//!
//! `-farkas-report=DIR` names a folder, which is made where it is missing. The page is called after the module: that of `src/k.c` is
//! `DIR/src_k.c.html`. Several compilations may write to the folder at once: a page is written under another name first, and then takes the
//! place of one that is there as a whole.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use farkas_llvm::Run;
use farkas_report::{RegionReport, page};

/// Names of modules are cut off at the start if they are longer: names of files may have 255 bytes, and a character of Unicode has up to 4.
const LONGEST: usize = 50;

/// What is known of the regions of a module.
#[derive(Default)]
pub(crate) struct ModuleReport {
    regions: Vec<RegionReport>,
    page: Page,
}

/// Where the page goes.
#[derive(Default)]
enum Page {
    /// There is no region yet.
    #[default]
    NotBegun,
    /// It has a file, which is empty so far.
    Begun { module: String, file: Begun },
    /// It cannot be written. The user knows.
    Failed,
}

/// A file that is to get a name when all of it is written.
struct Begun {
    file: File,
    path: PathBuf,
    to: PathBuf,
}

impl ModuleReport {
    /// Adds a region. The first one makes the file in the folder.
    pub(crate) fn add(&mut self, folder: &str, run: &Run<'_>, region: RegionReport) {
        if let Page::NotBegun = self.page {
            let module = run.module().get_name().to_string_lossy().into_owned();
            self.page = match Begun::new(Path::new(folder), &module) {
                Ok(file) => Page::Begun { module, file },
                Err(error) => {
                    run.warning(&format!("report not written: {folder}: {error}"));
                    Page::Failed
                }
            };
        }
        self.regions.push(region);
    }
}

impl Drop for ModuleReport {
    /// Writes the page: the compilation ends.
    fn drop(&mut self) {
        if let Page::Begun { module, file } = std::mem::take(&mut self.page) {
            let to = file.to.clone();
            in_source_order(&mut self.regions);
            if let Err(error) = file.finish(&page(&module, &self.regions)) {
                // Nothing is left of the compilation that a warning could belong to.
                eprintln!("farkas: report not written: {}: {error}", to.display());
            }
        }
    }
}

/// Sorts regions by functions, in the order in which these were worked on, and then by place: what was decided first is not always what
/// comes first.
fn in_source_order(regions: &mut [RegionReport]) {
    let mut functions: HashMap<String, usize> = HashMap::new();
    for region in &*regions {
        let next = functions.len();
        functions.entry(region.name.clone()).or_insert(next);
    }
    let line = |region: &RegionReport| region.place.as_ref().map(|place| (place.line, place.column));
    regions.sort_by_key(|region| (functions[&region.name], line(region)));
}

impl Begun {
    fn new(folder: &Path, module: &str) -> io::Result<Begun> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(folder)?;
        let name = file_name(module);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".{name}.{}.{number}", process::id()));
        Ok(Begun {
            file: File::create(&path)?,
            path,
            to: folder.join(format!("{name}.html")),
        })
    }

    fn finish(mut self, text: &str) -> io::Result<()> {
        let written = self.file.write_all(text.as_bytes());
        let renamed = written.and_then(|()| fs::rename(&self.path, &self.to));
        renamed.inspect_err(|_| {
            // What cannot be removed either stays.
            let _ = fs::remove_file(&self.path);
        })
    }
}

/// A name for a file that says which module it is of.
fn file_name(module: &str) -> String {
    let parts = Path::new(module).components().filter_map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    let plain = |c: char| match c {
        c if c.is_alphanumeric() || "._-+".contains(c) => c,
        _ => '_',
    };
    let name: Vec<char> = parts.collect::<Vec<_>>().join("_").chars().map(plain).collect();
    name[name.len().saturating_sub(LONGEST)..].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::file_name;
    use expect_test::expect;

    #[test]
    fn names_say_which_module() {
        let modules = ["k.c", "../src/./k.c", "/a/b c.cpp", "<stdin>", "-", &"é/".repeat(100)];
        let names = modules.map(file_name).join("\n");
        expect![[r#"
            k.c
            src_k.c
            a_b_c.cpp
            _stdin_
            -
            _é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é_é"#]]
        .assert_eq(&names);
    }
}
