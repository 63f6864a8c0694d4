//! Files with schedule constraints, and the options that they are scheduled with.

use farkas_polyhedral::schedule::{Algorithm, Fusion, Options};
use std::path::{Path, PathBuf};

/// The two sets of options that every file is scheduled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// isl's default options.
    Default,
    /// `--schedule-outer-coincidence --schedule-maximize-band-depth`.
    Outer,
}

impl Mode {
    /// Both.
    pub const ALL: [Mode; 2] = [Mode::Default, Mode::Outer];

    /// What the mode is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::Outer => "outer",
        }
    }
}

/// Options that both schedulers have, by isl's names. The default is isl's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether all rows carry as many dependences as they can, and no bands are looked for.
    feautrier: bool,
    outer_coincidence: bool,
    maximize_band_depth: bool,
    maximize_coincidence: bool,
    treat_coalescing: bool,
    whole_component: bool,
    serialize_sccs: bool,
    carry_self_first: bool,
    max_coefficient: Option<i64>,
    max_constant_term: Option<i64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            feautrier: false,
            outer_coincidence: false,
            maximize_band_depth: false,
            maximize_coincidence: true,
            treat_coalescing: true,
            whole_component: false,
            serialize_sccs: false,
            carry_self_first: true,
            max_coefficient: None,
            max_constant_term: None,
        }
    }
}

impl Settings {
    /// What the `# OPTIONS:` lines of a file say.
    ///
    /// # Errors
    ///
    /// An option that is not known.
    pub fn of_text(text: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        let lines = text.lines().filter_map(|line| line.strip_prefix("# OPTIONS:"));
        for word in lines.flat_map(str::split_whitespace) {
            settings.set(word).ok_or_else(|| format!("unknown option {word}"))?;
        }
        Ok(settings)
    }

    fn set(&mut self, word: &str) -> Option<()> {
        let word = word.strip_prefix("--")?;
        if let Some((name, value)) = word.split_once('=') {
            if name == "schedule-algorithm" {
                self.feautrier = match value {
                    "isl" => false,
                    "feautrier" => true,
                    _ => return None,
                };
                return Some(());
            }
            let value = Some(value.parse().ok()?).filter(|&value: &i64| value >= 0);
            match name {
                "schedule-max-coefficient" => self.max_coefficient = value,
                "schedule-max-constant-term" => self.max_constant_term = value,
                _ => return None,
            }
            return Some(());
        }
        let (name, on) = word.strip_prefix("no-").map_or((word, true), |name| (name, false));
        let switch = match name {
            "schedule-outer-coincidence" => &mut self.outer_coincidence,
            "schedule-maximize-band-depth" => &mut self.maximize_band_depth,
            "schedule-maximize-coincidence" => &mut self.maximize_coincidence,
            "schedule-treat-coalescing" => &mut self.treat_coalescing,
            "schedule-whole-component" => &mut self.whole_component,
            "schedule-serialize-sccs" => &mut self.serialize_sccs,
            "schedule-carry-self-first" => &mut self.carry_self_first,
            _ => return None,
        };
        *switch = on;
        Some(())
    }

    /// The settings with those of a mode.
    pub fn with_mode(&self, mode: Mode) -> Settings {
        let outer = mode == Mode::Outer;
        Settings {
            outer_coincidence: self.outer_coincidence || outer,
            maximize_band_depth: self.maximize_band_depth || outer,
            ..self.clone()
        }
    }

