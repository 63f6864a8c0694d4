// Loops between two markers, which are cut out into functions of their own.
//
// A marker is a call of inline assembly with the attribute `farkas-threads`. The one in front of a loop has the pair of the numbers
// of the first and the last iteration as its result; the one behind it has the first of these as its operand.

#include "threads.h"
#include "extract.h"
#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;
using namespace farkas;

namespace {

/// The metadata of variables of which each thread has its own: `threads::PRIVATE` in the Rust half.
constexpr StringLiteral Private = "farkas.private";

StringRef markerKind(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call || !Call->isInlineAsm())
    return "";
  return Call->getFnAttr(Marker).getValueAsString();
}

/// Whether it is a marker of how far a row of a pipeline is, or of whose turn it is.
bool isProgress(StringRef Kind) {
  return Kind == "wait" || Kind == "done" || Kind == "row" || Kind == "turn" || Kind == "pass";
}

bool isBegin(const Instruction &I) {
  StringRef Kind = markerKind(I);
  return !Kind.empty() && Kind != "end" && Kind != "shared" && Kind != "team" && !isProgress(Kind);
}

/// Takes `freeze` instructions off a value that is well defined.
void dropFreezes(Value *Of) {
  SmallVector<FreezeInst *, 4> Freezes;
  for (User *U : Of->users())
    if (auto *Freeze = dyn_cast<FreezeInst>(U))
      Freezes.push_back(Freeze);
  for (FreezeInst *Freeze : Freezes) {
    dropFreezes(Freeze);
    Freeze->replaceAllUsesWith(Of);
    Freeze->eraseFromParent();
  }
}

/// Takes them off the numbers of a marker. InstCombine puts them there, in front of the loop's own tests.
void dropFreezesOfNumbers(CallInst *Begin) {
  dropFreezes(Begin);
  for (User *U : Begin->users())
    if (isa<ExtractValueInst>(U))
      dropFreezes(U);
}

/// Gives the users of a marker's numbers the values `First` and `Last`.
bool replaceNumbers(CallInst *Begin, Value *First, Value *Last) {
  for (User *U : make_early_inc_range(Begin->users())) {
    auto *Number = dyn_cast<ExtractValueInst>(U);
    if (!Number || Number->getNumIndices() != 1)
      return false;
    if (Number == First || Number == Last)
      continue;
    Number->replaceAllUsesWith(Number->getIndices()[0] == 0 ? First : Last);
    Number->eraseFromParent();
  }
  return true;
}

/// Takes markers away: all iterations of the loop are executed in place.
void strip(CallInst *Begin) {
  dropFreezesOfNumbers(Begin);
  for (User *U : make_early_inc_range(Begin->users()))
    if (auto *Number = dyn_cast<ExtractValueInst>(U))
      for (User *V : make_early_inc_range(Number->users()))
        if (auto *End = dyn_cast<Instruction>(V); End && markerKind(*End) == "end")
          End->eraseFromParent();
  Value *First = Begin->getArgOperand(0), *Last = Begin->getArgOperand(1);
  if (replaceNumbers(Begin, First, Last)) {
    Begin->eraseFromParent();
    return;
  }
  // Something else makes use of the pair.
  IRBuilder<> Builder(Begin);
  Value *Pair = PoisonValue::get(Begin->getType());
  Pair = Builder.CreateInsertValue(Pair, First, 0);
  Begin->replaceAllUsesWith(Builder.CreateInsertValue(Pair, Last, 1));
  Begin->eraseFromParent();
}

/// The blocks between two markers.
struct Between {
  CallInst *Begin = nullptr;
  CallInst *End = nullptr;
  Value *First = nullptr;
  Value *Last = nullptr;
  /// In depth-first order; the first one is the only one that is entered.
  SetVector<BasicBlock *> Blocks;
  /// Why the loop stays where it is; null if nothing is in the way.
  const char *Obstacle = nullptr;

  bool contains(const Instruction *I) const { return Blocks.contains(const_cast<BasicBlock *>(I->getParent())); }
  BasicBlock *entry() const { return Blocks.front(); }

  explicit Between(CallInst *Begin) : Begin(Begin) {
    if (!findEnd() || !findBlocks())
      return;
    for (BasicBlock *B : Blocks)
      for (Instruction &I : make_early_inc_range(*B))
        if (!Obstacle)
          check(I);
    if (!Obstacle)
      hoistLiveOuts();
  }

private:
  bool fail(const char *Why) {
    Obstacle = Why;
    return false;
  }

