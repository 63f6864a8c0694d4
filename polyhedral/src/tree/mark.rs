//! Marks: what a plan says of a part of a schedule tree.
//!
//! A mark changes no order. One that speaks of a loop speaks of the first member of the band directly below it, `pipeline` of the first
//! two. `block`, `keep`, `shift` and `unjam` speak of the last member of the band directly above them, where only marks are between:
//! full tiles of a band are isolated together, so that it cannot be cut in two for a mark on its last member.
//!
//! | text | mark |
//! |---|---|
//! | `parallel`, `parallel(private t s)`, `parallel(reduction r)`, `parallel(private t s, reduction r)` | [`Mark::Parallel`] |
//! | `pipeline`, `pipeline(private t s)` | [`Mark::Pipeline`] |
//! | `vector(8)`, `vector(8, private t)`, `vector(8, masked)`, `vector(8, masked, private t)` | [`Mark::Vector`] |
//! | `jam(4)`, `jam(4, private t)` | [`Mark::Jam`] |
//! | `block(8, A B)` | [`Mark::Block`] |
//! | `keep(s t)` | [`Mark::Keep`] |
//! | `shift(A B)` | [`Mark::Shift`] |
//! | `unjam(2)` | [`Mark::Unjam`] |
//! | `pack(A, P)` | [`Mark::Pack`] |
//! | `kernel`, `kernel(private t s)` | [`Mark::Kernel`] |
//! | `blocks(2)` | [`Mark::Blocks`] |
//! | `threads(8 32)` | [`Mark::Threads`] |
//! | `mma(16 8 4)` | [`Mark::Mma`] |
//! | `stages(3)` | [`Mark::Stages`] |
//! | anything else | [`Mark::User`] |

use crate::sets::Name;
use std::fmt;

/// What a plan says of the subtree below.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The iterations of the loop may run at the same time, if each thread has its own copy of some arrays.
    Parallel {
        /// The arrays that each thread has its own copy of.
        private: Vec<Name>,
        /// The arrays that a reduction accumulates in. Each thread has a copy of them, too, which begins with the neutral element of the
        /// reduction. The copies are combined behind the loop.
        reduction: Vec<Name>,
    },
    /// The iterations of the loop may overlap, if each thread has its own copy of some arrays: an iteration of the next loop
    /// inside waits until the iteration before of this one has come as far.
    Pipeline {
        /// The arrays that each thread has its own copy of.
        private: Vec<Name>,
    },
    /// So many neighbouring iterations of the loop run side by side in the lanes of vectors, if each lane has its own copy
    /// of some arrays.
    Vector {
        /// The number of iterations.
        lanes: u32,
        /// Whether there are vectors with less iterations than lanes, of which a mask leaves out the others. Else these run one by one.
        masked: bool,
        /// The arrays that each lane has its own copy of.
        private: Vec<Name>,
    },
    /// So many neighbouring iterations of the loop run side by side in the code of one, in loops inside, too, if each has its
    /// own copy of some arrays.
    Jam {
        /// The number of iterations.
        iterations: u32,
        /// The arrays that each iteration has its own copy of.
        private: Vec<Name>,
    },
    /// So many neighbouring iterations of the loop above are unrolled, as a block. What a block reads of some arrays is
    /// loaded before it, and what it writes to them is stored behind it.
    Block {
        /// The number of iterations.
        iterations: u32,
        /// The arrays.
        arrays: Vec<Name>,
    },
    /// What stays the same along the loop above of elements of some arrays is in registers: it is loaded before the
    /// loop, and stored behind it.
    Keep {
        /// The arrays.
        arrays: Vec<Name>,
    },
    /// Lanes hand on what they access of some arrays along the loop above: what a lane reads is in a register where it, or another
    /// lane, accessed the element in an earlier iteration.
    Shift {
        /// The arrays.
        arrays: Vec<Name>,
    },
    /// The band directly below, of so many members, is unrolled inside the loop above. Those of its loops that are not, since their
    /// tile is not full, go around the loop above. Of one or two loops around lanes, the first one stays and is unrolled if it has all of its
    /// iterations.
    Unjam {
        /// The members of the band.
        members: u32,
    },
    /// In the subtree, a buffer stands for a part of an array. Statements of extension nodes in the subtree copy.
    Pack {
        /// The array.
        array: Name,
        /// The buffer.
        buffer: Name,
    },
    /// The subtree is a kernel of a device: a `blocks` mark is directly below, and all that its band executes is below `threads` marks. Each
    /// thread has its own copy of some arrays.
    Kernel {
        /// The arrays that each thread has its own copy of.
        private: Vec<Name>,
    },
    /// The iterations of the band directly below, of so many members, are dealt out to the blocks of a device. The last member is along
    /// the blocks in x, the one before in y, the one before that in z.
    Blocks {
        /// The members of the band.
        members: u32,
    },
    /// The iterations of the band directly below are dealt out to the threads of a block, its members as those of [`Mark::Blocks`]. The
    /// number of a thread along a member is the value modulo the number of threads. Loops between blocks and threads are executed by each
    /// thread. In front of copies of a [`Mark::Pack`] in them, and behind, all threads of a block wait for each other.
    Threads {
        /// The threads along each member of the band.
        sizes: Vec<u32>,
    },
    /// What a warp executes of the subtree together is one matrix instruction, which multiplies and adds (PTX's `mma`). `threads` marks are
    /// inside. Iterations that do not fill an instruction are executed one by one.
    Mma {
        /// The rows, the columns, and the products that are added to each element.
        shape: [u32; 3],
    },
    /// The copies of each [`Mark::Pack`] in an iteration of the loop are made ahead, as many iterations as there are stages but one: its
    /// buffer has a slot for each stage. The loop is in a block of a kernel, and the only member of the band directly below.
    Stages {
        /// The iterations whose tiles are in buffers at the same time.
        stages: u32,
    },
    /// Something that only its author knows. Never one of the texts above.
    User(Name),
}

