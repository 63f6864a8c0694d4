// Registration: where the pass runs, its name, its parameters and its command-line options.

#include "run.h"
#include "outline.h"
#include "threads.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

using namespace llvm;
using namespace farkas;

namespace {

/// An option `-farkas-KEY` and a pass parameter `KEY`.
struct OptionSpec {
  const char *Name;
  const char *Key;
  const char *Values;
  const char *Help;
  bool IsHidden;
};

struct Setting {
  Text Key;
  Text Value;
};

/// The Rust half. All of these return normally on every input.
struct Callbacks {
  const OptionSpec *Options;
  size_t OptionCount;
  /// Whether `Key` may be set to `Value`; if not, the reason goes to the sink.
  bool (*Check)(Text Key, Text Value, TextSink, void *);
  /// A configuration that is to be dropped with `Drop`; null if the parameters are wrong, with the reason sent to the
  /// sink, or if the pipeline is not to have the pass.
  void *(*Configure)(const Setting *, size_t, Text Parameters, bool InPipeline, TextSink, void *);
  void (*Drop)(void *);
  /// What is kept over all functions of a compilation, which is to be dropped with `DropCompilation` when it ends.
  void *(*NewCompilation)();
  void (*DropCompilation)(void *);
  /// Works on the function; whether it changed.
  bool (*Run)(const void *Configuration, void *Compilation, farkas::Run *);
  /// Lets the loops between markers of a function run on threads; whether it changed.
  bool (*Fork)(farkas::Run *);
  /// Works on a function with marked loops in front of code generation; whether it changed.
  bool (*Finish)(farkas::Run *);
};

void append(void *Context, const char *Data, size_t Length) { static_cast<std::string *>(Context)->append(Data, Length); }

const Callbacks *Rust = nullptr;

/// Lets the Rust half check each value, so that a wrong one is reported by LLVM's own option machinery.
class ValueParser : public cl::parser<std::string> {
public:
  explicit ValueParser(cl::Option &O) : cl::parser<std::string>(O) {}
  enum cl::ValueExpected getValueExpectedFlagDefault() const { return cl::ValueOptional; }
  bool parse(cl::Option &O, StringRef Name, StringRef Value, std::string &Result) {
    if (Name.empty())
      Name = O.ArgStr;
    Name.consume_front("farkas-");
    if (Value.empty())
      Value = "true";
    std::string Reason;
    if (!Rust->Check({Name.data(), Name.size()}, {Value.data(), Value.size()}, append, &Reason))
      return O.error(Reason);
    Result = Value.str();
    return false;
  }
};

/// The process's command-line options: made once, however often the library is loaded.
struct OptionTable {
  cl::OptionCategory Category{"Farkas options"};
  std::vector<std::unique_ptr<cl::opt<std::string, false, ValueParser>>> Options;
  /// Another copy of the library is in the process: registering the same options again would end it.
  bool IsSecondCopy = false;