  /// Finds the other marker, and puts the numbers directly behind the first one.
  bool findEnd() {
    dropFreezesOfNumbers(Begin);
    IRBuilder<> Builder(Begin->getNextNode());
    Builder.SetCurrentDebugLocation(Begin->getDebugLoc());
    First = Builder.CreateExtractValue(Begin, 0);
    Last = Builder.CreateExtractValue(Begin, 1);
    if (!replaceNumbers(Begin, First, Last))
      return fail("the numbers of its iterations are used elsewhere");
    for (User *U : First->users())
      if (auto *I = dyn_cast<Instruction>(U); I && markerKind(*I) == "end") {
        if (End)
          return fail("it was duplicated in part");
        End = cast<CallInst>(I);
      }
    return End ? true : fail("it has no end");
  }

  /// Finds the blocks in between, which are all entered and left at the markers only.
  bool findBlocks() {
    BasicBlock *Before = Begin->getParent();
    BasicBlock *Entry = SplitBlock(Before, cast<Instruction>(Last)->getNextNode());
    BasicBlock *Behind = SplitBlock(End->getParent(), End);
    SmallVector<BasicBlock *, 16> Left{Entry};
    bool Ends = false;
    while (!Left.empty()) {
      BasicBlock *B = Left.pop_back_val();
      if (B == Behind) {
        Ends = true;
        continue;
      }
      if (B == Before)
        return fail("it is entered again before its end");
      if (!Blocks.insert(B))
        continue;
      Instruction *T = B->getTerminator();
      if (!isa<BranchInst, SwitchInst, UnreachableInst>(T))
        return fail("it is left by other ways than its end");
      append_range(Left, successors(B));
    }
    if (!Ends)
      return fail("its end is never reached");
    for (BasicBlock *B : Blocks)
      for (BasicBlock *From : predecessors(B))
        if (B == Entry ? From != Before : !Blocks.contains(From))
          return fail("it is entered in several places");
    return true;
  }

  /// Whether an operand is the address of a variable of the thread.
  static bool isOfThread(const Value *V, unsigned Depth = 0) {
    if (const auto *G = dyn_cast<GlobalValue>(V))
      return G->isThreadLocal();
    const auto *E = dyn_cast<ConstantExpr>(V);
    return E && Depth < 8 && any_of(E->operands(), [&](const Use &U) { return isOfThread(U, Depth + 1); });
  }

  /// Checks what may not be executed on another thread.
  void check(Instruction &I) {
    if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::threadlocal_address) {
      Call->moveBefore(Begin->getIterator());
      return;
    }
    if (!markerKind(I).empty())
      return;
    if (any_of(I.operands(), [](const Use &U) { return isOfThread(U); }))
      fail("it accesses variables of the thread");
    else if (I.mayThrow())
      fail("it may throw");
    else if (isa<AllocaInst>(I))
      fail("it has variables of unknown size");
    else if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getIntrinsicID() != Intrinsic::masked_scatter) {
      // A scatter writes elements of arrays, although LLVM does not know of which.
      MemoryEffects Effects = Call->getMemoryEffects();
      if (isModSet(Effects.getModRef(IRMemLocation::ErrnoMem)) || isModSet(Effects.getModRef(IRMemLocation::Other)))
        fail("a call may set errno, or other variables of the thread");
    }
  }

  /// What is computed inside, and used behind, moves in front, with its operands.
  void hoistLiveOuts() {
    for (BasicBlock *B : Blocks)
      for (Instruction &I : make_early_inc_range(*B)) {
        auto IsOutside = [&](const User *U) { return !contains(cast<Instruction>(U)); };
        if (any_of(I.users(), IsOutside) && !hoist(&I)) {
          fail("it computes a value that is used behind it");
          return;
        }
      }
  }

  bool hoist(Instruction *I, unsigned Depth = 0) {
    if (!contains(I))
      return true;
    if (Depth > 8 || isa<PHINode>(I) || I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I))
      return false;
    for (Value *Operand : I->operands())
      if (auto *O = dyn_cast<Instruction>(Operand); O && (O == First || O == Last || !hoist(O, Depth + 1)))
        return false;
    I->dropUBImplyingAttrsAndMetadata();
    I->dropLocation();
    I->moveBefore(Begin->getIterator());
    return true;
  }
};

