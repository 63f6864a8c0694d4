// Scalar evolution: the expression trees, exit counts, ranges, delinearization, and expansion back to instructions.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace farkas;

// Mirrored by `scev::KINDS`.
FARKAS int32_t farkas_scev_kind(const SCEV *S) {
  switch (S->getSCEVType()) {
  case scConstant:
    return 0;
  case scTruncate:
    return 1;
  case scZeroExtend:
    return 2;
  case scSignExtend:
    return 3;
  case scAddExpr:
    return 4;
  case scMulExpr:
    return 5;
  case scUDivExpr:
    return 6;
  case scAddRecExpr:
    return 7;
  case scUMaxExpr:
    return 8;
  case scSMaxExpr:
    return 9;
  case scUMinExpr:
    return 10;
  case scSMinExpr:
    return 11;
  case scSequentialUMinExpr:
    return 12;
  case scUnknown:
    return 13;
  case scCouldNotCompute:
    return 14;
  case scPtrToInt:
    return 16;
  case scVScale:
    break;
  }
  return 15;
}

FARKAS void farkas_scev_operands(const SCEV *S, PointerSink Sink, void *Context) {
  if (!isa<SCEVCouldNotCompute>(S))
    for (const SCEV *Op : S->operands())
      Sink(Context, Op);
}

FARKAS uint32_t farkas_scev_bits(Run *R, const SCEV *S) {
  return isa<SCEVCouldNotCompute>(S) ? 0 : R->State->Evolution.getTypeSizeInBits(S->getType());
}

FARKAS LLVMTypeRef farkas_scev_type(const SCEV *S) { return wrap(S->getType()); }

// Bit 0: no unsigned wrap, bit 1: no signed wrap.
FARKAS uint32_t farkas_scev_flags(const SCEV *S) {
  const auto *N = dyn_cast<SCEVNAryExpr>(S);
  return N ? (N->hasNoUnsignedWrap() ? 1 : 0) | (N->hasNoSignedWrap() ? 2 : 0) : 0;
}

// The constant as a signed 64-bit number; false if it does not fit.
FARKAS bool farkas_scev_constant(const SCEV *S, int64_t *Out) {
  std::optional<int64_t> V = cast<SCEVConstant>(S)->getAPInt().trySExtValue();
  if (V)
    *Out = *V;
  return V.has_value();
}

FARKAS LLVMValueRef farkas_scev_unknown(const SCEV *S) { return wrap(cast<SCEVUnknown>(S)->getValue()); }
FARKAS const Loop *farkas_scev_loop(const SCEV *S) { return cast<SCEVAddRecExpr>(S)->getLoop(); }

FARKAS void farkas_scev_print(const SCEV *S, TextSink Sink, void *Context) {
  std::string Out;
  raw_string_ostream OS(Out);
  S->print(OS);
  write(Sink, Context, Out);
}

FARKAS bool farkas_scevable(Run *R, LLVMTypeRef T) { return R->State->Evolution.isSCEVable(unwrap(T)); }
FARKAS const SCEV *farkas_scev_of(Run *R, LLVMValueRef V) { return R->State->Evolution.getSCEV(unwrap(V)); }
FARKAS const SCEV *farkas_scev_at_scope(Run *R, const SCEV *S, const Loop *L) {
  return R->State->Evolution.getSCEVAtScope(S, L);
}
FARKAS const SCEV *farkas_scev_exit_count(Run *R, const Loop *L, LLVMBasicBlockRef B) {
  return R->State->Evolution.getExitCount(L, unwrap(B));
}
FARKAS const SCEV *farkas_scev_pointer_base(Run *R, const SCEV *S) { return R->State->Evolution.getPointerBase(S); }
FARKAS const SCEV *farkas_scev_without_base(Run *R, const SCEV *S) {
  return R->State->Evolution.removePointerBase(S);
}
FARKAS const SCEV *farkas_scev_minus(Run *R, const SCEV *A, const SCEV *B) {
  return R->State->Evolution.getMinusSCEV(A, B);
}
FARKAS const SCEV *farkas_scev_product(Run *R, const SCEV *A, const SCEV *B) {
  return R->State->Evolution.getMulExpr(A, B);
}
FARKAS const SCEV *farkas_scev_number(Run *R, LLVMTypeRef T, int64_t N) {
  return R->State->Evolution.getConstant(unwrap(T), static_cast<uint64_t>(N), /*isSigned=*/true);
}
// The same signed number in 64 bits, for an integer of at most as many.
FARKAS const SCEV *farkas_scev_widened(Run *R, const SCEV *S) {
  ScalarEvolution &SE = R->State->Evolution;
  return SE.getNoopOrSignExtend(S, Type::getInt64Ty(R->F.getContext()));
}
// The recurrence of the loop with this start and step.
FARKAS const SCEV *farkas_scev_recurrence(Run *R, const SCEV *Start, const SCEV *Step, const Loop *L) {
  return R->State->Evolution.getAddRecExpr(Start, Step, L, SCEV::FlagAnyWrap);
}
FARKAS const SCEV *farkas_scev_sum(Run *R, const SCEV *A, const SCEV *B) {
  return R->State->Evolution.getAddExpr(A, B);
}
FARKAS bool farkas_scev_invariant(Run *R, const SCEV *S, const Loop *L) {
  return R->State->Evolution.isLoopInvariant(S, L);
}

