; The library may be loaded twice, also as two copies of the file; then the second copy does nothing.
;
; RUN: cp %plugin %t.so
; RUN: %opt -load-pass-plugin=%plugin -load-pass-plugin=%t.so -passes=farkas -disable-output %s

define void @f() {
  ret void
}
