// Kernels: blocks of a function that become a kernel in a module of its own, for NVIDIA's GPUs, and that module's PTX.
//
// The blocks of a kernel are in the function of the host while they are emitted. Here they are copied to a kernel whose
// parameters are the values that come in, and erased from the host. Variables on the stack become those of each thread, or memory that
// the threads of a block share.
//
// An instruction that the back end cannot select would end the process of the compiler. So only what is known to be
// selected may be in a kernel: see `obstacle`.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace farkas;

namespace {

constexpr StringLiteral Architecture = "nvptx64-nvidia-cuda";

/// The address spaces of a device's memory, and of what the threads of a block share.
constexpr unsigned GlobalMemory = 1;
constexpr unsigned SharedMemory = 3;

/// The most blocks in a dimension: the emitter launches no more.
constexpr uint32_t MostBlocks = 65535;

/// Of blocks with at most so many threads, a multiprocessor has two: they have 128 registers each then.
constexpr uint32_t MostThreadsOfTwoBlocks = 256;

/// Whether values of the type may be in a kernel.
bool isPlain(const Type *Ty) {
  if (Ty->isFloatTy() || Ty->isDoubleTy())
    return true;
  if (Ty->isPointerTy())
    return Ty->getPointerAddressSpace() == 0;
  auto *Integer = dyn_cast<IntegerType>(Ty);
  return Integer && (Integer->getBitWidth() == 1 || (Integer->getBitWidth() >= 8 && Integer->getBitWidth() <= 64 &&
                                                     isPowerOf2_32(Integer->getBitWidth())));
}

/// Whether a type is that of a pointer to a memory of a device by its name. The program has none; new code has for asynchronous copies.
bool isDevicePointer(const Type *Ty) {
  return Ty->isPointerTy() &&
         (Ty->getPointerAddressSpace() == GlobalMemory || Ty->getPointerAddressSpace() == SharedMemory);
}

/// Whether a call says something to passes only, or marks something, and is left out of kernels.
bool isLeftOut(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
    return true;
  default:
    return isa<DbgInfoIntrinsic>(I);
  }
}

/// Whether a device computes the intrinsic.
bool isComputed(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::copysign:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::nvvm_cp_async_ca_shared_global_4:
  case Intrinsic::nvvm_cp_async_ca_shared_global_8:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16:
  case Intrinsic::nvvm_cp_async_commit_group:
  case Intrinsic::nvvm_cp_async_wait_group:
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return true;
  default:
    return false;
  }
}

/// Whether the instruction is one on matrices, or takes one of its results, which are a structure. Only new code has these.
bool isOnMatrices(const Instruction &I) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::nvvm_mma_m16n8k4_row_col_f64;
  auto *Extract = dyn_cast<ExtractValueInst>(&I);
  auto *From = Extract ? dyn_cast<Instruction>(Extract->getAggregateOperand()) : nullptr;
  return From && isa<CallBase>(From) && isOnMatrices(*From);
}

/// What is in the way of a cast: pointers are addresses of the host, which mean nothing to a device. New code tests how addresses of the
/// device are aligned, and says which memory they are of.
const char *obstacleOfCast(const CastInst &Cast, bool InOriginal) {
  if (!InOriginal && (isa<PtrToIntInst>(Cast) || (isa<AddrSpaceCastInst>(Cast) && isDevicePointer(Cast.getDestTy()))))
    return nullptr;
  bool HasPointer = Cast.getSrcTy()->isPointerTy() || Cast.getDestTy()->isPointerTy();
  return HasPointer ? "a pointer is converted" : nullptr;
}

