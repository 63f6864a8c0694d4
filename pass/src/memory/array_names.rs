//! What the source calls arrays, in reasons for its author.

use farkas_llvm::Run;
use farkas_llvm::region::Region;
use farkas_llvm::value::Value;

/// What the source calls the array at this base where the region is entered, or the name of the array in the model. Nobody is told where
/// remarks are off, and the model's name does.
pub(crate) fn name_in_source<'a>(run: &'a Run<'_>, region: &Region<'a>, base: Value<'a>, model: &str) -> String {
    let first = region.outermost.first().filter(|_| run.remarks_enabled());
    let name = first.and_then(|first| run.source_name(base, *first));
    name.map_or_else(|| model.to_owned(), |name| name.text)
}
