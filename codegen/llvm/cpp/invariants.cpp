// Loads of what does not change in a part of the function: what keeps them the same, and how they are done earlier.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace farkas;

// Whether the instruction never writes what the load reads, whose address does not change: asked for one iteration, this
// holds for all. Alias scopes may be used only where they are not declared anew in each iteration.
FARKAS bool farkas_never_writes(Run *R, LLVMValueRef Writer, LLVMValueRef Load, bool UseScopes) {
  auto *W = unwrap<Instruction>(Writer);
  MemoryLocation Read = MemoryLocation::get(unwrap<LoadInst>(Load));
  if (!UseScopes)
    Read.AATags.Scope = Read.AATags.NoAlias = nullptr;
  if (auto *S = dyn_cast<StoreInst>(W)) {
    AAMDNodes Tags = S->getAAMetadata();
    if (!UseScopes)
      Tags.Scope = Tags.NoAlias = nullptr;
    return R->State->Alias.isNoAlias(MemoryLocation::getBeforeOrAfter(S->getPointerOperand(), Tags), Read);
  }
  return !isModSet(R->State->Alias.getModRefInfo(W, Read));
}

// Whether the load can be executed where it stands, whatever control flow is around it.
FARKAS bool farkas_load_is_safe(Run *R, LLVMValueRef Load) {
  auto *L = unwrap<LoadInst>(Load);
  return isDereferenceableAndAlignedPointer(L->getPointerOperand(), L->getType(), L->getAlign(),
                                            R->F.getDataLayout(), L, &R->Assumptions, &R->State->Dominators,
                                            &R->Library);
}

// Drops what is promised of the loaded value, such as that it is not zero, but that it is defined, which stays if `Defined`.
FARKAS void farkas_load_forget(LLVMValueRef Load, bool Defined) {
  SmallVector<unsigned, 6> Kept = {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                                   LLVMContext::MD_invariant_load};
  if (Defined)
    Kept.push_back(LLVMContext::MD_noundef);
  unwrap<LoadInst>(Load)->dropUnknownNonDebugMetadata(Kept);
}

// Drops all metadata of a load, and how its address is aligned unless that is `Aligned` for sure.
FARKAS void farkas_load_forget_all(LLVMValueRef Load, bool Aligned) {
  auto *L = unwrap<LoadInst>(Load);
  L->dropUnknownNonDebugMetadata({});
  if (!Aligned)
    L->setAlignment(Align(1));
}

// Whether metadata of the load makes its result poison for some values.
FARKAS bool farkas_load_may_be_poison(LLVMValueRef Load) {
  return unwrap<LoadInst>(Load)->hasPoisonGeneratingMetadata();
}

// Makes a use one of another value.
FARKAS void farkas_use_set(LLVMUseRef U, LLVMValueRef V) { unwrap(U)->set(unwrap(V)); }

// Drops what scalar evolution knows of values and loops.
FARKAS void farkas_scev_forget(Run *R) { R->State->Evolution.forgetAllLoops(); }

// Executes the load only where the condition, which stands before it, holds. Its users, all of which come later, get zero
// elsewhere.
FARKAS void farkas_make_conditional(LLVMValueRef Condition, LLVMValueRef Load) {
  auto *L = unwrap<LoadInst>(Load);
  BasicBlock *Head = L->getParent();
  Instruction *Next = L->getNextNode();
  Instruction *Then = SplitBlockAndInsertIfThen(unwrap(Condition), L->getIterator(), /*Unreachable=*/false);
  L->moveBefore(Then->getIterator());
  PHINode *Phi = PHINode::Create(L->getType(), 2, "", Next->getParent()->begin());
  L->replaceAllUsesWith(Phi);
  Phi->addIncoming(L, Then->getParent());
  Phi->addIncoming(Constant::getNullValue(L->getType()), Head);
}