/// Why the instruction cannot be in a kernel; null if it can. `InOriginal` says that it is of the program, where pointers
/// that a loop advances are phis; in new code these are computed.
const char *obstacle(const Instruction &I, bool InOriginal) {
  if (isLeftOut(I) || (!InOriginal && isOnMatrices(I)))
    return nullptr;
  if (isa<CallBase>(I) && !isa<IntrinsicInst>(I))
    return "a function is called that a kernel does not have";
  auto IsKnown = [&](const Type *Ty) { return isPlain(Ty) || (!InOriginal && isDevicePointer(Ty)); };
  if (!I.getType()->isVoidTy() && !IsKnown(I.getType()))
    return "a value has a type that a kernel does not have";
  for (const Value *Operand : I.operands()) {
    if (isa<ConstantExpr>(Operand) || isa<ConstantAggregate>(Operand) || isa<InlineAsm>(Operand))
      return "an operand is a constant that a kernel does not have";
    if (isa<GlobalValue>(Operand) && !isa<GlobalVariable>(Operand) && !isa<CallBase>(I))
      return "an operand is a function, or another name of something";
    if (!isa<BasicBlock>(Operand) && !isa<Function>(Operand) && !IsKnown(Operand->getType()))
      return "an operand has a type that a kernel does not have";
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isSimple()                ? "a load is atomic or volatile"
           : Load->getType()->isPointerTy() ? "a pointer is loaded"
                                            : nullptr;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return !Store->isSimple()                                 ? "a store is atomic or volatile"
           : Store->getValueOperand()->getType()->isPointerTy() ? "a pointer is stored"
                                                                : nullptr;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return isComputed(Call->getIntrinsicID()) ? nullptr : "a function is called that a kernel does not have";
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return obstacleOfCast(*Cast, InOriginal);
  if (isa<CmpInst>(I))
    return I.getOperand(0)->getType()->isPointerTy() ? "pointers are compared" : nullptr;
  if (isa<SelectInst>(I))
    return I.getType()->isPointerTy() ? "a pointer depends on a condition" : nullptr;
  if (isa<PHINode>(I))
    return I.getType()->isPointerTy() && !InOriginal ? "a pointer depends on a condition" : nullptr;
  if (isa<BinaryOperator>(I))
    return I.getOpcode() == Instruction::FRem ? "a remainder is one of floating-point numbers" : nullptr;
  if (isa<UnaryOperator, GetElementPtrInst, BranchInst, FreezeInst>(I))
    return nullptr;
  // LLVM may make loads of a table of it, which would be in no array.
  if (isa<SwitchInst>(I))
    return "there is a switch";
  return "an instruction is none that a kernel has";
}

/// The target machine of a processor such as `sm_90`; null if the host process has no such back end.
std::unique_ptr<TargetMachine> machineOf(StringRef Processor) {
  std::string Error;
  Triple Device(Architecture);
  const Target *Backend = TargetRegistry::lookupTarget(Device, Error);
  if (!Backend)
    return nullptr;
  std::unique_ptr<MCSubtargetInfo> Known(Backend->createMCSubtargetInfo(Device, Processor, ""));
  if (!Known || !Known->isCPUStringValid(Processor))
    return nullptr;
  return std::unique_ptr<TargetMachine>(Backend->createTargetMachine(Device, Processor, "", TargetOptions(), Reloc::Static));
}

/// A kernel that is being copied.
class Kernel {
public:
  Kernel(BasicBlock *Entry, BasicBlock *End, ArrayRef<LLVMValueRef> OfThreads, ArrayRef<LLVMValueRef> OfBlocks)
      : Entry(Entry), End(End) {
    for (LLVMValueRef Variable : OfThreads)
      Private.insert(cast<AllocaInst>(unwrap(Variable)));
    for (LLVMValueRef Variable : OfBlocks)
      Shared.insert(cast<AllocaInst>(unwrap(Variable)));
    Blocks.insert(Entry);
    for (size_t K = 0; K < Blocks.size(); ++K)
      for (BasicBlock *Next : successors(Blocks[K]))
        if (Next != End)
          Blocks.insert(Next);
  }

  /// Why it cannot be one; null if it can. Finds out what comes in.
  const char *prepare() {
    for (BasicBlock *B : Blocks)
      for (Instruction &I : *B) {
        if (const char *Why = obstacle(I, /*InOriginal=*/false))
          return Why;
        if (!isLeftOut(I))
          for (Value *Operand : I.operands())
            addInput(Operand);
      }
    return nullptr;
  }

  /// The kernel in a module of its own.
  std::unique_ptr<Module> copy(StringRef Name, const uint32_t Threads[3], bool HasTwoBlocks,
                               const TargetMachine &Machine) {
    LLVMContext &Context = Entry->getContext();
    auto M = std::make_unique<Module>(Name, Context);
    M->setTargetTriple(Machine.getTargetTriple());
    M->setDataLayout(Machine.createDataLayout());
    SmallVector<Type *, 16> Types;
    for (Value *Input : Inputs)
      Types.push_back(Input->getType());
    auto *F = Function::Create(FunctionType::get(Type::getVoidTy(Context), Types, false), GlobalValue::ExternalLinkage,
                               Name, *M);
    F->setCallingConv(CallingConv::PTX_Kernel);
    F->addFnAttr(Attribute::NoUnwind);
    F->addFnAttr("nvvm.reqntid", (Twine(Threads[0]) + "," + Twine(Threads[1]) + "," + Twine(Threads[2])).str());
    if (HasTwoBlocks && Threads[0] * Threads[1] * Threads[2] <= MostThreadsOfTwoBlocks)
      F->addFnAttr("nvvm.minctasm", "2");
    for (auto [Input, Parameter] : zip(Inputs, F->args())) {
      Copies[Input] = &Parameter;
      if (isOnlyPointerOfObject(Input))
        Parameter.addAttr(Attribute::NoAlias);
    }
    copyBlocks(*F);
    boundRegisters(*F, Threads);
    return M;
  }

  /// Erases the blocks from the host, which goes on to the end.
  void erase() {
    for (BasicBlock *Before : make_early_inc_range(predecessors(Entry)))
      Before->getTerminator()->replaceSuccessorWith(Entry, End);
    SetVector<Function *> Called;
    for (BasicBlock *B : Blocks)
      for (Instruction &I : *B)
        if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getCalledFunction())
          Called.insert(Call->getCalledFunction());
    for (BasicBlock *B : Blocks)
      B->dropAllReferences();
    for (BasicBlock *B : Blocks)
      B->eraseFromParent();
    for (Function *F : Called)
      if (F->isDeclaration() && F->use_empty() && F->isTargetIntrinsic())
        F->eraseFromParent();
    for (const SetVector<AllocaInst *> &Variables : {Private, Shared})
      for (AllocaInst *Variable : Variables)
        if (Variable->use_empty())
          Variable->eraseFromParent();
  }

  ArrayRef<Value *> inputs() const { return Inputs.getArrayRef(); }

private:
  BasicBlock *Entry, *End;
  SetVector<BasicBlock *> Blocks;
  SetVector<AllocaInst *> Private, Shared;
  SetVector<Value *> Inputs;
  DenseMap<Value *, Value *> Copies;

  void addInput(Value *Operand) {
    auto *I = dyn_cast<Instruction>(Operand);
    auto *Variable = dyn_cast<AllocaInst>(Operand);
    bool IsOutside = I && !Blocks.contains(I->getParent()) && !Private.contains(Variable) && !Shared.contains(Variable);
    if (IsOutside || isa<Argument>(Operand) || isa<GlobalVariable>(Operand))
      Inputs.insert(Operand);
  }

  /// Whether the input is a pointer, and no other one points to the same object. Different objects are different arrays, which do not
  /// overlap: each has a copy of its own on the device.
  bool isOnlyPointerOfObject(const Value *Input) const {
    if (!Input->getType()->isPointerTy())
      return false;
    const Value *Object = getUnderlyingObject(Input, /*MaxLookup=*/0);
    return none_of(Inputs, [&](const Value *Other) {
      return Other != Input && Other->getType()->isPointerTy() && getUnderlyingObject(Other, /*MaxLookup=*/0) == Object;
    });
  }

  void copyBlocks(Function &F) {
    LLVMContext &Context = F.getContext();
    BasicBlock *Front = BasicBlock::Create(Context, "entry", &F);
    for (AllocaInst *Variable : Private) {
      Instruction *Copy = Variable->clone();
      Copy->insertInto(Front, Front->end());
      clean(*Copy);
      Copies[Variable] = Copy;
    }
    for (AllocaInst *Variable : Shared) {
      Type *Ty = Variable->getAllocatedType();
      auto *Memory = new GlobalVariable(*F.getParent(), Ty, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                        PoisonValue::get(Ty), "shared", nullptr, GlobalValue::NotThreadLocal,
                                        SharedMemory);
      Memory->setAlignment(Variable->getAlign());
      Copies[Variable] = ConstantExpr::getAddrSpaceCast(Memory, Variable->getType());
    }
    SmallVector<Instruction *, 64> Added;
    for (BasicBlock *B : Blocks) {
      BasicBlock *Copy = BasicBlock::Create(Context, "", &F);
      Copies[B] = Copy;
      for (Instruction &I : *B) {
        if (isLeftOut(I))
          continue;
        Instruction *Other = I.clone();
        Other->insertInto(Copy, Copy->end());
        clean(*Other);
        Copies[&I] = Other;
        Added.push_back(Other);
      }
    }
    BasicBlock *Back = BasicBlock::Create(Context, "exit", &F);
    ReturnInst::Create(Context, Back);
    Copies[End] = Back;
    BranchInst::Create(cast<BasicBlock>(Copies[Entry]), Front);
    for (Instruction *I : Added)
      rewire(*I, F);
  }

  /// Says what values the registers of a kernel have. Sums of disjoint parts are found to be so by that, and are constant distances of one
  /// address then.
  static void boundRegisters(Function &F, const uint32_t Threads[3]) {
    auto Bound = [](CallInst &Call, uint32_t First, uint32_t End) {
      ConstantRange Values(APInt(32, First), APInt(32, End));
      Call.addRetAttr(Attribute::get(Call.getContext(), Attribute::Range, Values));
    };
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      if (!Call)
        continue;
      switch (Call->getIntrinsicID()) {
      case Intrinsic::nvvm_read_ptx_sreg_tid_x:
        Bound(*Call, 0, Threads[0]);
        break;
      case Intrinsic::nvvm_read_ptx_sreg_tid_y:
        Bound(*Call, 0, Threads[1]);
        break;
      case Intrinsic::nvvm_read_ptx_sreg_tid_z:
        Bound(*Call, 0, Threads[2]);
        break;
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
        Bound(*Call, 0, MostBlocks);
        break;
      case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
      case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
        Bound(*Call, 1, MostBlocks + 1);
        break;
      default:
        break;
      }
    }
  }

  /// Takes away what belongs to the host's function. What accesses do not alias holds for all code of a region, and what is said of a loop is said of its
  /// copy.
  static void clean(Instruction &I) {
    I.dropUnknownNonDebugMetadata({LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_loop});
    I.setDebugLoc(DebugLoc());
    I.dropDbgRecords();
  }

  /// Gives a copy the copies of its operands.
  void rewire(Instruction &I, Function &F) {
    for (Use &Operand : I.operands()) {
      if (Value *Copy = Copies.lookup(Operand))
        Operand.set(Copy);
      else if (auto *Callee = dyn_cast<Function>(Operand))
        Operand.set(F.getParent()->getOrInsertFunction(Callee->getName(), Callee->getFunctionType(),
                                                       Callee->getAttributes()).getCallee());
    }
    if (auto *Phi = dyn_cast<PHINode>(&I))
      for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K)
        Phi->setIncomingBlock(K, cast<BasicBlock>(Copies[Phi->getIncomingBlock(K)]));
  }
};

