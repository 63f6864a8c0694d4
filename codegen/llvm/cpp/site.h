// Where in the user's source something is.
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace farkas {

/// Whether the location is in a file of a library that is not what is compiled: the standard libraries and other packages.
bool isInLibrary(const llvm::Function &F, const llvm::DILocation *Where);

} // namespace farkas
