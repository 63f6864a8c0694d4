//! What environment variables say.
//!
//! | variable | meaning |
//! |---|---|
//! | `FARKAS_GPU` | `off`: no GPU is used; a number: the device to use, as the driver counts them (default: 0) |
//! | `FARKAS_GPU_LOG` | `1`: what is done, and why the CPU version runs, on standard error |
//! | `FARKAS_GPU_TIMES` | `1`: how long each region's copies and kernels take, on standard error. Regions wait for each step then |

use std::env;

/// What the user chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Whether no GPU is to be used.
    pub(crate) is_off: bool,
    /// The position of the device.
    pub(crate) device: i32,
    /// Whether there is a log.
    pub(crate) log: bool,
    /// Whether steps are timed.
    pub(crate) times: bool,
}

impl Settings {
    /// What the variables of the process say.
    pub(crate) fn from_environment() -> Settings {
        Settings::of(|name| env::var(name).ok())
    }

    /// What these variables say. A device that is no number is none: no GPU is used.
    pub(crate) fn of(variable: impl Fn(&str) -> Option<String>) -> Settings {
        let is_on = |name| variable(name).is_some_and(|value| !matches!(&*value, "" | "0"));
        let device = match variable("FARKAS_GPU").as_deref() {
            None | Some("") => Some(0),
            Some(text) => text.parse().ok().filter(|device| *device >= 0),
        };
        let times = is_on("FARKAS_GPU_TIMES");
        Settings {
            is_off: device.is_none(),
            device: device.unwrap_or(0),
            log: is_on("FARKAS_GPU_LOG") || times,
            times,
        }
    }
}