/// Runs passes on the module. `Add` adds them to a manager.
template <typename Adder> void runPasses(Module &M, TargetMachine &Machine, Adder Add) {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassBuilder Builder(&Machine);
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  ModulePassManager Passes;
  Add(Builder, Passes);
  Passes.run(M, Modules);
}

void optimize(Module &M, TargetMachine &Machine) {
  runPasses(M, Machine, [](PassBuilder &Builder, ModulePassManager &Passes) {
    Passes.addPass(Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  });
}

/// Gives accesses to shared memory their alignment, which is not seen through a conversion between address spaces. Without it, the back end
/// does not load neighbours at once.
void alignAccesses(Module &M, TargetMachine &Machine) {
  runPasses(M, Machine, [](PassBuilder &, ModulePassManager &Passes) {
    FunctionPassManager OfFunctions;
    OfFunctions.addPass(InferAddressSpacesPass());
    OfFunctions.addPass(InferAlignmentPass());
    Passes.addPass(createModuleToFunctionPassAdaptor(std::move(OfFunctions)));
  });
}

/// The module as PTX; false if the back end writes none.
bool emitAssembly(Module &M, TargetMachine &Machine, SmallVectorImpl<char> &Text) {
  raw_svector_ostream Stream(Text);
  legacy::PassManager Passes;
  if (Machine.addPassesToEmitFile(Passes, Stream, nullptr, CodeGenFileType::AssemblyFile))
    return false;
  Passes.run(M);
  return true;
}

} // namespace

