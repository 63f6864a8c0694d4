// Optimization remarks (`-Rpass=farkas`, `-Rpass-missed=farkas`, and the remark files of `-fsave-optimization-record`), and errors.

#include "run.h"
#include "site.h"
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

static bool isLibraryPath(StringRef Path) {
  static constexpr StringRef Prefixes[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/", "/rustc/"};
  static constexpr StringRef Parts[] = {"/include/c++/", "/lib/clang/", "/lib/rustlib/src/", "/.cargo/registry/src/"};
  return any_of(Prefixes, [&](StringRef Prefix) { return Path.starts_with(Prefix); }) ||
         any_of(Parts, [&](StringRef Part) { return Path.contains(Part); });
}

static std::string pathOf(const DIScope *S) {
  StringRef Name = S->getFilename();
  return Name.starts_with("/") ? Name.str() : (S->getDirectory() + "/" + Name).str();
}

bool farkas::isInLibrary(const Function &F, const DILocation *Where) {
  const DISubprogram *Own = F.getSubprogram();
  // To whoever compiles a library, it is the user's source.
  if (Own && Own->getUnit() && isLibraryPath(pathOf(Own->getUnit())))
    return false;
  return isLibraryPath(pathOf(Where->getScope()));
}

// The innermost location in the user's source that this one is, or was inlined at; null where there is none.
static const DILocation *inUsersSource(const Function &F, const DILocation *Where) {
  while (Where && isInLibrary(F, Where))
    Where = Where->getInlinedAt();
  return Where;
}

namespace {

// Where a remark is shown.
struct Site {
  // Null where only the function is known, if that is.
  const DILocation *Where = nullptr;
  // The function of a library that was inlined there, if one was.
  const DISubprogram *Inlined = nullptr;
  bool IsInLibrary = false;
};

} // namespace

// Whether code of the loop is at the location's level: the loop is the user's then, though libraries have its counter, as they have for
// iterators.
static bool hasCodeOf(const Loop &L, const DILocation *Level) {
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (const DILocation *Own = I.getDebugLoc().get())
        if (Own->getLine() != 0 && Own->getInlinedAt() == Level->getInlinedAt() &&
            Own->getScope()->getSubprogram() == Level->getScope()->getSubprogram())
          return true;
  return false;
}

// The location is that of `At` if it has one in the user's source, or else the loop's; where neither has, that in the library.
static Site siteOf(const Run &R, const Loop *L, LLVMValueRef At) {
  const DILocation *OfLoop = L ? L->getStartLoc().get() : nullptr;
  const DILocation *Own = At ? unwrap<Instruction>(At)->getDebugLoc().get() : nullptr;
  Site S;
  for (const DILocation *Where : {Own, OfLoop}) {
    if (const DILocation *Users = Where ? inUsersSource(R.F, Where) : nullptr) {
      S.Where = Users;
      const DILocation *Level = OfLoop && isInLibrary(R.F, OfLoop) ? inUsersSource(R.F, OfLoop) : nullptr;
      if (Level && !hasCodeOf(*L, Level))
        S.Inlined = OfLoop->getScope()->getSubprogram();
      return S;
    }
  }
  S.Where = Own ? Own : OfLoop;
  S.IsInLibrary = S.Where != nullptr;
  return S;
}

// Whether anybody sees remarks.
FARKAS bool farkas_remarks_enabled(Run *R) { return R->Remarks.enabled(); }

// Where a remark on the loop and the instruction is shown: 0 for nowhere in particular, 1 for the user's source, 2 for the source of a
// library. The texts are the file, and behind a line end the function of a library that was inlined, without parameters of templates.
FARKAS uint32_t farkas_remark_site(Run *R, Loop *L, LLVMValueRef At, uint32_t *Line, uint32_t *Column, TextSink Sink,
                                   void *Context) {
  Site S = siteOf(*R, L, At);
  if (!S.Where)
    return 0;
  *Line = S.Where->getLine();
  *Column = S.Where->getColumn();
  write(Sink, Context, S.Where->getFilename());
  if (S.Inlined) {
    write(Sink, Context, "\n");
    StringRef Name = S.Inlined->getName();
    write(Sink, Context, Name.starts_with("operator") ? Name : Name.take_until([](char C) { return C == '<'; }));
  }
  return S.IsInLibrary ? 2 : 1;
}

// A part of a remark: text, or with a key a value that remark files have as an argument of its own.
struct Part {
  Text Key;
  Text Value;
};

template <typename Kind> static Kind made(Kind Remark, const Part *Parts, size_t Count) {
  for (size_t I = 0; I < Count; ++I) {
    StringRef Key(Parts[I].Key.Data, Parts[I].Key.Length), Value(Parts[I].Value.Data, Parts[I].Value.Length);
    if (Key.empty())
      Remark << Value;
    else
      Remark << ore::NV(Key, Value);
  }
  return Remark;
}

// `Kind` is 0 for something done, 1 for something missed, 2 for analysis. The location is that of `farkas_remark_site`, or with `OwnPlace`
// the instruction's or the loop's own, or else the function's.
FARKAS void farkas_remark(Run *R, int32_t Kind, Text Identifier, Loop *L, LLVMValueRef At, bool OwnPlace,
                          const Part *Parts, size_t Count) {
  const BasicBlock *Region = L ? L->getHeader() : &R->F.getEntryBlock();
  DiagnosticLocation Where(R->F.getSubprogram());
  const DILocation *Known = siteOf(*R, L, At).Where;
  if (OwnPlace && L && L->getStartLoc())
    Known = L->getStartLoc().get();
  if (OwnPlace && At && unwrap<Instruction>(At)->getDebugLoc())
    Known = unwrap<Instruction>(At)->getDebugLoc().get();
  if (Known)
    Where = DebugLoc(Known);
  StringRef Name(Identifier.Data, Identifier.Length);
  switch (Kind) {
  case 0:
    R->Remarks.emit([&] { return made(OptimizationRemark("farkas", Name, Where, Region), Parts, Count); });
    break;
  case 1:
    R->Remarks.emit([&] { return made(OptimizationRemarkMissed("farkas", Name, Where, Region), Parts, Count); });
    break;
  default:
    R->Remarks.emit([&] { return made(OptimizationRemarkAnalysis("farkas", Name, Where, Region), Parts, Count); });
  }
}
