// What LLVM's C interface does not say about functions, instructions and types.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace farkas;

FARKAS void farkas_value_print(LLVMValueRef V, TextSink Sink, void *Context) {
  std::string S;
  raw_string_ostream OS(S);
  unwrap(V)->printAsOperand(OS, false);
  write(Sink, Context, S);
}

// Bits, mirrored by `facts::Facts`.
enum : uint32_t {
  FactMayRead = 1,
  FactMayWrite = 2,
  FactMayThrow = 4,
  FactMayNotReturn = 8,
  FactConvergent = 16,
  FactInlineAsm = 32,
  FactDroppable = 128,    // an intrinsic that states a fact and computes nothing: debug, assume; not the
                          // lifetime markers, which would have to be kept around what they enclose
  FactBundled = 256,      // a call with operand bundles
  FactScopeDeclaration = 512, // declares alias scopes that start here
  FactErrnoOnly = 1024,   // a call that accesses no memory but errno, which it may write
  FactVolatile = 2048,    // a volatile access, of a memory intrinsic, too
  FactReorderable = 4096, // an operation of which a sequence may be computed in any order
  FactDifference = 8192,  // a difference that may be computed as the sum with what is negative
  FactContract = 16384,   // an operation that may be rounded together with one that it is an operand of
  FactSpeculatable = 32768, // accesses no memory, and is not undefined whatever its operands are
};

FARKAS uint32_t farkas_instruction_facts(LLVMValueRef V) {
  const Instruction &I = *unwrap<Instruction>(V);
  uint32_t Facts = 0;
  if (I.mayReadFromMemory())
    Facts |= FactMayRead;
  if (I.mayWriteToMemory())
    Facts |= FactMayWrite;
  if (!I.mayReadOrWriteMemory() &&
      isSafeToSpeculativelyExecute(&I, /*CtxI=*/nullptr, /*AC=*/nullptr, /*DT=*/nullptr, /*TLI=*/nullptr,
                                   /*UseVariableInfo=*/false, /*IgnoreUBImplyingAttrs=*/false))
    Facts |= FactSpeculatable;
  if (I.mayThrow(/*IncludePhaseOneUnwind=*/true))
    Facts |= FactMayThrow;
  if (!I.willReturn())
    Facts |= FactMayNotReturn;
  if (I.isVolatile())
    Facts |= FactVolatile;
  if (I.isAssociative() && I.isCommutative())
    Facts |= FactReorderable;
  // What LLVM asks of sums of floating-point numbers in `isAssociative`.
  if (I.getOpcode() == Instruction::Sub ||
      (I.getOpcode() == Instruction::FSub && I.hasAllowReassoc() && I.hasNoSignedZeros()))
    Facts |= FactDifference;
  if (isa<FPMathOperator>(I) && I.hasAllowContract())
    Facts |= FactContract;
  if (const auto *C = dyn_cast<CallBase>(&I)) {
    if (C->isConvergent())
      Facts |= FactConvergent;
    if (C->isInlineAsm())
      Facts |= FactInlineAsm;
    if (C->hasOperandBundles())
      Facts |= FactBundled;
    MemoryEffects Effects = C->getMemoryEffects();
    if (Effects.onlyAccessesErrnoMem() && Effects.onlyWritesMemory() && !Effects.doesNotAccessMemory())
      Facts |= FactErrnoOnly;
    if (isa<NoAliasScopeDeclInst>(C))
      Facts |= FactScopeDeclaration;
    if (const auto *II = dyn_cast<IntrinsicInst>(C);
        II && (isa<DbgInfoIntrinsic>(II) || isa<AssumeInst>(II) ||
               isa<PseudoProbeInst>(II) || II->getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl))
      Facts |= FactDroppable;
  }
  return Facts;
}

// The name of the function called, or the empty text.
FARKAS void farkas_call_name(LLVMValueRef V, TextSink Sink, void *Context) {
  if (const Function *F = unwrap<CallBase>(V)->getCalledFunction())
    write(Sink, Context, F->getName());
}

// Bits, mirrored by `Run::callee`.
static constexpr uint32_t CalleeIsDeclared = 1, CalleeReturns = 2, CalleeOfLibrary = 4;

// What is known of the function called, or nothing.
FARKAS bool farkas_callee(Run *R, LLVMValueRef V, uint32_t *Bits) {
  const auto *Call = dyn_cast<CallBase>(unwrap(V));
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  if (!F)
    return false;
  LibFunc Known;
  // Names with two underscores belong to the implementation: runtimes of sanitizers and languages.
  bool IsOfLibrary = F->isIntrinsic() || F->getName().starts_with("__") || R->Library.getLibFunc(F->getName(), Known);
  *Bits = (F->isDeclaration() ? CalleeIsDeclared : 0) | (F->getReturnType()->isVoidTy() ? 0 : CalleeReturns) |
          (IsOfLibrary ? CalleeOfLibrary : 0);
  return true;
}

// Whether a type is an array, or a structure that has one as a member, such as `std::array`.
static bool hasArray(Type *Ty) {
  if (auto *S = dyn_cast<StructType>(Ty))
    return any_of(S->elements(), hasArray);
  return Ty->isArrayTy();
}

// For a `getelementptr` whose first index counts arrays, or structures with arrays, the size of one of them in bytes, and otherwise 0.
FARKAS uint64_t farkas_array_stride(Run *R, LLVMValueRef V) {
  const auto *G = dyn_cast<GEPOperator>(unwrap(V));
  if (!G || !hasArray(G->getSourceElementType()))
    return 0;
  TypeSize Size = R->F.getDataLayout().getTypeAllocSize(G->getSourceElementType());
  return Size.isScalable() ? 0 : Size.getFixedValue();
}

