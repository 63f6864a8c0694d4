// Alias analysis, asked about whole objects: an access may be moved across any other, in any iteration.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace farkas;

// All that an access may reach in whichever iteration. What is known of calls beyond their pointers is not used.
static MemoryLocation everything(LLVMValueRef Access, LLVMValueRef Base, bool UseScopes, bool UseTypes) {
  const auto *I = unwrap<Instruction>(Access);
  AAMDNodes Tags = isa<LoadInst, StoreInst>(I) ? I->getAAMetadata() : AAMDNodes();
  if (!UseScopes)
    Tags.Scope = Tags.NoAlias = nullptr;
  if (!UseTypes)
    Tags.TBAA = Tags.TBAAStruct = nullptr;
  return MemoryLocation::getBeforeOrAfter(unwrap(Base), Tags);
}

// Whether no instance of the one access, which is based on a pointer that does not change, overlaps an instance of the
// other. Alias scopes may be used only where they are not declared anew in each iteration, types only for accesses that stay between the
// same accesses to an object: its type may change with a store.
FARKAS bool farkas_never_alias(Run *R, LLVMValueRef A, LLVMValueRef BaseA, LLVMValueRef B, LLVMValueRef BaseB,
                               bool UseScopes, bool UseTypes) {
  return R->State->Alias.isNoAlias(everything(A, BaseA, UseScopes, UseTypes), everything(B, BaseB, UseScopes, UseTypes));
}

// Whether an instance of the access may be one of errno.
FARKAS bool farkas_may_access_errno(Run *R, LLVMValueRef Access, LLVMValueRef Base) {
  return R->State->Alias.aliasErrno(everything(Access, Base, /*UseScopes=*/false, /*UseTypes=*/true), R->F.getParent()) !=
         AliasResult::NoAlias;
}

// What a call does with memory, as bits that `memory.rs` mirrors.
enum : uint32_t {
  CallArgumentsOnly = 1, // accesses nothing but what its arguments point to
  CallReadsOnly = 2,
  CallSets = 4,   // writes so many bytes, the third argument, from the first argument on
  CallCopies = 8, // the same, with what is read from the second argument on
};

FARKAS uint32_t farkas_call_memory(Run *R, LLVMValueRef V) {
  auto *C = unwrap<CallBase>(V);
  if (isa<MemSetInst>(C))
    return CallSets;
  if (isa<MemTransferInst>(C))
    return CallCopies;
  MemoryEffects Effects = R->State->Alias.getMemoryEffects(C);
  uint32_t What = 0;
  if (Effects.onlyReadsMemory())
    What |= CallReadsOnly;
  // A vector of pointers is no pointer that there would be a base for.
  auto IsVector = [](const Use &U) { return U->getType()->isVectorTy() && U->getType()->isPtrOrPtrVectorTy(); };
  if (Effects.onlyAccessesArgPointees() && none_of(C->args(), IsVector))
    What |= CallArgumentsOnly;
  return What;
}

// What a call does with what an argument points to: 1 if it may read it, 2 if it may write it, or both.
FARKAS uint32_t farkas_call_argument(Run *R, LLVMValueRef V, uint32_t Index) {
  auto *C = unwrap<CallBase>(V);
  AAResults &Alias = R->State->Alias;
  ModRefInfo Info = Alias.getArgModRefInfo(C, Index) & Alias.getMemoryEffects(C).getModRef(IRMemLocation::ArgMem);
  // What is passed by value is read to be copied, whatever the callee does with the copy.
  bool Reads = isRefSet(Info) || C->isPassPointeeByValueArgument(Index);
  return (Reads ? 1 : 0) | (isModSet(Info) ? 2 : 0);
}

// Whether the call may read something that is based on a pointer that does not change.
FARKAS bool farkas_may_read(Run *R, LLVMValueRef Call, LLVMValueRef Base) {
  return isRefSet(R->State->Alias.getModRefInfo(unwrap<CallBase>(Call), MemoryLocation::getBeforeOrAfter(unwrap(Base))));
}
