//! Reports: what the optimizer saw of each loop nest of a module and did with it, as one HTML page.
//!
//! Data in, text out: [`RegionReport`] has what is known of a nest, and [`page`] makes a page of several. A page is self-contained: it
//! loads nothing, runs no scripts, and its pictures are SVG in the markup. It is well-formed XML as well as HTML, so that tests can parse
//! it. The same reports give the same bytes.
//!
//! | module | what it is |
//! |---|---|
//! | `markup` | elements, text and their escapes |
//! | `record` | what the stages of planning print, kept for a report |
//! | `region` | the data of a nest |
//! | `picture/` | SVG: `sample` picks instances to draw, `order` says when they are executed, `space` draws an iteration space, `tree` a schedule tree |
//! | `section` | a nest as a part of the page |
//! | `page` | the page: its head, the table of nests, and the parts |
#![forbid(unsafe_code)]

mod markup;
mod page;
mod picture;
mod record;
mod region;
mod section;

pub use page::page;
pub use record::Record;
pub use region::{Fact, Model, Outcome, Place, RegionReport, SourceLines};
