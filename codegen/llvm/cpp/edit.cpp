// Changes to the function that LLVM's C interface does not offer.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace farkas;

// A new block on the edge; dominators and loops follow.
FARKAS LLVMBasicBlockRef farkas_split_edge(Run *R, LLVMBasicBlockRef From, LLVMBasicBlockRef To) {
  return wrap(SplitEdge(unwrap(From), unwrap(To), &R->State->Dominators, &R->State->Loops));
}

// A new block that begins with the instruction, which is no phi, and what follows it; dominators and loops follow. Debug records
// in front of the instruction come with it if `WithRecords`.
FARKAS LLVMBasicBlockRef farkas_split_block(Run *R, LLVMValueRef Before, bool WithRecords) {
  auto *I = unwrap<Instruction>(Before);
  BasicBlock::iterator At = I->getIterator();
  At.setHeadBit(WithRecords);
  return wrap(SplitBlock(I->getParent(), At, &R->State->Dominators, &R->State->Loops));
}

// Executes an instruction without a result only where the condition, which stands before it, holds; dominators and loops follow.
FARKAS void farkas_execute_if(Run *R, LLVMValueRef Condition, LLVMValueRef Instruction) {
  auto *I = unwrap<llvm::Instruction>(Instruction);
  DomTreeUpdater Updater(R->State->Dominators, DomTreeUpdater::UpdateStrategy::Eager);
  llvm::Instruction *Then = SplitBlockAndInsertIfThen(unwrap(Condition), I->getIterator(), /*Unreachable=*/false,
                                                      /*BranchWeights=*/nullptr, &Updater, &R->State->Loops);
  I->moveBefore(Then->getIterator());
}

// Moves the debug records of a block that only branches to the block behind it.
FARKAS void farkas_pass_records_on(LLVMBasicBlockRef From) {
  BasicBlock *B = unwrap(From), *Next = B->getSingleSuccessor();
  Instruction *Branch = B->getTerminator();
  if (Next && Branch->hasDbgRecords())
    Next->getFirstNonPHIIt()->adoptDbgRecords(B, Branch->getIterator(), /*InsertAtHead=*/true);
}

// A metadata node that equals no other; if `SelfFirst`, its first operand is the node itself, as loop identifiers and
// alias scopes have it.
FARKAS LLVMMetadataRef farkas_distinct_node(LLVMContextRef C, const LLVMMetadataRef *Operands, size_t Count,
                                            bool SelfFirst) {
  SmallVector<Metadata *, 8> Ops;
  if (SelfFirst)
    Ops.push_back(nullptr);
  for (size_t I = 0; I < Count; ++I)
    Ops.push_back(unwrap(Operands[I]));
  MDNode *N = MDNode::getDistinct(*unwrap(C), Ops);
  if (SelfFirst)
    N->replaceOperandWith(0, N);
  return wrap(static_cast<Metadata *>(N));
}

// Erases an instruction that nobody uses and that has no effect, and then its operands in the same way.
FARKAS void farkas_erase_dead(LLVMValueRef V) { RecursivelyDeleteTriviallyDeadInstructions(unwrap(V)); }

// Takes away what makes the instruction's value poison where its operands are not.
FARKAS void farkas_drop_poison_generating(LLVMValueRef V) { unwrap<Instruction>(V)->dropPoisonGeneratingAnnotations(); }

// The square root that a call of the C library's function computes, of another argument of its type or a vector of such ones.
FARKAS LLVMValueRef farkas_square_root(LLVMBuilderRef Builder, LLVMValueRef Call, LLVMValueRef Argument) {
  auto *C = unwrap<CallBase>(Call);
  Value *A = unwrap(Argument);
  Function *Root = Intrinsic::getOrInsertDeclaration(C->getModule(), Intrinsic::sqrt, A->getType());
  CallInst *New = unwrap(Builder)->CreateCall(Root, A);
  New->copyFastMathFlags(C);
  New->setDebugLoc(C->getDebugLoc());
  return wrap(New);
}

// The operands of the loop's identifier without the identifier itself.
FARKAS void farkas_loop_id_operands(Loop *L, PointerSink Sink, void *Context) {
  MDNode *Id = L->getLoopID();
  if (!Id)
    return;
  for (unsigned I = 1, E = Id->getNumOperands(); I < E; ++I)
    Sink(Context, wrap(static_cast<Metadata *>(Id->getOperand(I).get())));
}

FARKAS void farkas_loop_set_id(Loop *L, LLVMMetadataRef Id) { L->setLoopID(cast<MDNode>(unwrap(Id))); }

// A copy of the whole function, for `farkas_function_restore`.
FARKAS LLVMValueRef farkas_function_snapshot(Run *R) {
  ValueToValueMapTy Map;
  // The copy may come to be the function itself, whose subprogram it has to name then.
  if (DISubprogram *Scope = R->F.getSubprogram())
    Map.MD()[Scope].reset(Scope);
  return wrap(static_cast<Value *>(CloneFunction(&R->F, Map)));
}

FARKAS void farkas_function_discard(LLVMValueRef Snapshot) { unwrap<Function>(Snapshot)->eraseFromParent(); }

// Gives the function the body of the snapshot, which goes away.
FARKAS void farkas_function_restore(Run *R, LLVMValueRef Snapshot) {
  Function &To = R->F, *From = unwrap<Function>(Snapshot);
  R->State.reset();
  // The attachments, the subprogram among them, were not changed: keep them from being dropped with the body.
  for (BasicBlock &B : To)
    B.dropAllReferences();
  while (!To.empty())
    To.begin()->eraseFromParent();
  To.splice(To.begin(), From);
  for (auto [Old, New] : zip(From->args(), To.args()))
    Old.replaceAllUsesWith(&New);
  From->eraseFromParent();
  R->Assumptions.clear();
  R->State.emplace(To, R->Library, R->Assumptions);
}

// What the verifier has against a function; nothing is sent if it is fine.
FARKAS void farkas_function_verify(LLVMValueRef F, TextSink Sink, void *Context) {
  std::string Complaint;
  raw_string_ostream OS(Complaint);
  if (verifyFunction(*unwrap<Function>(F), &OS))
    write(Sink, Context, Complaint);
}

// Erases a function that was added; what calls it goes away, too.
FARKAS void farkas_function_erase(LLVMValueRef Added) {
  auto *F = unwrap<Function>(Added);
  F->replaceAllUsesWith(PoisonValue::get(F->getType()));
  F->eraseFromParent();
}
