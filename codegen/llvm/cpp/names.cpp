// What values are called in the source: variables, their members and elements, by debug information, or else by names of
// arguments and global variables.
//
// A name is only given where it is true when control enters a loop: the variable is in scope there, and has the value.

#include "run.h"
#include "site.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace farkas;

namespace {

// How many loads and members lead from a variable to a value, at the most.
constexpr unsigned MostSteps = 8;

// How many blocks are searched between a load and the loop for what may change the value in memory.
constexpr size_t MostBlocks = 64;

enum class Is { Value, Address, Elements };

// Something of the source.
struct Named {
  std::string Text;
  // The type of what the text stands for; null where it is not known. For elements: of one of them.
  const DIType *Type = nullptr;
  // Whether the value is what the text stands for, its address, or the address of elements that the text is subscripted for.
  Is How = Is::Value;
  // The line of the variable's declaration, or 0.
  unsigned Line = 0;
  // The hidden member of the text that it is, if it is one: `_M_finish` of a `std::vector`.
  std::string Hidden = {};
  // What is known of a `std::vector`, or of elements, where debug information only declares the type: its name, which begins with `vector<`.
  StringRef Declared = {};
};

// The type without its name and qualifiers.
const DIType *underlying(const DIType *T) {
  while (const auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    switch (D->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
      T = D->getBaseType();
      continue;
    default:
      return T;
    }
  }
  return T;
}

uint64_t bitsOf(const DIType *T) {
  T = underlying(T);
  return T ? T->getSizeInBits() : 0;
}

bool isReference(const DIType *T) {
  T = underlying(T);
  return T && (T->getTag() == dwarf::DW_TAG_reference_type || T->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

// What a pointer or reference points to.
const DIType *pointee(const DIType *T) {
  const auto *D = dyn_cast_or_null<DIDerivedType>(underlying(T));
  if (!D || (D->getTag() != dwarf::DW_TAG_pointer_type && !isReference(D)))
    return nullptr;
  return D->getBaseType();
}

// Whether programs cannot name the members: those of types of the standard libraries, and the two words of a slice.
bool hasHiddenMembers(const DICompositeType *T) {
  StringRef Outermost;
  for (const DIScope *S = T->getScope(); S; S = S->getScope())
    if (isa<DINamespace>(S))
      Outermost = S->getName();
  StringRef Name = T->getName();
  return Outermost == "std" || Outermost == "__gnu_cxx" || Outermost == "alloc" || Outermost == "core" ||
         Name.starts_with("&[") || Name.starts_with("&mut [");
}

// Hidden members that point to, or are, the elements that a container is subscripted for.
bool isElements(StringRef Member) {
  static constexpr StringRef Known[] = {"_M_start", "__begin_", "_M_head_impl", "_M_p",    "_M_ptr",  "_M_elems",
                                        "__elems_", "_M_data",  "_M_array",     "pointer", "data_ptr"};
  return is_contained(Known, Member);
}

// How many bytes a `std::vector` has: three pointers.
constexpr uint64_t VectorBytes = 24;

// Whether this is the name of a `std::vector` that has a start, and behind it an end.
bool isDeclaredVector(StringRef Name) { return Name.starts_with("vector<") && !Name.starts_with("vector<bool"); }

class Namer {
public:
  Namer(Run &R, const Loop *At, bool IsEntered) : R(R), At(At), IsEntered(IsEntered) {
    const DILocation *Where = At ? At->getStartLoc().get() : nullptr;
    for (; Where; Where = Where->getInlinedAt())
      Frames.push_back(Where);
  }

  std::optional<Named> name(Value *V, unsigned Steps = 0) {
    if (Steps > MostSteps)
      return std::nullopt;
    if (auto Own = variable(V))
      return Own;
    if (auto *G = dyn_cast<GlobalVariable>(V))
      return global(*G);
    if (auto *A = dyn_cast<Argument>(V))
      if (A->hasName() && !A->getName().contains('.'))
        return Named{A->getName().str()};
    if (auto *L = dyn_cast<LoadInst>(V))
      return L->isSimple() && isUnchanged(*L) ? loaded(*L, Steps) : std::nullopt;
    if (auto Size = size(V, Steps))
      return Size;
    if (V->getType()->isPointerTy())
      return inside(V, Steps);
    return std::nullopt;
  }

private:
  Run &R;
  const Loop *At;
  bool IsEntered;
  // The loop's location, and those of the calls that it was inlined from.
  SmallVector<const DILocation *, 4> Frames;

  // The variable that has the value, or that it is the address of: the one of the innermost function of the user, and of these the one
  // that is declared first.
  std::optional<Named> variable(Value *V) {
    if (!V->isUsedByMetadata())
      return std::nullopt;
    SmallVector<DbgVariableRecord *, 4> Users;
    findDbgUsers(V, Users);
    std::optional<Named> Best;
    size_t BestFrame = 0;
    for (DbgVariableRecord *User : Users) {
      const DILocalVariable *Variable = User->getVariable();
      if (User->hasArgList() || Variable->getName().empty() || Variable->getName().starts_with("__"))
        continue;
      std::optional<size_t> Frame = frame(*User);
      auto Here = Frame ? of(*User) : std::nullopt;
      if (!Here || (IsEntered && !holds(*User)))
        continue;
      if (!Best || *Frame < BestFrame || (*Frame == BestFrame && Here->Line < Best->Line)) {
        Best = Here;
        BestFrame = *Frame;
      }
    }
    return Best;
  }

  // What the record says that its value is.
  static std::optional<Named> of(const DbgVariableRecord &Record) {
    const DILocalVariable *Variable = Record.getVariable();
    const DIExpression *E = Record.getExpression();
    Named Whole{Variable->getName().str(), Variable->getType(), Is::Value, Variable->getLine()};
    bool IsAddress = Record.isDbgDeclare();
    if (E->getNumElements() == 1 && E->getElement(0) == dwarf::DW_OP_deref && !IsAddress)
      IsAddress = true;
    else if (auto Part = E->getFragmentInfo(); Part && E->getNumElements() == 3 && !IsAddress)
      return Part->OffsetInBits % 8 == 0 ? member(Whole, Part->OffsetInBits / 8, Part->SizeInBits / 8) : std::nullopt;
    else if (E->getNumElements() != 0)
      return std::nullopt;
    if (IsAddress)
      Whole.How = Is::Address;
    return Whole;
  }

  // The position among the frames of the function that the record's variable is of, if the variable is in scope at the loop. Functions of
  // libraries do not count.
  std::optional<size_t> frame(const DbgVariableRecord &Record) {
    const DILocalScope *Scope = Record.getVariable()->getScope();
    const DILocation *InlinedAt = Record.getDebugLoc() ? Record.getDebugLoc()->getInlinedAt() : nullptr;
    if (Frames.empty() && !InlinedAt && Scope->getSubprogram() == R.F.getSubprogram())
      return 0;
    for (size_t Index = 0; Index < Frames.size(); ++Index) {
      const DILocation *Own = Frames[Index];
      if (Own->getInlinedAt() != InlinedAt || Own->getScope()->getSubprogram() != Scope->getSubprogram())
        continue;
      if (isInLibrary(R.F, Own))
        return std::nullopt;
      bool IsVisible = !IsEntered;
      for (const DIScope *S = Own->getScope(); S && !IsVisible; S = S->getScope())
        IsVisible = S == Scope || (isa<DILexicalBlockFile>(S) && cast<DILexicalBlockFile>(S)->getScope() == Scope);
      return IsVisible ? std::optional<size_t>(Index) : std::nullopt;
    }
    return std::nullopt;
  }

  // Whether the variable still has the record's value where the loop is entered: no other value may come in between.
  bool holds(DbgVariableRecord &Record) {
    if (Record.isDbgDeclare() || Record.getExpression()->startsWithDeref())
      return true;
    BasicBlock *From = Record.getBlock(), *To = At->getLoopPredecessor();
    DominatorTree &DT = R.State->Dominators;
    if (!To || !DT.dominates(From, To))
      return false;
    SmallPtrSet<BasicBlock *, 1> Excluded = {From};
    auto IsOther = [&](const DbgVariableRecord &Other) {
      return DebugVariableAggregate(&Other) == DebugVariableAggregate(&Record) &&
             Other.getRawLocation() != Record.getRawLocation() &&
             !(Other.getFragment() && Record.getFragment() &&
               !DIExpression::fragmentsOverlap(*Other.getFragment(), *Record.getFragment()));
    };
    for (BasicBlock &B : R.F) {
      bool IsBehind = &B != From;
      for (Instruction &I : B)
        for (DbgVariableRecord &Other : filterDbgVars(I.getDbgRecordRange())) {
          IsBehind |= &Other == &Record;
          if (!IsBehind || !IsOther(Other))
            continue;
          if (&B == From || (From != To && isPotentiallyReachable(&B, To, &Excluded, &DT, &R.State->Loops)))
            return false;
        }
    }
    return true;
  }

  static std::optional<Named> global(const GlobalVariable &G) {
    SmallVector<DIGlobalVariableExpression *, 1> Known;
    G.getDebugInfo(Known);
    for (DIGlobalVariableExpression *E : Known)
      if (E->getExpression()->getNumElements() == 0 && !E->getVariable()->getName().empty())
        return Named{E->getVariable()->getName().str(), E->getVariable()->getType(), Is::Address,
                     E->getVariable()->getLine()};
    if (!G.hasName() || G.hasPrivateLinkage())
      return std::nullopt;
    return Named{demangle(G.getName()), nullptr, Is::Address};
  }

  // Whether nothing between the load and the loop may write memory.
  bool isUnchanged(const LoadInst &Load) {
    if (!IsEntered)
      return true;
    auto MayWrite = [](const Instruction &I) { return I.mayWriteToMemory() && !I.isDebugOrPseudoInst(); };
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const BasicBlock *, 16> Left;
    for (const BasicBlock *B : predecessors(At->getHeader()))
      if (!At->contains(B) && Seen.insert(B).second)
        Left.push_back(B);
    while (!Left.empty()) {
      const BasicBlock *B = Left.pop_back_val();
      if (B == Load.getParent()) {
        if (any_of(make_range(std::next(Load.getIterator()), B->end()), MayWrite))
          return false;
        continue;
      }
      if (Seen.size() > MostBlocks || any_of(*B, MayWrite))
        return false;
      for (const BasicBlock *Before : predecessors(B))
        if (Seen.insert(Before).second)
          Left.push_back(Before);
    }
    return true;
  }

  // What is at a distance from what a pointer points to: the place, and its type.
  std::optional<Named> place(Value *Pointer, uint64_t &Offset, unsigned Steps) {
    APInt Distance(R.F.getDataLayout().getIndexTypeSizeInBits(Pointer->getType()), 0);
    Value *Base = Pointer->stripAndAccumulateConstantOffsets(R.F.getDataLayout(), Distance, /*AllowNonInbounds=*/true);
    if (Distance.isNegative() || isa<GEPOperator>(Base))
      return std::nullopt;
    Offset = Distance.getZExtValue();
    auto Own = name(Base, Steps + 1);
    if (!Own)
      return std::nullopt;
    switch (Own->How) {
    case Is::Address:
      Own->How = Is::Value;
      return Own;
    case Is::Elements: {
      if (!Own->Type && Own->Declared.consume_front("std::") && isDeclaredVector(Own->Declared) && Offset < VectorBytes) {
        Own->Text += "[0]";
        Own->How = Is::Value;
        return Own;
      }
      uint64_t Size = bitsOf(Own->Type) / 8;
      if (Size == 0)
        return std::nullopt;
      Own->Text += "[" + std::to_string(Offset / Size) + "]";
      Offset %= Size;
      Own->How = Is::Value;
      return Own;
    }
    case Is::Value:
      const DIType *Target = pointee(Own->Type);
      if (!Target)
        return std::nullopt;
      // References are written as what they refer to.
      if (!isReference(Own->Type))
        Own->Text = "*" + Own->Text;
      Own->Type = Target;
      return Own;
    }
    return std::nullopt;
  }

  std::optional<Named> loaded(const LoadInst &Load, unsigned Steps) {
    TypeSize Size = R.F.getDataLayout().getTypeStoreSize(Load.getType());
    uint64_t Offset = 0;
    auto Place = place(const_cast<Value *>(Load.getPointerOperand()), Offset, Steps);
    if (!Place || Size.isScalable())
      return std::nullopt;
    if (isDeclaredVector(Place->Declared))
      return ofDeclaredVector(*Place, Offset);
    // A global variable without debug information has one value.
    if (!Place->Type)
      return Offset == 0 ? Place : std::nullopt;
    return member(*Place, Offset, Size.getFixedValue());
  }

  // The address of a member.
  std::optional<Named> inside(Value *Pointer, unsigned Steps) {
    uint64_t Offset = 0;
    auto Place = isa<GEPOperator>(Pointer) ? place(Pointer, Offset, Steps) : std::nullopt;
    if (!Place || !Place->Type)
      return std::nullopt;
    auto Own = member(*Place, Offset, std::nullopt);
    if (Own && Own->How == Is::Value)
      Own->How = Is::Address;
    return Own;
  }

  // What is in some bytes of a place; without a size, the largest array or scalar that begins there.
  static std::optional<Named> member(Named Place, uint64_t Offset, std::optional<uint64_t> Size) {
    bool IsHidden = false;
    for (unsigned Step = 0; Step < 2 * MostSteps; ++Step) {
      const DIType *T = underlying(Place.Type);
      const auto *Whole = dyn_cast_or_null<DICompositeType>(T);
      bool IsArray = Whole && Whole->getTag() == dwarf::DW_TAG_array_type;
      bool IsScalar = T && (!Whole || Whole->getTag() == dwarf::DW_TAG_enumeration_type);
      if (IsScalar || (IsArray && !Size)) {
        if (Offset != 0 || (Size && T->getSizeInBits() != 8 * *Size))
          return std::nullopt;
        return IsHidden ? hidden(std::move(Place)) : std::optional<Named>(std::move(Place));
      }
      if (IsArray) {
        const DIType *Element = Whole->getBaseType();
        uint64_t Bytes = bitsOf(Element) / 8;
        if (Bytes == 0 || Whole->getElements().size() != 1 || IsHidden)
          return std::nullopt;
        Place.Text += "[" + std::to_string(Offset / Bytes) + "]";
        Place.Type = Element;
        Offset %= Bytes;
        continue;
      }
      if (Size && Whole && Whole->isForwardDecl() && hasHiddenMembers(Whole) && isDeclaredVector(Whole->getName())) {
        Place.Declared = Whole->getName();
        return ofDeclaredVector(std::move(Place), Offset);
      }
      const DIDerivedType *Next = Whole ? part(*Whole, Offset, Size.value_or(1)) : nullptr;
      if (!Next)
        return std::nullopt;
      IsHidden |= hasHiddenMembers(Whole);
      if (IsHidden)
        Place.Hidden = Next->getName().str();
      else if (Next->getTag() == dwarf::DW_TAG_member && !Next->getName().empty())
        Place.Text = (StringRef(Place.Text).starts_with("*") ? Place.Text.substr(1) + "->" : Place.Text + ".") +
                     Next->getName().str();
      Offset -= Next->getOffsetInBits() / 8;
      Place.Type = Next->getBaseType();
    }
    return std::nullopt;
  }

  // The start or the end of a `std::vector` of libstdc++ or libc++ of which debug information has no members.
  static std::optional<Named> ofDeclaredVector(Named Place, uint64_t Offset) {
    StringRef Element = Place.Declared.substr(StringRef("vector<").size());
    if (Offset != 0 && Offset != VectorBytes / 3)
      return std::nullopt;
    Place.Hidden = Offset == 0 ? "_M_start" : "_M_finish";
    Place.Type = nullptr;
    Place.Declared = Element;
    Place.How = Offset == 0 ? Is::Elements : Is::Address;
    return Place;
  }

  // The only member or base class that has these bytes.
  static const DIDerivedType *part(const DICompositeType &Whole, uint64_t Offset, uint64_t Size) {
    if (Whole.getTag() != dwarf::DW_TAG_structure_type && Whole.getTag() != dwarf::DW_TAG_class_type)
      return nullptr;
    const DIDerivedType *Found = nullptr;
    for (const DINode *Node : Whole.getElements()) {
      const auto *Own = dyn_cast<DIDerivedType>(Node);
      if (!Own || Own->isStaticMember() || Own->isBitField())
        continue;
      bool IsPart = Own->getTag() == dwarf::DW_TAG_member || Own->getTag() == dwarf::DW_TAG_inheritance;
      // Base classes have the size of their type.
      uint64_t Bits = Own->getSizeInBits() ? Own->getSizeInBits() : bitsOf(Own->getBaseType());
      if (!IsPart || Own->getOffsetInBits() > 8 * Offset || Own->getOffsetInBits() + Bits < 8 * (Offset + Size))
        continue;
      if (Found)
        return nullptr;
      Found = Own;
    }
    return Found;
  }

  // A scalar, pointer or array that a program cannot name: elements, or the length, of a container.
  static std::optional<Named> hidden(Named Place) {
    if (StringRef(Place.Text).starts_with("*"))
      Place.Text = "(" + Place.Text + ")";
    StringRef Member = Place.Hidden;
    const DIType *T = underlying(Place.Type);
    if (isElements(Member)) {
      const auto *Array = dyn_cast<DICompositeType>(T);
      Place.Type = Array ? Array->getBaseType() : pointee(T);
      Place.How = Is::Elements;
    } else if (Member == "length" || Member == "len") {
      Place.Text += ".len()";
      Place.Hidden.clear();
    } else if (Member == "_M_string_length" || Member == "_M_extent_value") {
      Place.Text += ".size()";
      Place.Hidden.clear();
    } else {
      Place.How = Is::Address;
    }
    return Place;
  }

  // The number of elements of a `std::vector`, from the end and the start that it has.
  std::optional<Named> size(Value *V, unsigned Steps) {
    using namespace PatternMatch;
    Value *End, *Start;
    const APInt *Divisor = nullptr, *Shift = nullptr;
    auto Difference = m_Sub(m_PtrToInt(m_Value(End)), m_PtrToInt(m_Value(Start)));
    bool IsQuotient = match(V, m_SDiv(Difference, m_APInt(Divisor))) || match(V, m_UDiv(Difference, m_APInt(Divisor))) ||
                      match(V, m_AShr(Difference, m_APInt(Shift))) || match(V, m_LShr(Difference, m_APInt(Shift)));
    if ((!IsQuotient && !match(V, Difference)) || (Divisor && Divisor->getActiveBits() > 64) || (Shift && Shift->uge(64)))
      return std::nullopt;
    auto Last = name(End, Steps + 1), First = name(Start, Steps + 1);
    if (!Last || !First || (Last->Hidden != "_M_finish" && Last->Hidden != "__end_") ||
        (First->Hidden != "_M_start" && First->Hidden != "__begin_") || Last->Text != First->Text)
      return std::nullopt;
    uint64_t Bytes = Divisor ? Divisor->getZExtValue() : Shift ? uint64_t(1) << Shift->getZExtValue() : 1;
    if (First->Type ? bitsOf(First->Type) != 8 * Bytes : !IsQuotient)
      return std::nullopt;
    return Named{First->Text + ".size()", nullptr, Is::Value, First->Line};
  }
};

} // namespace

// The name of a value where the loop is entered, or with `IsEntered` unset, of a value in the loop whatever the iteration: the text,
// and the line of the variable's declaration. `Kind` is 0 for a value, 1 for the address of what is named, 2 for that of elements.
// `Sign` is 1 for what is declared without a sign, 2 for what has one, or else 0.
FARKAS bool farkas_source_name(Run *R, LLVMValueRef V, Loop *L, bool IsEntered, uint32_t *Line, uint32_t *Kind,
                               uint32_t *Sign, TextSink Sink, void *Context) {
  auto Found = Namer(*R, L, IsEntered).name(unwrap(V));
  // A hidden member that is no elements has no name.
  if (!Found || (Found->How == Is::Address && !Found->Hidden.empty()))
    return false;
  *Line = Found->Line;
  *Kind = static_cast<uint32_t>(Found->How);
  *Sign = 0;
  if (const auto *Basic = dyn_cast_or_null<DIBasicType>(underlying(Found->Type)))
    if (auto Signedness = Basic->getSignedness())
      *Sign = *Signedness == DIBasicType::Signedness::Unsigned ? 1 : 2;
  write(Sink, Context, Found->Text);
  return true;
}

// A function's name as the source has it, without types of arguments where that can be told.
FARKAS void farkas_demangled(Text Name, TextSink Sink, void *Context) {
  std::string Mangled(Name.Data, Name.Length);
  ItaniumPartialDemangler Demangler;
  if (!Demangler.partialDemangle(Mangled.c_str()) && Demangler.isFunction()) {
    size_t Size = 0;
    char *Scope = Demangler.getFunctionDeclContextName(nullptr, &Size);
    char *Base = Demangler.getFunctionBaseName(nullptr, &Size);
    std::string Full = Scope && *Scope ? std::string(Scope) + "::" : std::string();
    if (Base)
      write(Sink, Context, Full + Base);
    std::free(Scope);
    std::free(Base);
    if (Base)
      return;
  }
  write(Sink, Context, demangle(Mangled));
}