// Whether the integer is not negative, as a signed number, where the loop is entered.
FARKAS bool farkas_scev_non_negative(Run *R, const SCEV *S, const Loop *L) {
  ScalarEvolution &SE = R->State->Evolution;
  return SE.isLoopEntryGuardedByCond(L, ICmpInst::ICMP_SGT, S, SE.getMinusOne(S->getType()));
}

// Bounds on the value read as a signed number, both inclusive; false for more than 64 bits. If there is a loop, conditions that
// hold whenever it is entered are made use of.
FARKAS bool farkas_scev_signed_range(Run *R, const SCEV *S, const Loop *Before, int64_t *Low, int64_t *High) {
  ScalarEvolution &SE = R->State->Evolution;
  ConstantRange Range = SE.getSignedRange(S);
  if (Before)
    Range = Range.intersectWith(SE.getSignedRange(SE.applyLoopGuards(S, Before)), ConstantRange::Signed);
  if (Range.getBitWidth() > 64 || Range.isEmptySet())
    return false;
  *Low = Range.getSignedMin().getSExtValue();
  *High = Range.getSignedMax().getSExtValue();
  return true;
}

// How deep into what computes an index is looked. An index into an array of rank `r` that is linearised by hand is an extension
// of `r - 1` products and sums, each in the next: this is enough for rank 5.
static constexpr unsigned DEEPEST = 10;

// The value of `V` as a number of the wider type, or modulo its width where the type is the same, given that it is not
// poison. Scalar evolution says of an expression what holds wherever it may stand; here, what is flagged not to wrap does not.
static const SCEV *unwrapped(Run *R, Value *V, Type *Wide, bool Signed, unsigned Depth) {
  ScalarEvolution &SE = R->State->Evolution;
  bool Same = V->getType() == Wide;
  auto Part = [&](Value *Operand) { return unwrapped(R, Operand, Wide, Signed, Depth - 1); };
  auto *Phi = Depth > 0 ? dyn_cast<PHINode>(V) : nullptr;
  if (const Loop *L = Phi ? R->State->Loops.getLoopFor(Phi->getParent()) : nullptr) {
    // What counts is poison for good once it has wrapped.
    BasicBlock *From = L->getLoopPredecessor(), *Latch = L->getLoopLatch();
    bool Counts = L->getHeader() == Phi->getParent() && From && Latch && isa<SCEVAddRecExpr>(SE.getSCEV(Phi));
    auto *Next = Counts ? dyn_cast<BinaryOperator>(Phi->getIncomingValueForBlock(Latch)) : nullptr;
    if (Next && Next->getOpcode() == Instruction::Add && Next->getOperand(0) == Phi &&
        (Signed ? Next->hasNoSignedWrap() : Next->hasNoUnsignedWrap()) && L->isLoopInvariant(Next->getOperand(1)))
      return SE.getAddRecExpr(Part(Phi->getIncomingValueForBlock(From)), Part(Next->getOperand(1)), L,
                              SCEV::FlagAnyWrap);
  }
  if (auto *I = Depth > 0 ? dyn_cast<Instruction>(V) : nullptr) {
    auto *O = dyn_cast<OverflowingBinaryOperator>(I);
    bool Exact = Same || (O && (Signed ? O->hasNoSignedWrap() : O->hasNoUnsignedWrap()));
    auto *Or = dyn_cast<PossiblyDisjointInst>(I);
    Exact |= Or && Or->isDisjoint();
    unsigned Opcode = I->getOpcode();
    if (Exact && (Opcode == Instruction::Add || (Or && Or->isDisjoint())))
      return SE.getAddExpr(Part(I->getOperand(0)), Part(I->getOperand(1)));
    if (Exact && Opcode == Instruction::Sub)
      return SE.getMinusSCEV(Part(I->getOperand(0)), Part(I->getOperand(1)));
    if (Exact && Opcode == Instruction::Mul)
      return SE.getMulExpr(Part(I->getOperand(0)), Part(I->getOperand(1)));
    unsigned Bits = V->getType()->getScalarSizeInBits();
    if (auto *By = Exact && Opcode == Instruction::Shl ? dyn_cast<ConstantInt>(I->getOperand(1)) : nullptr)
      if (By->getValue().ult(Bits - 1))
        return SE.getMulExpr(Part(I->getOperand(0)),
                             SE.getConstant(APInt::getOneBitSet(Wide->getIntegerBitWidth(), By->getZExtValue())));
    if (Opcode == Instruction::SExt && (Signed || Same))
      return unwrapped(R, I->getOperand(0), Wide, true, Depth - 1);
    if (Opcode == Instruction::ZExt)
      return unwrapped(R, I->getOperand(0), Wide, I->hasNonNeg(), Depth - 1);
  }
  const SCEV *S = SE.getSCEV(V);
  return Signed ? SE.getNoopOrSignExtend(S, Wide) : SE.getNoopOrZeroExtend(S, Wide);
}