// Whether the host process has a back end for this processor.
FARKAS bool farkas_kernel_has_target(Text Processor) {
  return machineOf(StringRef(Processor.Data, Processor.Length)) != nullptr;
}

// Why an instruction of the program cannot be in a kernel; nothing if it can.
FARKAS void farkas_kernel_obstacle(LLVMValueRef Instruction, TextSink Sink, void *Context) {
  if (const char *Why = obstacle(*cast<llvm::Instruction>(unwrap(Instruction)), /*InOriginal=*/true))
    write(Sink, Context, Why);
}

// Takes the blocks from `Entry` to in front of `End` out of the function, and makes a kernel of them for blocks of so many
// threads in x, y and z. Each thread has its own copies of the variables `OfThreads` on the stack, and each block of those
// `OfBlocks`. If `HasTwoBlocks`, a multiprocessor has room for two small blocks. Sends the values that come in, in the order
// of the kernel's parameters, and the kernel as IR and as PTX. Returns whether that was possible; if not, the IR is the
// reason, and the function is as it was.
FARKAS bool farkas_kernel_take_out(LLVMBasicBlockRef Entry, LLVMBasicBlockRef End, const LLVMValueRef *OfThreads,
                                   size_t CountOfThreads, const LLVMValueRef *OfBlocks, size_t CountOfBlocks, Text Name,
                                   Text Processor, const uint32_t Threads[3], bool HasTwoBlocks, PointerSink Inputs,
                                   void *InputsContext, TextSink IR, void *IRContext, TextSink PTX, void *PTXContext) {
  auto Fail = [&](StringRef Why) {
    write(IR, IRContext, Why);
    return false;
  };
  std::unique_ptr<TargetMachine> Machine = machineOf(StringRef(Processor.Data, Processor.Length));
  if (!Machine)
    return Fail("there is no back end");
  Kernel Code(unwrap(Entry), unwrap(End), ArrayRef(OfThreads, CountOfThreads), ArrayRef(OfBlocks, CountOfBlocks));
  if (const char *Why = Code.prepare())
    return Fail(Why);
  std::unique_ptr<Module> M = Code.copy(StringRef(Name.Data, Name.Length), Threads, HasTwoBlocks, *Machine);
  std::string Complaint;
  raw_string_ostream Complaints(Complaint);
  if (verifyModule(*M, &Complaints))
    return Fail(Complaint);
  optimize(*M, *Machine);
  std::string Written;
  raw_string_ostream Stream(Written);
  M->print(Stream, nullptr);
  alignAccesses(*M, *Machine);
  SmallString<4096> Assembly;
  if (!emitAssembly(*M, *Machine, Assembly))
    return Fail("the back end writes no assembly");
  for (Value *Input : Code.inputs())
    Inputs(InputsContext, wrap(Input));
  write(IR, IRContext, Written);
  write(PTX, PTXContext, Assembly);
  Code.erase();
  return true;
}
