// Natural loops and dominators.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace farkas;

// Outermost loops, in program order.
FARKAS void farkas_loops_top(Run *R, PointerSink Sink, void *Context) {
  LoopInfo &LI = R->State->Loops;
  for (auto I = LI.rbegin(), E = LI.rend(); I != E; ++I)
    Sink(Context, *I);
}

FARKAS void farkas_loop_children(Loop *L, PointerSink Sink, void *Context) {
  for (auto I = L->rbegin(), E = L->rend(); I != E; ++I)
    Sink(Context, *I);
}

FARKAS void farkas_loop_blocks(Loop *L, PointerSink Sink, void *Context) {
  for (BasicBlock *B : L->blocks())
    Sink(Context, wrap(B));
}

FARKAS void farkas_loop_exiting(Loop *L, PointerSink Sink, void *Context) {
  SmallVector<BasicBlock *, 4> Blocks;
  L->getExitingBlocks(Blocks);
  for (BasicBlock *B : Blocks)
    Sink(Context, wrap(B));
}

FARKAS LLVMBasicBlockRef farkas_loop_header(Loop *L) { return wrap(L->getHeader()); }

// How many conditions hold at the loop's start for sure, as far as LLVM looks for them: it goes back over blocks with one
// way in, and over loops.
FARKAS size_t farkas_loop_guards(Run *R, Loop *L) {
  size_t Count = 0;
  for (BasicBlock *B = L->getLoopPredecessor(); B;) {
    Count += succ_size(B) > 1;
    Loop *Around = R->State->Loops.getLoopFor(B);
    B = Around && Around->getHeader() == B ? Around->getLoopPredecessor() : B->getUniquePredecessor();
  }
  return Count;
}

// The only latch, or null.
FARKAS LLVMBasicBlockRef farkas_loop_latch(Loop *L) { return wrap(L->getLoopLatch()); }
// The only block outside the loop that branches to its header, or null.
FARKAS LLVMBasicBlockRef farkas_loop_predecessor(Loop *L) { return wrap(L->getLoopPredecessor()); }
// The only block that the loop is left to, or null.
FARKAS LLVMBasicBlockRef farkas_loop_exit(Loop *L) { return wrap(L->getUniqueExitBlock()); }
FARKAS Loop *farkas_loop_parent(Loop *L) { return L->getParentLoop(); }
// How often a loop goes round by the weights of the branches that leave it. LLVM's `getLoopEstimatedTripCount` wants a loop
// that is left from its latch; where the pass runs, most are left from their header, and loop metadata may say it already.
FARKAS bool farkas_loop_estimated_trip_count(Loop *L, uint64_t *Count) {
  if (auto Known = getLoopEstimatedTripCount(L)) {
    *Count = *Known;
    return true;
  }
  BasicBlock *Exiting = L->getExitingBlock();
  auto *Branch = Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  uint64_t First, Second;
  if (!Branch || !Branch->isConditional() || !extractBranchWeights(*Branch, First, Second))
    return false;
  bool FirstStays = L->contains(Branch->getSuccessor(0));
  uint64_t Stays = FirstStays ? First : Second, Leaves = FirstStays ? Second : First;
  if (Leaves == 0)
    return false;
  // The nearest whole number. A loop that is left from its latch has an iteration before it is left.
  *Count = (Stays + Leaves / 2) / Leaves + (Exiting == L->getLoopLatch() ? 1 : 0);
  return true;
}

FARKAS uint32_t farkas_loop_depth(Loop *L) { return L->getLoopDepth(); }
FARKAS bool farkas_loop_contains(Loop *L, LLVMBasicBlockRef B) { return L->contains(unwrap(B)); }
FARKAS Loop *farkas_loop_of(Run *R, LLVMBasicBlockRef B) { return R->State->Loops.getLoopFor(unwrap(B)); }

FARKAS bool farkas_loop_has_attribute(Loop *L, Text Name) {
  return findOptionMDForLoop(L, StringRef(Name.Data, Name.Length)) != nullptr;
}

FARKAS bool farkas_dominates(Run *R, LLVMBasicBlockRef A, LLVMBasicBlockRef B) {
  return R->State->Dominators.dominates(unwrap(A), unwrap(B));
}

// Null for the first block, and for blocks that control never comes to.
FARKAS LLVMBasicBlockRef farkas_immediate_dominator(Run *R, LLVMBasicBlockRef B) {
  auto *Node = R->State->Dominators.getNode(unwrap(B));
  auto *Above = Node ? Node->getIDom() : nullptr;
  return wrap(Above ? Above->getBlock() : nullptr);
}

static bool sendLocation(const DebugLoc &D, uint32_t *Line, uint32_t *Column, TextSink Sink, void *Context) {
  if (!D)
    return false;
  *Line = D.getLine();
  *Column = D.getCol();
  write(Sink, Context, D->getFilename());
  return true;
}

FARKAS bool farkas_loop_location(Loop *L, uint32_t *Line, uint32_t *Column, TextSink Sink, void *Context) {
  return sendLocation(L->getStartLoc(), Line, Column, Sink, Context);
}

FARKAS bool farkas_instruction_location(LLVMValueRef V, uint32_t *Line, uint32_t *Column, TextSink Sink,
                                        void *Context) {
  return sendLocation(unwrap<Instruction>(V)->getDebugLoc(), Line, Column, Sink, Context);
}
