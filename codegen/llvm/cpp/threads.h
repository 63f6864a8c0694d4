// Markers of loops that run on threads.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

namespace farkas {

/// The attribute of markers, which are calls of inline assembly; `threads::MARKER` in the Rust half.
constexpr llvm::StringLiteral Marker = "farkas-threads";

/// Whether a function has markers.
bool hasMarkers(const llvm::Function &F);

} // namespace farkas
