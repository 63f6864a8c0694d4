// New code in functions of its own.
//
// After all passes on functions, what is behind a guard is moved out of the function. What is left is the original and the guard:
// registers, the stack and what a function saves at its beginning are those that the original asks for. Nothing behind this pass inlines.

#include "outline.h"
#include "extract.h"
#include "run.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
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
SmallVector<BasicBlock *, 32> behind(BranchInst *Branch, unsigned Way, DominatorTree &Dominators) {
  BasicBlock *From = Branch->getParent(), *First = Branch->getSuccessor(Way);
  SmallVector<BasicBlock *, 32> Blocks;
  if (!Dominators.dominates(BasicBlockEdge(From, First), First))
    return Blocks;
  // The branch may lead to the header of a loop.
  if (!First->getSinglePredecessor())
    First = SplitEdge(From, First, &Dominators);
  Dominators.getDescendants(First, Blocks);
  // The first one is the entry, which comes first.
  erase_if(Blocks, [&](BasicBlock *B) { return B != First && succ_empty(B); });
  return Blocks;
}

/// So many pieces of code are moved out of a function at the most: each takes time with its size.
constexpr unsigned MostOutlined = 32;

/// Whether code may be moved out of a function. Where calls have to say which handler of exceptions they are in, new ones do not. What was
/// put in a section has to stay there.
bool mayBeTakenApart(const Function &F) {
  bool HasFunclets = F.hasPersonalityFn() && isScopedEHPersonality(classifyEHPersonality(F.getPersonalityFn()));
  return !HasFunclets && !F.hasSection();
}

/// Whether a function can save the registers that it uses for its caller, which has to save none then: where other checks of the guard
/// fail, the original goes on behind the call. Hooks at the beginning of a function are called before anything is saved.
bool canPreserveRegisters(const Function &F) {
  const Triple &T = F.getParent()->getTargetTriple();
  bool IsKnown = (T.getArch() == Triple::x86_64 || T.getArch() == Triple::aarch64) && !T.isOSWindows();
  return IsKnown && !F.hasFnAttribute("fentry-call") && !F.hasFnAttribute("split-stack");
}

/// Moves the blocks into a function, and gives it; null where that is not possible.
Function *extract(Function &F, ArrayRef<BasicBlock *> Blocks, CodeExtractorAnalysisCache &Cache, DominatorTree &Dominators,
             AssumptionCache &Assumptions) {
  CodeExtractor Extractor(Blocks, &Dominators, /*AggregateArgs=*/false, nullptr, nullptr, &Assumptions,
                          /*AllowVarArgs=*/false, /*AllowAlloca=*/false, nullptr, freeName(F));
  SetVector<Value *> Inputs, Outputs;
  if (!Extractor.isEligible())
    return nullptr;
  Extractor.findInputsOutputs(Inputs, Outputs, {});
  if (!all_of(Inputs, canBePassed) || !all_of(Outputs, canBePassed))
    return nullptr;
  Function *New = Extractor.extractCodeRegion(Cache);
  if (!New)
    return nullptr;
  New->addFnAttr(Attribute::NoInline);
  // Where a linker drops one of several copies of the function, it drops its new code, too.
  if (F.getParent()->getTargetTriple().isOSBinFormatELF())
    New->setComdat(F.getComdat());
  // A second run finds nothing to do.
  for (Instruction &I : instructions(New))
    I.setMetadata(Guard, nullptr);
  if (canPreserveRegisters(F)) {
    New->setCallingConv(CallingConv::PreserveMost);
    for (User *U : New->users())
      cast<CallInst>(U)->setCallingConv(CallingConv::PreserveMost);
  }
  return New;
}

/// The bits of the widest vector that a function has.
uint64_t widestVector(const Function &F) {
  uint64_t Widest = 0;
  auto Add = [&](Type *T) {
    if (isa<FixedVectorType>(T))
      Widest = std::max<uint64_t>(Widest, T->getPrimitiveSizeInBits().getFixedValue());
  };
  Add(F.getReturnType());
  for (const Argument &A : F.args())
    Add(A.getType());
  for (const Instruction &I : instructions(F)) {
    Add(I.getType());
    for (const Value *V : I.operands())
      Add(V->getType());
  }
  return Widest;
}

/// Lowers the width of vectors that a function may use to that of those it has: what is wider was moved from one of two functions into the
/// other, or stayed. Code generation puts neighbouring loads together where wider vectors are legal. (Measured on Ice Lake: differences of
/// neighbours, which were left to the original, ran at half the speed.)
void limitVectors(Function &F) {
  uint64_t Allowed, Widest = widestVector(F);
  Attribute Limit = F.getFnAttribute(MinLegalVectorWidth);
  if (Limit.isValid() && !Limit.getValueAsString().getAsInteger(0, Allowed) && Allowed > Widest)
    F.addFnAttr(MinLegalVectorWidth, utostr(Widest));
}

} // namespace

bool farkas::outlineNewCode(Function &F, AssumptionCache &Assumptions) {
  if (!mayBeTakenApart(F))
    return false;
  SmallVector<BranchInst *, 4> Guards;
  for (Instruction &I : instructions(F))
    if (auto *Branch = dyn_cast<BranchInst>(&I); Branch && Branch->isConditional() && Branch->hasMetadata(Guard))
      Guards.push_back(Branch);
  CodeExtractorAnalysisCache Cache(F);
  SmallVector<Function *, 4> Outlined;
  for (BranchInst *Branch : Guards) {
    // The code of an outer guard takes those in it along.
    if (Branch->getFunction() != &F || Outlined.size() == MostOutlined)
      continue;
    Branch->setMetadata(Guard, nullptr);
    DominatorTree Dominators(F);
    SmallVector<BasicBlock *, 32> Ways[] = {behind(Branch, 0, Dominators), behind(Branch, 1, Dominators)};
    bool IsNew[2];
    for (unsigned Way : {0u, 1u})
      IsNew[Way] = any_of(Ways[Way], [](BasicBlock *B) { return endsNewLoop(*B); });
    if (IsNew[0] != IsNew[1])
      if (Function *New = extract(F, Ways[IsNew[0] ? 0 : 1], Cache, Dominators, Assumptions))
        Outlined.push_back(New);
  }
  if (!Outlined.empty())
    limitVectors(F);
  for (Function *New : Outlined)
    limitVectors(*New);
  return !Guards.empty();
}