    /// For [`Isl::schedule`](crate::isl::Isl::schedule).
    pub fn isl(&self) -> [(&'static str, i64); 10] {
        [
            // ISL_SCHEDULE_ALGORITHM_FEAUTRIER, or ISL_SCHEDULE_ALGORITHM_ISL.
            ("schedule_algorithm", self.feautrier.into()),
            ("schedule_outer_coincidence", self.outer_coincidence.into()),
            ("schedule_maximize_band_depth", self.maximize_band_depth.into()),
            ("schedule_maximize_coincidence", self.maximize_coincidence.into()),
            ("schedule_treat_coalescing", self.treat_coalescing.into()),
            ("schedule_whole_component", self.whole_component.into()),
            ("schedule_serialize_sccs", self.serialize_sccs.into()),
            ("schedule_carry_self_first", self.carry_self_first.into()),
            ("schedule_max_coefficient", self.max_coefficient.unwrap_or(-1)),
            ("schedule_max_constant_term", self.max_constant_term.unwrap_or(-1)),
        ]
    }

    /// For Farkas.
    pub fn farkas(&self) -> Options {
        Options {
            algorithm: match self.feautrier {
                true => Algorithm::Feautrier,
                false => Algorithm::Pluto,
            },
            outer_coincidence: self.outer_coincidence,
            maximize_band_depth: self.maximize_band_depth,
            maximize_coincidence: self.maximize_coincidence,
            treat_coalescing: self.treat_coalescing,
            carry_self_first: self.carry_self_first,
            max_coefficient: self.max_coefficient,
            max_constant_term: self.max_constant_term,
            fusion: match (self.serialize_sccs, self.whole_component) {
                (true, _) => Fusion::None,
                (false, true) => Fusion::Max,
                (false, false) => Fusion::Incremental,
            },
            ..Options::default()
        }
    }
}

/// A file with schedule constraints.
#[derive(Clone, Debug)]
pub struct Input {
    /// The file's name without its extension.
    pub name: String,
    /// Whether it is one of isl's own tests.
    pub is_isl_test: bool,
    /// The constraints in YAML.
    pub text: String,
    /// What its `# OPTIONS:` lines say.
    pub settings: Settings,
    path: PathBuf,
}

impl Input {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn read(path: &Path) -> Result<Input, String> {
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| at(&error))?;
        Ok(Input {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            is_isl_test: path.parent().is_some_and(|folder| folder.ends_with("isl/schedule")),
            settings: Settings::of_text(&text).map_err(|error| at(&error))?,
            text,
            path: path.to_path_buf(),
        })
    }

    /// isl's schedule beside the file, if it is there: of the mode, and for isl's own tests of the options in the file.
    pub fn expected(&self, mode: Mode) -> Option<String> {
        let extension = match (self.is_isl_test, mode) {
            (true, Mode::Default) => "st",
            (true, Mode::Outer) => return None,
            (false, Mode::Default) => "isl.st",
            (false, Mode::Outer) => "isl-outer.st",
        };
        std::fs::read_to_string(self.path.with_extension(extension)).ok()
    }
}

/// The constraints of real kernels, then isl's own tests, each by name. None where the data is not there.
///
/// # Errors
///
/// A file that cannot be read.
pub fn inputs() -> Result<Option<Vec<Input>>, String> {
    let data = std::env::var_os("FARKAS_DATA").map_or_else(|| crate::root().join("../shared/data"), PathBuf::from);
    let mut inputs = Vec::new();
    for folder in ["schedule-constraints", "isl/schedule"] {
        let Ok(entries) = std::fs::read_dir(data.join(folder)) else {
            return Ok(None);
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "sc"));
        paths.sort();
        for path in paths {
            inputs.push(Input::read(&path)?);
        }
    }
    Ok(Some(inputs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_isls_tests() {
        let text = "# OPTIONS: --schedule-algorithm=feautrier --no-schedule-whole-component\n# OPTIONS: --schedule-max-coefficient=4\n";
        let expected = Settings {
            feautrier: true,
            max_coefficient: Some(4),
            ..Settings::default()
        };
        assert_eq!(Settings::of_text(text), Ok(expected.clone()));
        assert_eq!(expected.farkas().algorithm, Algorithm::Feautrier);
        assert_eq!(expected.isl()[0], ("schedule_algorithm", 1));
        let unknown = Settings::of_text("# OPTIONS: --schedule-algorithm=simplex");
        assert_eq!(unknown, Err("unknown option --schedule-algorithm=simplex".to_owned()));
    }
}