/// How a variable on the stack is used.
struct Uses {
  bool IsInside = false;
  bool IsOutside = false;
  /// Computations of its address outside, each before those that use it.
  SmallVector<Instruction *, 8> Addresses;
  SmallVector<Instruction *, 4> Lifetimes;

  Uses(AllocaInst *Variable, const Between &Code) {
    SmallPtrSet<Instruction *, 16> Seen{Variable};
    SmallVector<Instruction *, 16> Left{Variable};
    for (size_t K = 0; K < Left.size(); ++K)
      for (User *U : Left[K]->users()) {
        auto *I = cast<Instruction>(U);
        if (!Seen.insert(I).second)
          continue;
        if (Code.contains(I)) {
          IsInside = true;
        } else if (I->isLifetimeStartOrEnd()) {
          Lifetimes.push_back(I);
        } else if (isa<GetElementPtrInst, CastInst>(I) && I->getType()->isPointerTy()) {
          Addresses.push_back(I);
          Left.push_back(I);
        } else {
          IsOutside = true;
        }
      }
  }
};

/// Lets the code have a variable of its own.
void makeOwn(AllocaInst *Variable, const Uses &Used, const Between &Code) {
  auto Place = Code.entry()->getFirstInsertionPt();
  Variable->moveBefore(*Code.entry(), Place);
  auto IsInside = [&](const Use &U) { return Code.contains(cast<Instruction>(U.getUser())); };
  SmallDenseMap<Value *, Instruction *> Copies;
  for (Instruction *Address : Used.Addresses) {
    Instruction *Copy = Copies[Address] = Address->clone();
    Copy->insertBefore(*Code.entry(), Place);
    Copy->dropLocation();
    for (Use &Operand : Copy->operands())
      if (Instruction *Other = Copies.lookup(Operand))
        Operand.set(Other);
    Address->replaceUsesWithIf(Copy, IsInside);
  }
  for (Instruction *Lifetime : Used.Lifetimes)
    Lifetime->eraseFromParent();
  for (Instruction *Address : reverse(Used.Addresses))
    Address->eraseFromParent();
  Variable->setMetadata(Private, nullptr);
}

/// Gives the code the variables that it needs for itself. Null, or why that is not possible.
const char *giveVariables(Function &F, const Between &Code, SmallVectorImpl<AllocaInst *> &Own) {
  SmallVector<AllocaInst *, 16> Variables;
  for (Instruction &I : instructions(F))
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      Variables.push_back(Variable);
  SmallVector<std::pair<AllocaInst *, Uses>, 8> Found;
  for (AllocaInst *Variable : Variables) {
    Uses Used(Variable, Code);
    bool IsPrivate = Variable->hasMetadata(Private);
    if (!Used.IsInside)
      continue;
    // All others are handed to a marker in front. One that is not may be a part of a private one.
    if (IsPrivate == Used.IsOutside)
      return "it is not known which variables its iterations share";
    if (IsPrivate)
      Found.emplace_back(Variable, std::move(Used));
  }
  for (auto &[Variable, Used] : Found) {
    makeOwn(Variable, Used, Code);
    Own.push_back(Variable);
  }
  return nullptr;
}

