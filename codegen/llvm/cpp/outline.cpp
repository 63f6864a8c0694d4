// New code in functions of its own.
//
// Behind all other passes, what is behind a guard is moved out of the function. What is left is the original and the guard: registers,
// the stack and what a function saves at its beginning are those that the original asks for.

#include "outline.h"
#include "extract.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;
using namespace farkas;

namespace {

/// The metadata of the branches of a guard that asks for sizes; `edit::GUARD` in the Rust half.
constexpr StringLiteral Guard = "farkas.guard";

/// Whether a block ends a new loop. Loops of the original that the pass has looked at have an attribute without a value.
bool endsNewLoop(const BasicBlock &B) {
  const MDNode *Id = B.getTerminator()->getMetadata(LLVMContext::MD_loop);
  const MDNode *Mark = Id ? findOptionMDForLoopID(const_cast<MDNode *>(Id), Done) : nullptr;
  return Mark && Mark->getNumOperands() > 1;
}

/// The blocks that control reaches through a way of a branch only, but for those that leave the function; none if others lead to the
/// first of them.
SmallVector<BasicBlock *, 32> behind(BranchInst *Branch, unsigned Way, const DominatorTree &Dominators) {
  BasicBlock *First = Branch->getSuccessor(Way);
  SmallVector<BasicBlock *, 32> Blocks;
  if (First->getSinglePredecessor() != Branch->getParent())
    return Blocks;
  Dominators.getDescendants(First, Blocks);
  // The first one is the entry, which comes first.
  erase_if(Blocks, [&](BasicBlock *B) { return B != First && succ_empty(B); });
  return Blocks;
}

/// Whether a function can save the registers that it uses for its caller, which has to save none then: where other checks of the guard
/// fail, the original goes on behind the call.
bool canPreserveRegisters(const Triple &T) {
  return (T.getArch() == Triple::x86_64 || T.getArch() == Triple::aarch64) && !T.isOSWindows();
}

/// Moves the blocks into a function, if that is possible.
bool extract(Function &F, ArrayRef<BasicBlock *> Blocks, DominatorTree &Dominators, AssumptionCache &Assumptions) {
  CodeExtractor Extractor(Blocks, &Dominators, /*AggregateArgs=*/false, nullptr, nullptr, &Assumptions,
                          /*AllowVarArgs=*/false, /*AllowAlloca=*/false, nullptr, freeName(F));
  SetVector<Value *> Inputs, Outputs;
  if (!Extractor.isEligible())
    return false;
  Extractor.findInputsOutputs(Inputs, Outputs, {});
  if (!all_of(Inputs, canBePassed) || !all_of(Outputs, canBePassed))
    return false;
  CodeExtractorAnalysisCache Cache(F);
  Function *New = Extractor.extractCodeRegion(Cache);
  if (!New)
    return false;
  New->addFnAttr(Attribute::NoInline);
  if (canPreserveRegisters(F.getParent()->getTargetTriple())) {
    New->setCallingConv(CallingConv::PreserveMost);
    for (User *U : New->users())
      cast<CallInst>(U)->setCallingConv(CallingConv::PreserveMost);
  }
  return true;
}

} // namespace

bool farkas::outlineNewCode(Function &F, AssumptionCache &Assumptions) {
  SmallVector<BranchInst *, 4> Guards;
  for (Instruction &I : instructions(F))
    if (auto *Branch = dyn_cast<BranchInst>(&I); Branch && Branch->isConditional() && Branch->hasMetadata(Guard))
      Guards.push_back(Branch);
  bool Changed = false;
  for (BranchInst *Branch : Guards) {
    // The code of an outer guard takes those in it along.
    if (Branch->getFunction() != &F)
      continue;
    DominatorTree Dominators(F);
    SmallVector<BasicBlock *, 32> Ways[] = {behind(Branch, 0, Dominators), behind(Branch, 1, Dominators)};
    bool IsNew[2];
    for (unsigned Way : {0u, 1u})
      IsNew[Way] = any_of(Ways[Way], [](BasicBlock *B) { return endsNewLoop(*B); });
    if (IsNew[0] != IsNew[1])
      Changed |= extract(F, Ways[IsNew[0] ? 0 : 1], Dominators, Assumptions);
  }
  return Changed;
}