  OptionTable() {
    IsSecondCopy = cl::getRegisteredOptions().count(Rust->Options[0].Name);
    if (IsSecondCopy)
      return;
    for (size_t I = 0; I < Rust->OptionCount; ++I) {
      const OptionSpec &S = Rust->Options[I];
      Options.push_back(std::make_unique<cl::opt<std::string, false, ValueParser>>(
          StringRef(S.Name), cl::desc(S.Help), cl::value_desc(S.Values), cl::cat(Category), S.IsHidden ? cl::Hidden : cl::NotHidden));
    }
  }
};

OptionTable &optionTable() {
  static OptionTable Table;
  return Table;
}

using Configuration = std::shared_ptr<void>;

Configuration configure(StringRef Parameters, bool InPipeline, std::string &Reason) {
  std::vector<Setting> Settings;
  OptionTable &Table = optionTable();
  for (size_t I = 0; I < Table.Options.size(); ++I) {
    auto &O = *Table.Options[I];
    if (!O.getNumOccurrences())
      continue;
    StringRef Key = Rust->Options[I].Key, Value = O.getValue();
    Settings.push_back({{Key.data(), Key.size()}, {Value.data(), Value.size()}});
  }
  void *C = Rust->Configure(Settings.data(), Settings.size(), {Parameters.data(), Parameters.size()}, InPipeline, append,
                            &Reason);
  return C ? Configuration(C, Rust->Drop) : nullptr;
}

struct FarkasPass : PassInfoMixin<FarkasPass> {
  Configuration C;
  std::shared_ptr<Compilation> Unit;
  FarkasPass(Configuration C, std::shared_ptr<Compilation> Unit) : C(std::move(C)), Unit(std::move(Unit)) {}
  static StringRef name() { return "FarkasPass"; }
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    farkas::Run R(F, AM, *Unit);
    return Rust->Run(C.get(), Unit->Kept.get(), &R) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// The attribute in the identifiers of loops over tiles of lanes; `edit::AROUND_LANES` in the Rust half.
constexpr StringLiteral AroundLanes = "farkas.around";

/// Whether a pass is to run. A condition that stays the same in a loop over tiles is tested once for each tile: taking it out of the
/// loop gains nothing, and copies all the vector code in it.
bool shouldRun(StringRef Pass, Any Unit) {
  if (Pass != "SimpleLoopUnswitchPass")
    return true;
  const Loop *const *L = any_cast<const Loop *>(&Unit);
  return !L || !findOptionMDForLoop(*L, AroundLanes);
}

bool hasMarkedLoop(const Function &F) {
  return any_of(F, [](const BasicBlock &B) {
    const MDNode *Id = B.getTerminator()->getMetadata(LLVMContext::MD_loop);
    return Id && findOptionMDForLoopID(const_cast<MDNode *>(Id), Done);
  });
}

/// The functions with a property. Passes add functions on their way through these.
SmallVector<Function *, 8> functionsWith(Module &M, function_ref<bool(const Function &)> Property) {
  SmallVector<Function *, 8> Found;
  for (Function &F : M)
    if (Property(F))
      Found.push_back(&F);
  return Found;
}

/// Lets loops between markers run on threads, after all passes on functions.
struct FarkasThreadsPass : PassInfoMixin<FarkasThreadsPass> {
  std::shared_ptr<Compilation> Unit;
  explicit FarkasThreadsPass(std::shared_ptr<Compilation> Unit) : Unit(std::move(Unit)) {}
  static StringRef name() { return "FarkasThreadsPass"; }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    auto &AM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    bool Changed = false;
    for (Function *F : functionsWith(M, hasMarkers)) {
      farkas::Run R(*F, AM, *Unit);
      Changed |= Rust->Fork(&R);
    }
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Prepares new loops for code generation, after all passes on IR.
struct FarkasFinishPass : PassInfoMixin<FarkasFinishPass> {
  std::shared_ptr<Compilation> Unit;
  explicit FarkasFinishPass(std::shared_ptr<Compilation> Unit) : Unit(std::move(Unit)) {}
  static StringRef name() { return "FarkasFinishPass"; }
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    if (!hasMarkedLoop(F))
      return PreservedAnalyses::all();
    farkas::Run R(F, AM, *Unit);
    return Rust->Finish(&R) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Moves new code into functions of its own, after all passes on functions.
struct FarkasOutlinePass : PassInfoMixin<FarkasOutlinePass> {
  static StringRef name() { return "FarkasOutlinePass"; }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    auto &AM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    bool Changed = false;
    for (Function *F : functionsWith(M, hasMarkedLoop))
      Changed |= outlineNewCode(*F, AM.getResult<AssumptionAnalysis>(*F));
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

/// Whether `FPM` is at the first peephole point of the function simplification pipeline: scalars are in registers and
/// callees are inlined, and no loop pass has run. The extension point itself is met in other places too: before the
/// inliner, where the pipeline has no SROA yet, and after LICM and GVN, where it has a loop pass. What is inlined before code is
/// instrumented for a profile is cleaned up by a pipeline of its own, without MemorySSA: the profile has to find the
/// code that it was made of, and functions are known to be cold only after that.
bool atFirstPeephole(FunctionPassManager &FPM) {
  std::string Passes;
  raw_string_ostream OS(Passes);
  FPM.printPipeline(OS, [](StringRef ClassName) { return ClassName; });
  StringRef P(Passes);
  return P.contains("SROAPass") && P.contains("EarlyCSEPass<memssa>") && !P.contains("loop(") &&
         !P.contains("loop-mssa(") && !P.contains("FarkasPass");
}

void registerPasses(PassBuilder &PB) {
  if (auto *Instrumentation = PB.getPassInstrumentationCallbacks()) {
    Instrumentation->addClassToPassName("FarkasPass", "farkas");
    Instrumentation->addClassToPassName("FarkasThreadsPass", "farkas-threads");
    Instrumentation->addClassToPassName("FarkasFinishPass", "farkas-finish");
    Instrumentation->addClassToPassName("FarkasOutlinePass", "farkas-outline");
    Instrumentation->registerShouldRunOptionalPassCallback(shouldRun);
  }

  // A pass has no other place for what it counts beyond one function: pass objects are made for each pipeline position,
  // and the analysis managers keep nothing that a pass may write to. A pass builder is made for each module that is
  // compiled (each thread of ThinLTO has its own), and its pipeline runs over one function at a time.
  auto Unit = std::make_shared<Compilation>();
  Unit->Kept = {Rust->NewCompilation(), Rust->DropCompilation};

  PB.registerPeepholeEPCallback([Unit](FunctionPassManager &FPM, OptimizationLevel Level) {
    if (Level.getSpeedupLevel() == 0 || Level.getSizeLevel() > 0 || !atFirstPeephole(FPM))
      return;
    std::string Reason;
    if (Configuration C = configure("", true, Reason))
      FPM.addPass(FarkasPass(std::move(C), Unit));
  });

  PB.registerOptimizerLastEPCallback([Unit](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
    // In front of a link, passes on IR are still to come.
    bool IsBeforeLink = Phase == ThinOrFullLTOPhase::ThinLTOPreLink || Phase == ThinOrFullLTOPhase::FullLTOPreLink;
    std::string Reason;
    if (Level.getSpeedupLevel() == 0 || !configure("", true, Reason))
      return;
    MPM.addPass(FarkasThreadsPass(Unit));
    if (IsBeforeLink)
      return;
    MPM.addPass(createModuleToFunctionPassAdaptor(FarkasFinishPass(Unit)));
    MPM.addPass(FarkasOutlinePass());
  });

  PB.registerFullLinkTimeOptimizationLastEPCallback([Unit](ModulePassManager &MPM, OptimizationLevel Level) {
    std::string Reason;
    if (Level.getSpeedupLevel() > 0 && configure("", true, Reason))
      MPM.addPass(FarkasThreadsPass(Unit));
  });

  PB.registerPipelineParsingCallback(
      [Unit](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement> Inner) {
        if (!Inner.empty())
          return false;
        if (Name == "farkas-threads")
          MPM.addPass(FarkasThreadsPass(Unit));
        else if (Name == "farkas-outline")
          MPM.addPass(FarkasOutlinePass());
        else
          return false;
        return true;
      });

  // LLVM asks several times for the same name while it finds out what kind of pass it is: say what is wrong once.
  auto Said = std::make_shared<std::string>();
  PB.registerPipelineParsingCallback(
      [Said, Unit](StringRef Name, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement> Inner) {
        if (Name == "farkas-finish" && Inner.empty()) {
          FPM.addPass(FarkasFinishPass(Unit));
          return true;
        }
        StringRef Parameters = Name;
        if (!Inner.empty() || !Parameters.consume_front("farkas"))
          return false;
        if (!Parameters.empty() && !(Parameters.consume_front("<") && Parameters.consume_back(">")))
          return false;
        std::string Reason;
        if (Configuration C = configure(Parameters, false, Reason)) {
          FPM.addPass(FarkasPass(std::move(C), Unit));
          return true;
        }
        if (*Said != Reason)
          errs() << "farkas: " << Reason << '\n';
        *Said = Reason;
        return false;
      });
}

} // namespace

FARKAS size_t farkas_plugin_info_size() { return sizeof(PassPluginLibraryInfo); }

// LLVM compares the version of its plugin interface only, which stays the same over several releases.
FARKAS void farkas_plugin_info(PassPluginLibraryInfo *Out, const Callbacks *C) {
  unsigned Major = 0;
  LLVMGetVersion(&Major, nullptr, nullptr);
  if (Major != LLVM_VERSION_MAJOR) {
    // Not LLVM's streams: their layout may be another one.
    std::fprintf(stderr, "farkas: this plugin is for LLVM %d, and was loaded by LLVM %u\n", LLVM_VERSION_MAJOR, Major);
    *Out = PassPluginLibraryInfo{};
    return;
  }
  Rust = C;
  bool IsSecondCopy = optionTable().IsSecondCopy;
  *Out = PassPluginLibraryInfo{};
  Out->APIVersion = LLVM_PLUGIN_API_VERSION;
  Out->PluginName = "farkas";
  Out->PluginVersion = FARKAS_VERSION;
  Out->RegisterPassBuilderCallbacks = IsSecondCopy ? [](PassBuilder &) {} : registerPasses;
}

FARKAS LLVMValueRef farkas_run_function(Run *R) { return wrap(&R->F); }

// The number of one more region that could be transformed, counted from 1 over the compilation.
FARKAS uint64_t farkas_run_count_region(Run *R) { return ++R->Unit.Regions; }

FARKAS void farkas_run_refresh(Run *R) { R->State.emplace(R->F, R->Library, R->Assumptions); }