impl Mark {
    /// For so many iterations at the most, what was accessed is in registers below [`Mark::Shift`].
    pub const SHIFTED_ITERATIONS: i64 = 4;

    /// So many bytes all copies of arrays in a loop below [`Mark::Parallel`] have at the most, for each thread: half of a small thread's
    /// stack, which has 64 KB (`OMP_STACKSIZE`). The runtime, and what the loop needs besides, take the rest.
    pub const MOST_COPIED_BYTES: u64 = 32 << 10;

    /// Whether vector lanes whose elements are so many apart load all elements between as vectors, and pick theirs by shuffles.
    pub fn loads_between(lanes: u32, apart: u64) -> bool {
        lanes >= 4 && (2..=4).contains(&apart)
    }

    /// The mark that this text stands for.
    pub fn from_text(text: &str) -> Mark {
        let known = match text {
            "parallel" => Some(Mark::Parallel {
                private: Vec::new(),
                reduction: Vec::new(),
            }),
            "pipeline" => Some(Mark::Pipeline { private: Vec::new() }),
            "kernel" => Some(Mark::Kernel { private: Vec::new() }),
            _ => text
                .strip_suffix(')')
                .and_then(|text| text.split_once('('))
                .and_then(|(kind, arguments)| Mark::with_arguments(kind, arguments)),
        };
        known.unwrap_or_else(|| Mark::User(text.into()))
    }

    fn with_arguments(kind: &str, arguments: &str) -> Option<Mark> {
        let private = |text: &str| text.strip_prefix("private ").map(names);
        match kind {
            "parallel" => {
                let mut clauses = arguments.split(", ").peekable();
                let private = clauses.next_if(|clause| clause.starts_with("private "));
                let reduction = clauses.next_if(|clause| clause.starts_with("reduction "));
                let of_clause = |clause: Option<&str>| match clause.and_then(|clause| clause.split_once(' ')) {
                    Some((_, text)) => names(text),
                    None => Vec::new(),
                };
                clauses.next().is_none().then(|| Mark::Parallel {
                    private: of_clause(private),
                    reduction: of_clause(reduction),
                })
            }
            "pipeline" => Some(Mark::Pipeline {
                private: private(arguments)?,
            }),
            "vector" | "jam" => {
                let mut arguments = arguments.split(", ").peekable();
                let number = arguments.next()?.parse().ok()?;
                let masked = kind == "vector" && arguments.next_if_eq(&"masked").is_some();
                let private = match (arguments.next(), arguments.next()) {
                    (None, _) => Vec::new(),
                    (Some(names), None) => private(names)?,
                    _ => return None,
                };
                Some(match kind {
                    "vector" => Mark::Vector {
                        lanes: number,
                        masked,
                        private,
                    },
                    _ => Mark::Jam {
                        iterations: number,
                        private,
                    },
                })
            }
            "block" => {
                let (iterations, arrays) = arguments.split_once(", ")?;
                Some(Mark::Block {
                    iterations: iterations.parse().ok()?,
                    arrays: names(arrays),
                })
            }
            "keep" => Some(Mark::Keep {
                arrays: names(arguments),
            }),
            "shift" => Some(Mark::Shift {
                arrays: names(arguments),
            }),
            "unjam" => Some(Mark::Unjam {
                members: arguments.parse().ok()?,
            }),
            "kernel" => Some(Mark::Kernel {
                private: private(arguments)?,
            }),
            "blocks" => Some(Mark::Blocks {
                members: arguments.parse().ok()?,
            }),
            "threads" => {
                let sizes: Result<_, _> = arguments.split(' ').map(str::parse).collect();
                Some(Mark::Threads { sizes: sizes.ok()? })
            }
            "mma" => {
                let sizes: Result<Vec<u32>, _> = arguments.split(' ').map(str::parse).collect();
                let shape = sizes.ok()?.try_into().ok()?;
                Some(Mark::Mma { shape })
            }
            "stages" => Some(Mark::Stages {
                stages: arguments.parse().ok()?,
            }),
            "pack" => {
                let (array, buffer) = arguments.split_once(", ")?;
                Some(Mark::Pack {
                    array: array.into(),
                    buffer: buffer.into(),
                })
            }
            _ => None,
        }
    }
}

