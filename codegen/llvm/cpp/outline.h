// Moves new code into functions of its own.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Function.h"

namespace farkas {

/// The attribute in the identifiers of loops that the pass has looked at; `edit::DONE` in the Rust half.
constexpr llvm::StringLiteral Done = "farkas.done";

/// Moves what is behind guards into functions. Returns whether there are guards: these change in any case.
bool outlineNewCode(llvm::Function &F, llvm::AssumptionCache &Assumptions);

} // namespace farkas
