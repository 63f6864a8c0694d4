//! How to schedule.

/// Whether statements that need not share loops do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// Never: every strongly connected component has bands of its own.
    None,
    /// As `Incremental`, between statements of the same dimension only.
    #[default]
    Smart,
    /// Where it brings instances together and costs neither members of bands nor coincidence (P0, 7.3).
    Incremental,
    /// Wherever there is a common band.
    Max,
}

/// The method by which rows are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Permutable bands, and Feautrier's method where there are none.
    #[default]
    Pluto,
    /// Feautrier's method, as long as there is anything to be carried.
    Feautrier,
}

/// What comes where a band should start with a coincident member, and there is none (P0, 6.2 and 6.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fallback {
    /// A row that carries as many dependences as possible (Feautrier), so that more members are coincident further in.
    #[default]
    Feautrier,
    /// The first member that a band would have if it need not be coincident, alone.
    SingleMember,
    /// The simplest row that respects the validity constraints, whatever the proximity constraints say.
    Validity,
}

/// How to schedule. The names are isl's.
#[derive(Clone, Debug)]
pub struct Options {
    /// The largest absolute value of a coefficient of a dimension in a permutable band.
    pub max_coefficient: Option<i64>,
    /// The largest constant in a permutable band.
    pub max_constant_term: Option<i64>,
    /// Keep rows from coalescing loops of fixed sizes (P0, 7.5).
    pub treat_coalescing: bool,
    /// Do not fuse where that makes for fewer members.
    pub maximize_band_depth: bool,
    /// Do not fuse where that makes fewer members coincident.
    pub maximize_coincidence: bool,
    /// The first member of a band has to be coincident; where that is impossible, one that carries as many dependences as
    /// possible comes first.
    pub outer_coincidence: bool,
    /// What comes first there.
    pub fallback: Fallback,
    /// Where dependences have to be carried, try those of statements on themselves first (P0, 7.6).
    pub carry_self_first: bool,
    /// Divide rows that carry dependences by a common factor of their coefficients (P0, 7.1).
    pub split_scaled: bool,
    /// Serve references that should be consecutive even where that costs a member its coincidence, so that an innermost
    /// loop may be both parallel and of stride 1. Otherwise coincidence comes first.
    pub consecutivity_first: bool,
    /// Where no member of a band is coincident, make it such that its tiles can all start at the same time, if possible
    /// (diamond tiling).
    pub concurrent_start: bool,
    /// Where dependences wrap around a dimension, cut it, and schedule the pieces by functions of their own, if that makes
    /// for more members in outermost bands (P1, 7.4). Not where a part of a tree is scheduled anew.
    pub index_set_splitting: bool,
    /// What shares bands.
    pub fusion: Fusion,
    /// How rows are found.
    pub algorithm: Algorithm,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_coefficient: None,
            max_constant_term: None,
            treat_coalescing: true,
            maximize_band_depth: true,
            maximize_coincidence: true,
            outer_coincidence: false,
            fallback: Fallback::Feautrier,
            carry_self_first: true,
            split_scaled: true,
            consecutivity_first: false,
            concurrent_start: false,
            index_set_splitting: false,
            fusion: Fusion::Smart,
            algorithm: Algorithm::Pluto,
        }
    }
}
