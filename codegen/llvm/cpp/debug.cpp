// Debug information and profiles of code that takes the place of other code.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace farkas;

// Gives the instruction the location of the loop, or the function's without a line where the loop has none.
FARKAS void farkas_set_location(Run *R, LLVMValueRef At, Loop *Of) {
  DebugLoc Where = Of->getStartLoc();
  if (DISubprogram *Scope = R->F.getSubprogram(); !Where && Scope)
    Where = DILocation::get(R->F.getContext(), 0, 0, Scope);
  unwrap<Instruction>(At)->setDebugLoc(Where);
}

// Gives the instruction the location of another one, if that has any.
FARKAS void farkas_copy_location(LLVMValueRef From, LLVMValueRef To) {
  if (DebugLoc Where = unwrap<Instruction>(From)->getDebugLoc())
    unwrap<Instruction>(To)->setDebugLoc(Where);
}

// Marks the first way of a conditional branch as the likely one.
FARKAS void farkas_set_likely(LLVMValueRef Branch) {
  auto *I = unwrap<Instruction>(Branch);
  I->setMetadata(LLVMContext::MD_prof, MDBuilder(I->getContext()).createLikelyBranchWeights());
}

// Says of a conditional branch how often it goes its ways.
FARKAS void farkas_set_weights(LLVMValueRef Branch, uint32_t First, uint32_t Second) {
  auto *I = unwrap<Instruction>(Branch);
  I->setMetadata(LLVMContext::MD_prof, MDBuilder(I->getContext()).createBranchWeights(First, Second));
}

// Adds a group to those that the load or store is in.
FARKAS void farkas_add_access_group(LLVMValueRef Access, LLVMMetadataRef Group) {
  auto *I = unwrap<Instruction>(Access);
  auto *Added = cast<MDNode>(unwrap(Group));
  I->setMetadata(LLVMContext::MD_access_group, uniteAccessGroups(I->getMetadata(LLVMContext::MD_access_group), Added));
}

// The variable of a record, with no value from here on.
static DbgVariableRecord *withoutValue(const DbgVariableRecord &Of) {
  LLVMContext &C = Of.getVariable()->getContext();
  DIExpression *Part = DIExpression::get(C, {});
  if (auto Fragment = Of.getExpression()->getFragmentInfo())
    Part = DIExpression::createFragmentExpression(Part, Fragment->OffsetInBits, Fragment->SizeInBits).value_or(Part);
  Metadata *Nothing = ValueAsMetadata::get(PoisonValue::get(Type::getInt1Ty(C)));
  return new DbgVariableRecord(Nothing, Of.getVariable(), Part, Of.getDebugLoc().get());
}

// The values of variables once the instructions `Inside` have got a substitute that begins with `Start`. Records elsewhere but in
// `Errors`, where only the original leads to, name the new values of the old ones that are listed, and no others of `Inside`;
// in the substitute, what was assigned by the original has no value.
FARKAS void farkas_settle_variables(const LLVMValueRef *Inside, size_t Count, const LLVMBasicBlockRef *Errors,
                                    size_t ErrorCount, const LLVMValueRef *Old, const LLVMValueRef *New,
                                    size_t NewCount, LLVMBasicBlockRef Start) {
  SmallPtrSet<BasicBlock *, 16> Blocks;
  SmallPtrSet<BasicBlock *, 16> Original;
  SmallVector<BasicBlock *, 16> InOrder;
  for (size_t I = 0; I < Count; ++I)
    if (BasicBlock *B = unwrap<Instruction>(Inside[I])->getParent(); B && Blocks.insert(B).second)
      InOrder.push_back(B);
  for (size_t I = 0; I < ErrorCount; ++I)
    Blocks.insert(unwrap(Errors[I]));
  SmallDenseMap<Value *, Value *> Substitute;
  for (size_t I = 0; I < NewCount; ++I)
    Substitute[unwrap(Old[I])] = unwrap(New[I]);
  for (size_t I = 0; I < Count; ++I) {
    Value *V = unwrap(Inside[I]);
    if (!V->isUsedByMetadata())
      continue;
    SmallVector<DbgVariableRecord *, 4> Users;
    findDbgUsers(V, Users);
    for (DbgVariableRecord *User : Users) {
      if (Blocks.contains(User->getBlock()))
        continue;
      if (Value *Other = Substitute.lookup(V))
        User->replaceVariableLocationOp(V, Other);
      else
        User->setKillLocation();
    }
  }
  SmallDenseSet<DebugVariable> Seen;
  BasicBlock *Substituted = unwrap(Start);
  for (BasicBlock *B : InOrder)
    for (Instruction &I : *B)
      for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
        if (!Record.isDbgDeclare() && Seen.insert(DebugVariable(&Record)).second)
          Substituted->insertDbgRecordBefore(withoutValue(Record), Substituted->getFirstNonPHIIt());
}
