; Options are command-line options and pass parameters alike; wrong ones are said to be.
;
; RUN: %opt -passes='farkas<tile=16;only-func=g;enable=true>' -disable-output %s
; RUN: %opt -passes=farkas -farkas-tile=16 -farkas-print=scop,ast -disable-output %s
; RUN: %opt -passes='farkas<tile=16+-+64>' -disable-output %s
; RUN: not %opt -passes='farkas<tiles=16>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %opt -passes='farkas<tile=big>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VALUE
; RUN: not %opt -passes=farkas -farkas-tile=0 -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION
; RUN: not %opt -passes=farkas -farkas-print=all -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINT
;
; UNKNOWN: farkas: pass parameter 'tiles=16': unknown option 'tiles'
; UNKNOWN-NOT: unknown option
; VALUE: farkas: pass parameter 'tile=big': 'big' is no tile size: expected a positive number, or `-` for a loop that is not tiled
; OPTION: for the --farkas-tile option: '0' has no tile size: expected at least one positive number
; PRINT: for the --farkas-print option: nothing to print is called 'all': expected scop, deps, schedule, candidates, plan or ast

define void @f() {
  ret void
}
