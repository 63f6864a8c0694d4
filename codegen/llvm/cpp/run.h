// What all parts of the shim share: text across the boundary, and the run of the pass on one function.
//
// Every function of the shim has C linkage, the prefix `farkas_`, and takes opaque pointers: `Run *`, `Loop *`,
// `const SCEV *`, and LLVM's own C handles for values, blocks, types and metadata. Lists are written through a callback,
// so that no memory changes owner.
#pragma once

#include "llvm-c/Types.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/raw_ostream.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#define FARKAS extern "C"

namespace farkas {

/// The attribute with the bits of vectors that a function may use in any case. Without it, it may use all that the processor has.
constexpr llvm::StringLiteral MinLegalVectorWidth = "min-legal-vector-width";

struct Text {
  const char *Data;
  size_t Length;
};

using TextSink = void (*)(void *Context, const char *Data, size_t Length);
using PointerSink = void (*)(void *Context, const void *Pointer);

inline void write(TextSink Sink, void *Context, llvm::StringRef S) { Sink(Context, S.data(), S.size()); }

/// The analyses of one state of the function. They are built here and dropped at the end of the run, never taken from
/// or left in the analysis manager: a cached result may change what later passes do, and a function that Farkas
/// declines has to come out as if the plugin had not been there.
struct Analyses {
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::ScalarEvolution Evolution;
  llvm::BasicAAResult BasicAlias;
  llvm::ScopedNoAliasAAResult ScopedAlias;
  llvm::TypeBasedAAResult TypeAlias;
  llvm::AAResults Alias;

  Analyses(llvm::Function &F, llvm::TargetLibraryInfo &Library, llvm::AssumptionCache &Assumptions)
      : Dominators(F), Loops(Dominators), Evolution(F, Library, Assumptions, Dominators, Loops),
        BasicAlias(F.getDataLayout(), F, Library, Assumptions, &Dominators),
        TypeAlias(F.hasFnAttribute(llvm::Attribute::SanitizeType)), Alias(Library) {
    Alias.addAAResult(BasicAlias);
    Alias.addAAResult(ScopedAlias);
    Alias.addAAResult(TypeAlias);
  }
};

/// What all runs of one compilation share: those of the passes that were registered together.
struct Compilation {
  /// How many regions could be transformed so far.
  uint64_t Regions = 0;
  /// What the Rust half keeps over all functions.
  std::shared_ptr<void> Kept;
};

/// One run of the pass on one function.
struct Run {
  llvm::Function &F;
  Compilation &Unit;
  // These three hold facts about the target and the assumptions, which do not depend on who asks first.
  llvm::TargetLibraryInfo &Library;
  llvm::AssumptionCache &Assumptions;
  llvm::TargetTransformInfo &Target;
  llvm::OptimizationRemarkEmitter Remarks;
  std::optional<Analyses> State;

  Run(llvm::Function &F, llvm::FunctionAnalysisManager &AM, Compilation &Unit)
      : F(F), Unit(Unit), Library(AM.getResult<llvm::TargetLibraryAnalysis>(F)),
        Assumptions(AM.getResult<llvm::AssumptionAnalysis>(F)), Target(AM.getResult<llvm::TargetIRAnalysis>(F)),
        Remarks(&F) {
    State.emplace(F, Library, Assumptions);
  }
};

} // namespace farkas
