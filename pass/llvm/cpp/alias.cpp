// Alias analysis, asked about whole objects: an access may be moved across any other, in any iteration.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace farkas;

// Whether no instance of the one load or store overlaps an instance of the other. Type-based facts hold for a single
// pair of instances in program order only while memory keeps its type, which the reordering does not change.
FARKAS bool farkas_never_alias(Run *R, LLVMValueRef A, LLVMValueRef B) {
  MemoryLocation X = MemoryLocation::get(unwrap<Instruction>(A)), Y = MemoryLocation::get(unwrap<Instruction>(B));
  X = MemoryLocation::getBeforeOrAfter(X.Ptr, X.AATags);
  Y = MemoryLocation::getBeforeOrAfter(Y.Ptr, Y.AATags);
  return R->State->Alias.isNoAlias(X, Y);
}

// The object that a pointer is based on, as far as it can be told.
FARKAS LLVMValueRef farkas_underlying_object(LLVMValueRef P) {
  return wrap(const_cast<Value *>(getUnderlyingObject(unwrap(P), /*MaxLookup=*/0)));
}
