// Vector forms of scalar instructions.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace farkas;

// A type that vectors of it have the same lanes as an array of it has elements.
static bool isLane(Type *T, const DataLayout &DL) {
  if (T->isPointerTy())
    return true;
  if (!T->isIntegerTy() && !T->isHalfTy() && !T->isBFloatTy() && !T->isFloatTy() && !T->isDoubleTy())
    return false;
  unsigned Bits = T->getPrimitiveSizeInBits();
  return Bits == 1 || (Bits >= 8 && Bits <= 64 && isPowerOf2_32(Bits) && DL.getTypeAllocSizeInBits(T) == Bits);
}

// The intrinsic that a call is of, if it has a vector form that computes each lane as the call does.
static Intrinsic::ID vectorIntrinsic(const Instruction &I) {
  const auto *C = dyn_cast<IntrinsicInst>(&I);
  if (!C || C->hasOperandBundles() || C->getType()->isVoidTy() || !C->doesNotAccessMemory() ||
      !isTriviallyVectorizable(C->getIntrinsicID()))
    return Intrinsic::not_intrinsic;
  return C->getIntrinsicID();
}

// Whether values of the type can be the lanes of a vector in memory.
FARKAS bool farkas_is_lane(Run *R, LLVMTypeRef T) {
  return !unwrap(T)->isIntegerTy(1) && isLane(unwrap(T), R->F.getDataLayout());
}

// Whether the operand of a call stays a scalar in the vector form.
FARKAS bool farkas_is_scalar_operand(Run *R, LLVMValueRef V, uint32_t Index) {
  Intrinsic::ID Id = vectorIntrinsic(*unwrap<Instruction>(V));
  return Id != Intrinsic::not_intrinsic && isVectorIntrinsicWithScalarOpAtArg(Id, Index, &R->Target);
}

// Whether an instruction that accesses no memory has a vector form of the same operation on each lane.
FARKAS bool farkas_is_widenable(Run *R, LLVMValueRef V) {
  const auto &I = *unwrap<Instruction>(V);
  const DataLayout &DL = R->F.getDataLayout();
  if (!isLane(I.getType(), DL))
    return false;
  bool IsCall = isa<CallBase>(I);
  for (const Use &U : IsCall ? cast<CallBase>(I).args() : I.operands())
    if (!isLane(U->getType(), DL))
      return false;
  if (IsCall)
    return vectorIntrinsic(I) != Intrinsic::not_intrinsic;
  return I.isBinaryOp() || I.isUnaryOp() || I.isCast() || isa<CmpInst, SelectInst, FreezeInst, GetElementPtrInst>(I);
}

// Builds the vector form of an instruction that has one. Operands are vectors; those of an address may be scalars, and those
// of a call that stay scalars are.
FARKAS LLVMValueRef farkas_widen(Run *R, LLVMBuilderRef Builder, LLVMValueRef V, const LLVMValueRef *Operands,
                                 uint32_t Lanes) {
  auto &I = *unwrap<Instruction>(V);
  IRBuilder<> &B = *unwrap(Builder);
  auto Operand = [&](unsigned Index) { return unwrap(Operands[Index]); };
  auto *T = VectorType::get(I.getType(), ElementCount::getFixed(Lanes));
  Value *Wide = nullptr;
  if (auto *C = dyn_cast<CmpInst>(&I)) {
    Wide = B.CreateCmp(C->getPredicate(), Operand(0), Operand(1));
  } else if (auto *C = dyn_cast<CastInst>(&I)) {
    Wide = B.CreateCast(C->getOpcode(), Operand(0), T);
  } else if (isa<SelectInst>(I)) {
    Wide = B.CreateSelect(Operand(0), Operand(1), Operand(2));
  } else if (isa<FreezeInst>(I)) {
    Wide = B.CreateFreeze(Operand(0));
  } else if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
    SmallVector<Value *, 4> Indices;
    for (unsigned Index = 1; Index < G->getNumOperands(); ++Index)
      Indices.push_back(Operand(Index));
    Wide = B.CreateGEP(G->getSourceElementType(), Operand(0), Indices);
  } else if (auto *C = dyn_cast<CallBase>(&I)) {
    Intrinsic::ID Id = vectorIntrinsic(I);
    SmallVector<Type *, 2> Types;
    SmallVector<Value *, 4> Arguments;
    if (isVectorIntrinsicWithOverloadTypeAtArg(Id, -1, &R->Target))
      Types.push_back(T);
    for (unsigned Index = 0; Index < C->arg_size(); ++Index) {
      Arguments.push_back(Operand(Index));
      if (isVectorIntrinsicWithOverloadTypeAtArg(Id, Index, &R->Target))
        Types.push_back(Arguments.back()->getType());
    }
    Wide = B.CreateCall(Intrinsic::getOrInsertDeclaration(I.getModule(), Id, Types), Arguments);
  } else {
    SmallVector<Value *, 2> Parts;
    for (unsigned Index = 0; Index < I.getNumOperands(); ++Index)
      Parts.push_back(Operand(Index));
    Wide = B.CreateNAryOp(I.getOpcode(), Parts);
  }
  // What is folded to a constant, or to an operand, has no flags of its own.
  bool IsOperand = any_of(ArrayRef(Operands, I.getNumOperands() - isa<CallBase>(I)),
                          [&](LLVMValueRef O) { return unwrap(O) == Wide; });
  if (auto *New = dyn_cast<Instruction>(Wide); New && !IsOperand) {
    New->copyIRFlags(&I);
    New->setMetadata(LLVMContext::MD_fpmath, I.getMetadata(LLVMContext::MD_fpmath));
    New->setDebugLoc(I.getDebugLoc());
  }
  return wrap(Wide);
}