/// The names in a list.
fn names(text: &str) -> Vec<Name> {
    text.split(' ').map(Name::from).collect()
}

impl From<&str> for Mark {
    fn from(text: &str) -> Mark {
        Mark::from_text(text)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[Name]| names.iter().map(Name::as_str).collect::<Vec<_>>().join(" ");
        match self {
            Mark::Parallel { private, reduction } => {
                let clauses = [("private", private), ("reduction", reduction)].into_iter();
                let clauses = clauses.filter(|(_, names)| !names.is_empty());
                let clauses: Vec<String> = clauses
                    .map(|(keyword, names)| format!("{keyword} {}", list(names)))
                    .collect();
                match clauses.is_empty() {
                    true => write!(f, "parallel"),
                    false => write!(f, "parallel({})", clauses.join(", ")),
                }
            }
            Mark::Pipeline { private: names } if names.is_empty() => write!(f, "pipeline"),
            Mark::Pipeline { private: names } => write!(f, "pipeline(private {})", list(names)),
            Mark::Vector { lanes, masked, private } => {
                write!(f, "vector({lanes}")?;
                if *masked {
                    write!(f, ", masked")?;
                }
                if !private.is_empty() {
                    write!(f, ", private {}", list(private))?;
                }
                write!(f, ")")
            }
            Mark::Jam { iterations, private } if private.is_empty() => write!(f, "jam({iterations})"),
            Mark::Jam { iterations, private } => write!(f, "jam({iterations}, private {})", list(private)),
            Mark::Block { iterations, arrays } => write!(f, "block({iterations}, {})", list(arrays)),
            Mark::Keep { arrays } => write!(f, "keep({})", list(arrays)),
            Mark::Shift { arrays } => write!(f, "shift({})", list(arrays)),
            Mark::Unjam { members } => write!(f, "unjam({members})"),
            Mark::Pack { array, buffer } => write!(f, "pack({array}, {buffer})"),
            Mark::Kernel { private: names } if names.is_empty() => write!(f, "kernel"),
            Mark::Kernel { private: names } => write!(f, "kernel(private {})", list(names)),
            Mark::Blocks { members } => write!(f, "blocks({members})"),
            Mark::Mma { shape } => {
                let [rows, columns, products] = shape;
                write!(f, "mma({rows} {columns} {products})")
            }
            Mark::Threads { sizes } => {
                let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
                write!(f, "threads({})", sizes.join(" "))
            }
            Mark::Stages { stages } => write!(f, "stages({stages})"),
            Mark::User(name) => write!(f, "{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Mark;

    #[test]
    fn texts_round_trip() {
        let known = [
            "parallel",
            "parallel(private t s)",
            "parallel(reduction r)",
            "parallel(private t s, reduction r q)",
            "pipeline",
            "pipeline(private t s)",
            "vector(8)",
            "vector(4, private t)",
            "vector(4, masked)",
            "vector(4, masked, private s t)",
            "jam(2)",
            "jam(4, private s t)",
            "block(8, A B)",
            "keep(s t)",
            "shift(A B)",
            "unjam(2)",
            "pack(A, P)",
            "kernel",
            "kernel(private t s)",
            "blocks(2)",
            "threads(256)",
            "threads(8 32)",
            "stages(3)",
        ];
        for text in known {
            let mark = Mark::from_text(text);
            assert!(!matches!(mark, Mark::User(_)), "{text}");
            assert_eq!(mark.to_string(), text);
        }
        for text in [
            "",
            "vector",
            "vector(x)",
            "vector(4, t)",
            "vector(4, private t, masked)",
            "jam(4, masked)",
            "parallel(t)",
            "parallel(reduction r, private t)",
            "parallel(private t, r)",
            "block(8)",
            "block(A, B)",
            "unjam",
            "pack(A)",
            "kernel(t)",
            "blocks",
            "threads(8x32)",
            "stages",
            "stages(x)",
            "(",
            "mine(1)",
        ] {
            let mark = Mark::from_text(text);
            assert_eq!(mark, Mark::User(text.into()), "{text}");
        }
    }
}