// The distance in bytes of neighbouring elements of the type, and how many bytes of one a load or store touches; both 0
// where these are not fixed whole numbers of bytes.
FARKAS void farkas_type_element(Run *R, LLVMTypeRef T, uint64_t *Size, uint64_t *Touched) {
  Type *Ty = unwrap(T);
  const DataLayout &DL = R->F.getDataLayout();
  *Size = *Touched = 0;
  if (!Ty->isSized() || Ty->isScalableTy() || !Ty->isSingleValueType())
    return;
  TypeSize Bits = DL.getTypeSizeInBits(Ty);
  if (Bits.isScalable() || Bits.getFixedValue() % 8 != 0)
    return;
  *Size = DL.getTypeAllocSize(Ty).getFixedValue();
  *Touched = Bits.getFixedValue() / 8;
}

// Whether the program has C's allocator: where sizes have 64 bits, and the module neither defines these functions nor has others of their names. What must
// not block, says the source, must not allocate either, and kernels of operating systems, which have no red zone or no vectors, have an allocator of
// another name.
FARKAS bool farkas_has_allocator(Run *R) {
  const Module &M = *R->F.getParent();
  for (Attribute::AttrKind Kind : {Attribute::SanitizeRealtime, Attribute::SanitizeRealtimeBlocking, Attribute::NoRedZone,
                                   Attribute::NoImplicitFloat})
    if (R->F.hasFnAttribute(Kind))
      return false;
  auto isThere = [&](LibFunc Function) {
    if (!R->Library.has(Function))
      return false;
    const GlobalValue *Own = M.getNamedValue(R->Library.getName(Function));
    LibFunc Known;
    const auto *Declared = dyn_cast_or_null<llvm::Function>(Own);
    return !Own || (Declared && Declared->isDeclaration() && R->Library.getLibFunc(*Declared, Known));
  };
  return R->Library.getSizeTSize(M) == 64 && isThere(LibFunc_malloc) && isThere(LibFunc_free);
}

FARKAS uint64_t farkas_type_store_size(Run *R, LLVMTypeRef T) {
  Type *Ty = unwrap(T);
  return Ty->isSized() ? R->F.getDataLayout().getTypeStoreSize(Ty).getKnownMinValue() : 0;
}

// The elements of a constant array as integers of one type of at most 64 bits, if they are at most `Room`: how many there are, 0 where that
// is not what it is.
FARKAS size_t farkas_constant_elements(Run *R, LLVMValueRef Array, LLVMTypeRef T, int64_t *Elements, size_t Room) {
  auto *Variable = dyn_cast<GlobalVariable>(unwrap(Array));
  Type *Ty = unwrap(T);
  if (!Variable || !Variable->isConstant() || !Variable->hasDefinitiveInitializer() || !Ty->isIntegerTy())
    return 0;
  const DataLayout &DL = R->F.getDataLayout();
  uint64_t Size = DL.getTypeStoreSize(Ty), Count = DL.getTypeAllocSize(Variable->getValueType()) / Size;
  if (Count > Room || Size > sizeof(int64_t) || Ty->getIntegerBitWidth() != 8 * Size)
    return 0;
  for (uint64_t Position = 0; Position < Count; ++Position) {
    Constant *C = ConstantFoldLoadFromConst(Variable->getInitializer(), Ty, APInt(64, Position * Size), DL);
    auto *Number = dyn_cast_or_null<ConstantInt>(C);
    std::optional<int64_t> Value = Number ? Number->getValue().trySExtValue() : std::nullopt;
    if (!Value)
      return 0;
    Elements[Position] = *Value;
  }
  return Count;
}

FARKAS bool farkas_type_is_scalable(LLVMTypeRef T) { return unwrap(T)->isScalableTy(); }

// The texts that the source annotates the function with, each with a null byte behind it, in their order.
FARKAS void farkas_function_annotations(Run *R, TextSink Sink, void *Context) {
  // Most functions have none: what refers to them is quicker to look at than the annotations of the module.
  if (none_of(R->F.users(), [](const User *U) { return isa<ConstantStruct>(U); }))
    return;
  const GlobalVariable *All = R->F.getParent()->getGlobalVariable("llvm.global.annotations");
  const auto *Entries = All && All->hasInitializer() ? dyn_cast<ConstantArray>(All->getInitializer()) : nullptr;
  if (!Entries)
    return;
  for (const Use &Entry : Entries->operands()) {
    const auto *Fields = dyn_cast<ConstantStruct>(Entry);
    if (!Fields || Fields->getNumOperands() < 2 || Fields->getOperand(0)->stripPointerCasts() != &R->F)
      continue;
    const auto *Text = dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts());
    const auto *Bytes = Text && Text->hasInitializer() ? dyn_cast<ConstantDataArray>(Text->getInitializer()) : nullptr;
    if (Bytes && Bytes->isCString())
      write(Sink, Context, Bytes->getAsString());
  }
}

// Whether there is a profile that says so.
FARKAS bool farkas_function_never_called(Run *R) {
  auto Count = R->F.getEntryCount();
  return Count && Count->getCount() == 0;
}

FARKAS bool farkas_function_has_attribute(Run *R, Text Name) {
  StringRef N(Name.Data, Name.Length);
  Attribute::AttrKind K = Attribute::getAttrKindFromName(N);
  return K == Attribute::None ? R->F.hasFnAttribute(N) : R->F.hasFnAttribute(K);
}
