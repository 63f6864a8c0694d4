// Alias analysis, asked about whole objects: an access may be moved across any other, in any iteration.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace farkas;

static MemoryLocation everything(LLVMValueRef Access, LLVMValueRef Base, bool UseScopes) {
  AAMDNodes Tags = unwrap<Instruction>(Access)->getAAMetadata();
  if (!UseScopes)
    Tags.Scope = Tags.NoAlias = nullptr;
  return MemoryLocation::getBeforeOrAfter(unwrap(Base), Tags);
}

// Whether no instance of the one load or store, which is based on a pointer that does not change, overlaps an instance
// of the other. Alias scopes may be used only where they are not declared anew in each iteration.
FARKAS bool farkas_never_alias(Run *R, LLVMValueRef A, LLVMValueRef BaseA, LLVMValueRef B, LLVMValueRef BaseB,
                               bool UseScopes) {
  return R->State->Alias.isNoAlias(everything(A, BaseA, UseScopes), everything(B, BaseB, UseScopes));
}

// Whether an instance of the load or store may access errno.
FARKAS bool farkas_may_access_errno(Run *R, LLVMValueRef Access, LLVMValueRef Base) {
  return R->State->Alias.aliasErrno(everything(Access, Base, /*UseScopes=*/false), R->F.getParent()) !=
         AliasResult::NoAlias;
}