static const SCEV *address(Run *R, Value *P, unsigned Depth) {
  ScalarEvolution &SE = R->State->Evolution;
  auto *G = Depth > 0 ? dyn_cast<GetElementPtrInst>(P) : nullptr;
  if (!G || G->getType()->isVectorTy())
    return SE.getSCEV(P);
  Type *Wide = R->F.getDataLayout().getIndexType(G->getType());
  SmallVector<const SCEV *, 4> Indices;
  for (Value *Index : G->indices()) {
    bool Narrow = Index->getType()->getScalarSizeInBits() <= Wide->getScalarSizeInBits();
    bool IsConstant = isa<Constant>(Index);
    Indices.push_back(Narrow && !IsConstant ? unwrapped(R, Index, Wide, true, DEEPEST) : SE.getSCEV(Index));
  }
  const SCEV *Base = address(R, G->getPointerOperand(), Depth - 1);
  return SE.getGEPExpr(Base, Indices, G->getSourceElementType());
}

// The value of an integer, given that it is not poison.
FARKAS const SCEV *farkas_scev_unwrapped(Run *R, LLVMValueRef Integer) {
  Value *V = unwrap(Integer);
  return unwrapped(R, V, V->getType(), true, DEEPEST);
}

// The address that a load or store accesses, given that it is executed: then what the address is computed from is not poison.
FARKAS const SCEV *farkas_scev_accessed(Run *R, LLVMValueRef Access) {
  return address(R, getLoadStorePointerOperand(unwrap(Access)), DEEPEST);
}

namespace {
// Replaces divisors that may be zero by ones that are one then; not those that may be poison, which is no better.
class Total : public SCEVRewriteVisitor<Total> {
public:
  Total(ScalarEvolution &SE, PointerSink Sink, void *Context) : SCEVRewriteVisitor(SE), Sink(Sink), Context(Context) {}
  const SCEV *visitUDivExpr(const SCEVUDivExpr *S) {
    const SCEV *Dividend = visit(S->getLHS()), *Divisor = visit(S->getRHS());
    auto MayBePoison = [](const SCEV *Part) {
      auto *Unknown = dyn_cast<SCEVUnknown>(Part);
      return Unknown && !isGuaranteedNotToBeUndefOrPoison(Unknown->getValue());
    };
    if (!SE.isKnownNonZero(Divisor) && !SCEVExprContains(Divisor, MayBePoison)) {
      Sink(Context, Divisor);
      Divisor = SE.getUMaxExpr(Divisor, SE.getOne(Divisor->getType()));
    }
    return SE.getUDivExpr(Dividend, Divisor);
  }

private:
  PointerSink Sink;
  void *Context;
};
} // namespace

// The expression with a value also where a divisor in it is zero; such divisors are sent.
FARKAS const SCEV *farkas_scev_total(Run *R, const SCEV *S, PointerSink Sink, void *Context) {
  return Total(R->State->Evolution, Sink, Context).visit(S);
}

// Whether `farkas_scev_expand` may be called: expansion before the instruction can neither trap nor use values that are
// not available there.
FARKAS bool farkas_scev_expandable(Run *R, const SCEV *S, LLVMValueRef Before) {
  SCEVExpander Expander(R->State->Evolution, "farkas");
  return Expander.isSafeToExpandAt(S, unwrap<Instruction>(Before));
}

FARKAS LLVMValueRef farkas_scev_expand(Run *R, const SCEV *S, LLVMValueRef Before) {
  SCEVExpander Expander(R->State->Evolution, "farkas");
  return wrap(Expander.expandCodeFor(S, S->getType(), unwrap<Instruction>(Before)->getIterator()));
}
