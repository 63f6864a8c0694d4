// What the target says about itself.

#include "run.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace farkas;

// The size in bytes of the data cache of level 1 or 2, 0 where it is not known.
FARKAS uint32_t farkas_target_cache_size(Run *R, uint32_t Level) {
  auto L = Level == 1 ? TargetTransformInfo::CacheLevel::L1D : TargetTransformInfo::CacheLevel::L2D;
  return R->Target.getCacheSize(L).value_or(0);
}

FARKAS uint32_t farkas_target_vector_bits(Run *R) {
  return R->Target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
}

// Raises the width of vectors that the function may use. Without the attribute it may use any.
FARKAS void farkas_allow_vectors(Run *R, uint32_t Bits) {
  uint32_t Allowed;
  Attribute Limit = R->F.getFnAttribute(MinLegalVectorWidth);
  if (Limit.isValid() && !Limit.getValueAsString().getAsInteger(0, Allowed) && Allowed < Bits)
    R->F.addFnAttr(MinLegalVectorWidth, utostr(Bits));
}

FARKAS uint32_t farkas_target_vector_registers(Run *R) {
  return R->Target.getNumberOfRegisters(R->Target.getRegisterClassForType(/*Vector=*/true));
}

// The value of an attribute with a name of its own, such as "target-cpu"; nothing where the function does not have it.
FARKAS void farkas_function_attribute(Run *R, Text Name, TextSink Sink, void *Context) {
  write(Sink, Context, R->F.getFnAttribute(StringRef(Name.Data, Name.Length)).getValueAsString());
}

// The first part of the target triple.
FARKAS void farkas_target_architecture(Run *R, TextSink Sink, void *Context) {
  write(Sink, Context, R->F.getParent()->getTargetTriple().getArchName());
}