/// The call of a function that the code was cut out into; null, with the reason, if that is not possible.
CallInst *cutOut(Run &R, Between &Code, const char *&Why) {
  SmallVector<AllocaInst *, 8> Own;
  if ((Why = giveVariables(R.F, Code, Own)))
    return nullptr;
  // There is one team.
  SmallVector<Instruction *, 4> Inner;
  for (BasicBlock *B : Code.Blocks)
    for (Instruction &I : *B)
      if (isBegin(I) || markerKind(I) == "shared")
        Inner.push_back(&I);
  for (Instruction *I : Inner)
    if (isBegin(*I))
      strip(cast<CallInst>(I));
    else
      I->eraseFromParent();
  CodeExtractor Extractor(Code.Blocks.getArrayRef(), nullptr, /*AggregateArgs=*/true, nullptr, nullptr, &R.Assumptions,
                          /*AllowVarArgs=*/false, /*AllowAlloca=*/true, nullptr, freeName(R.F));
  SetVector<Value *> Inputs, Outputs;
  if (Extractor.isEligible())
    Extractor.findInputsOutputs(Inputs, Outputs, {});
  if (!Extractor.isEligible() || !Outputs.empty() || !all_of(Inputs, canBePassed)) {
    for (AllocaInst *Variable : Own)
      Variable->moveBefore(R.F.getEntryBlock(), R.F.getEntryBlock().getFirstInsertionPt());
    Why = "it needs values that cannot be passed to a function";
    return nullptr;
  }
  Extractor.excludeArgFromAggregate(Code.First);
  Extractor.excludeArgFromAggregate(Code.Last);
  CodeExtractorAnalysisCache Cache(R.F);
  Function *Chunk = Extractor.extractCodeRegion(Cache);
  BasicBlock &Front = Chunk->getEntryBlock();
  for (AllocaInst *Variable : Own)
    Variable->moveBefore(Front, Front.getFirstInsertionPt());
  Chunk->setLinkage(GlobalValue::InternalLinkage);
  Chunk->removeFnAttr(Attribute::AlwaysInline);
  Chunk->removeFnAttr(Attribute::InlineHint);
  Chunk->addFnAttr(Attribute::NoInline);
  Chunk->addFnAttr(Attribute::NoUnwind);
  return cast<CallInst>(Chunk->user_back());
}

} // namespace

bool farkas::hasMarkers(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) { return !markerKind(I).empty(); });
}

// The markers in front of loops, each before those inside.
FARKAS void farkas_threads_markers(Run *R, PointerSink Sink, void *Context) {
  for (Instruction &I : instructions(R->F))
    if (isBegin(I))
      Sink(Context, wrap(&I));
}

// The markers that ask whether there are several threads.
FARKAS void farkas_threads_teams(Run *R, PointerSink Sink, void *Context) {
  for (Instruction &I : instructions(R->F))
    if (markerKind(I) == "team")
      Sink(Context, wrap(&I));
}

// The markers of the progress of rows in a function.
FARKAS void farkas_threads_progress(LLVMValueRef Chunk, PointerSink Sink, void *Context) {
  for (Instruction &I : instructions(*unwrap<Function>(Chunk)))
    if (isProgress(markerKind(I)))
      Sink(Context, wrap(&I));
}

// What a marker is.
FARKAS void farkas_threads_kind(LLVMValueRef Begin, TextSink Sink, void *Context) {
  write(Sink, Context, markerKind(*unwrap<Instruction>(Begin)));
}

// Cuts the code behind the marker out: the call that takes its place, with the marker's numbers among its arguments. Null, with the
// reason, if that is not possible; then all is as it was but for the borders of blocks.
FARKAS LLVMValueRef farkas_threads_cut_out(Run *R, LLVMValueRef Begin, TextSink Sink, void *Context) {
  Between Code(unwrap<CallInst>(Begin));
  const char *Why = Code.Obstacle;
  CallInst *Call = Why ? nullptr : cutOut(*R, Code, Why);
  if (!Call)
    write(Sink, Context, Why);
  return wrap(Call);
}

// The number of the first or the last iteration, once the loop is cut out; each is taken from the pair once.
FARKAS LLVMValueRef farkas_threads_number(LLVMValueRef Begin, unsigned Index) {
  for (User *U : unwrap<CallInst>(Begin)->users())
    if (auto *Number = dyn_cast<ExtractValueInst>(U); Number && Number->getIndices()[0] == Index)
      return wrap(Number);
  return nullptr;
}

// Takes a marker away, with that behind the loop: all iterations of the loop are executed in place.
FARKAS void farkas_threads_strip(LLVMValueRef Begin) { strip(unwrap<CallInst>(Begin)); }

// Takes the markers away that belong to no loop.
FARKAS void farkas_threads_strip_rest(Run *R) {
  for (Instruction &I : make_early_inc_range(instructions(R->F)))
    if (!markerKind(I).empty() && !isBegin(I))
      I.eraseFromParent();
}

// Whether the module is compiled for OpenMP.
FARKAS bool farkas_threads_has_openmp(Run *R) { return R->F.getParent()->getModuleFlag("openmp"); }

// Whether pointers have 64 bits, and fit in the arguments of a microtask like numbers of 64 bits.
FARKAS bool farkas_threads_has_wide_pointers(Run *R) { return R->F.getDataLayout().getPointerSizeInBits() == 64; }
