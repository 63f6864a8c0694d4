// Optimization remarks (`-Rpass=farkas`, `-Rpass-missed=farkas`, and the remark files of `-fsave-optimization-record`), and errors.

#include "run.h"
#include "llvm-c/Core.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace farkas;

// Reports an error: the compilation fails.
FARKAS void farkas_error(Run *R, Text Message) {
  R->F.getContext().emitError(StringRef(Message.Data, Message.Length));
}

// Reports a warning.
FARKAS void farkas_warning(Run *R, Text Message) {
  R->F.getContext().diagnose(DiagnosticInfoGeneric(StringRef(Message.Data, Message.Length), DS_Warning));
}

// `Kind` is 0 for something done, 1 for something missed, 2 for analysis. The location is that of `At` if it has one,
// or else the loop's, or else the function's.
FARKAS void farkas_remark(Run *R, int32_t Kind, Text Identifier, Loop *L, LLVMValueRef At, Text Message) {
  const BasicBlock *Region = L ? L->getHeader() : &R->F.getEntryBlock();
  DiagnosticLocation Where(R->F.getSubprogram());
  if (L && L->getStartLoc())
    Where = L->getStartLoc();
  if (At && unwrap<Instruction>(At)->getDebugLoc())
    Where = unwrap<Instruction>(At)->getDebugLoc();
  StringRef Name(Identifier.Data, Identifier.Length), Words(Message.Data, Message.Length);
  switch (Kind) {
  case 0:
    R->Remarks.emit([&] { return OptimizationRemark("farkas", Name, Where, Region) << Words; });
    break;
  case 1:
    R->Remarks.emit([&] { return OptimizationRemarkMissed("farkas", Name, Where, Region) << Words; });
    break;
  default:
    R->Remarks.emit([&] { return OptimizationRemarkAnalysis("farkas", Name, Where, Region) << Words; });
  }
}