// The address that a `getelementptr` computes, as a sum of its base, a constant, and variables each times a number of bytes:
// sends each variable with its number, and writes the constant. False where it is no such sum in the width of addresses.
FARKAS bool farkas_address_terms(Run *R, LLVMValueRef V, int64_t *Offset, void (*Sink)(void *, LLVMValueRef, int64_t),
                                 void *Context) {
  const auto *G = dyn_cast<GEPOperator>(unwrap(V));
  const DataLayout &DL = R->F.getDataLayout();
  if (!G || !G->getType()->isPointerTy())
    return false;
  unsigned Bits = DL.getIndexTypeSizeInBits(G->getType());
  SmallMapVector<Value *, APInt, 4> Terms;
  APInt Constant(Bits, 0);
  if (Bits > 64 || !G->collectOffset(DL, Bits, Terms, Constant))
    return false;
  for (auto &[Variable, Bytes] : Terms)
    if (!Variable->getType()->isIntegerTy(Bits))
      return false;
  for (auto &[Variable, Bytes] : Terms)
    Sink(Context, wrap(Variable), Bytes.getSExtValue());
  *Offset = Constant.getSExtValue();
  return true;
}

// Builds a load of the lanes of a vector that a mask has; the others are those of the second vector, or any if that is null.
FARKAS LLVMValueRef farkas_masked_load(LLVMBuilderRef Builder, LLVMTypeRef T, LLVMValueRef Address, uint32_t Alignment,
                                       LLVMValueRef Mask, LLVMValueRef Others) {
  IRBuilder<> &B = *unwrap(Builder);
  return wrap(B.CreateMaskedLoad(unwrap(T), unwrap(Address), Align(Alignment), unwrap(Mask), unwrap(Others)));
}

// Whether a masked store of such a vector may be a wrong one. LLVM's x86 backend makes a truncation and a masked store one instruction, and a store
// under a constant mask of one lane a scalar store: of the whole number, not of the truncated one, so that it overwrites the elements behind (22.1.8;
// llvm-project issue 179489). A second use keeps the truncation apart. It is no instruction of the machine.
static bool isTruncatedWrongly(const Module *M, Type *T) {
  return M->getTargetTriple().isX86() && T->isIntOrIntVectorTy() && T->getScalarSizeInBits() < 64;
}

// Builds a store of the lanes of a vector that a mask has.
FARKAS LLVMValueRef farkas_masked_store(LLVMBuilderRef Builder, LLVMValueRef V, LLVMValueRef Address, uint32_t Alignment,
                                        LLVMValueRef Mask) {
  IRBuilder<> &B = *unwrap(Builder);
  if (isTruncatedWrongly(B.GetInsertBlock()->getModule(), unwrap(V)->getType()))
    B.CreateIntrinsic(Intrinsic::fake_use, {unwrap(V)});
  return wrap(B.CreateMaskedStore(unwrap(V), unwrap(Address), Align(Alignment), unwrap(Mask)));
}

// Builds the addresses that are as many bytes from another one as the integers of a vector say.
FARKAS LLVMValueRef farkas_lane_addresses(LLVMBuilderRef Builder, LLVMValueRef Base, LLVMValueRef Distances) {
  IRBuilder<> &B = *unwrap(Builder);
  return wrap(B.CreateGEP(B.getInt8Ty(), unwrap(Base), unwrap(Distances)));
}

// Builds a load of the lanes that a mask has, each from its address; the others are those of the second vector, or any if that is null.
FARKAS LLVMValueRef farkas_masked_gather(LLVMBuilderRef Builder, LLVMTypeRef T, LLVMValueRef Addresses,
                                         uint32_t Alignment, LLVMValueRef Mask, LLVMValueRef Others) {
  IRBuilder<> &B = *unwrap(Builder);
  return wrap(B.CreateMaskedGather(unwrap(T), unwrap(Addresses), Align(Alignment), unwrap(Mask), unwrap(Others)));
}

// Builds a store of the lanes that a mask has, each to its address.
FARKAS LLVMValueRef farkas_masked_scatter(LLVMBuilderRef Builder, LLVMValueRef V, LLVMValueRef Addresses,
                                          uint32_t Alignment, LLVMValueRef Mask) {
  IRBuilder<> &B = *unwrap(Builder);
  return wrap(B.CreateMaskedScatter(unwrap(V), unwrap(Addresses), Align(Alignment), unwrap(Mask)));
}
