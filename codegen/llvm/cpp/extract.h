// Code that is moved into a function of its own.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include <string>

namespace farkas {

/// Whether a value can be an argument of the function.
inline bool canBePassed(const llvm::Value *V) {
  llvm::Type *T = V->getType();
  return T->isSized() && !T->isScalableTy() && !T->isTargetExtTy() && !T->isX86_AMXTy() && !V->isSwiftError();
}

/// What to append to the name of `F`, and a dot, for a function of a new name.
inline std::string freeName(llvm::Function &F) {
  for (unsigned K = 0;; ++K) {
    std::string Suffix = ("farkas." + llvm::Twine(K)).str();
    if (!F.getParent()->getNamedValue((F.getName() + "." + Suffix).str()))
      return Suffix;
  }
}

} // namespace farkas
