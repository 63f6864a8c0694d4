//! What all functions share: in the unit itself types, helpers and tables; in a file of its own, which is compiled once, the
//! pools and how they are filled and hashed.

use super::types::Type;
use std::fmt::Write;

/// The number of elements of a pool.
pub(super) const POOL: i64 = 4096;

const TYPES: &str = "
struct vec { float x, y, z; };
struct rec { double w; int k; unsigned char b; short h; };
struct box { int n, m, lo, st; };
struct mat { double *a; int n; double *b; float *f; long m; int *k; };
";

/// Helpers of all kinds.
const HELPERS: &str = "
extern int global_n;
extern double global_sum;
void fill(unsigned call);
void report(unsigned long seed, int call, unsigned long h);
unsigned long bits(double v);
extern jmp_buf failed;
extern int failure;
__attribute__((cold, noreturn)) void fail(int code);
static const int table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
static inline double mix(double x, double y) { return x * 0.5 + y * 0.25; }
static inline int clip(int x) { return x < 0 ? 0 : x > 63 ? 63 : x; }
static inline void put(double *a, int i, double v) { a[i] = v; }
__attribute__((noinline)) static double opaque(double x) { return x * 0.75 - 0.125; }
__attribute__((noinline)) static int hidden(int x) { return (x * 7) & 63; }
__attribute__((noinline)) static void touch(double *p) { *p += 0.5; }
__attribute__((noinline)) static double peek(const double *p) { return *p * 0.5; }

";

/// The pools beside those of plain types: their types and names.
const OTHERS: [(&str, &str); 5] = [
    ("struct vec", "vec"),
    ("struct rec", "rec"),
    ("int", "ii"),
    ("unsigned char", "ic"),
    ("size_t", "iz"),
];

/// Types, and declarations of all pools.
fn declarations(storage: &str) -> String {
    let mut text = String::new();
    let plain = Type::ALL.iter().map(|ty| (ty.c(), ty.tag()));
    for (ty, tag) in plain.chain(OTHERS) {
        let _ = writeln!(text, "{storage}{ty} pool_{tag}[{POOL}];");
    }
    text
}

/// The text before all functions.
pub(super) fn text() -> String {
    let mut text = String::new();
    for header in [
        "limits", "math", "setjmp", "stdbool", "stddef", "stdio", "stdlib", "string",
    ] {
        let _ = writeln!(text, "#include <{header}.h>");
    }
    text + TYPES + &declarations("extern ") + HELPERS
}

/// The definitions of what units share: a file of its own, or what follows a unit.
pub(super) fn runtime(alone: bool) -> String {
    let mut text = String::new();
    if alone {
        for header in ["setjmp", "stdbool", "stddef", "stdio", "string"] {
            let _ = writeln!(text, "#include <{header}.h>");
        }
        text += TYPES;
    }
    text += &declarations("");
    text += "jmp_buf failed;\nint failure;\n";
    text += "void fail(int code) {\n  failure = code;\n  longjmp(failed, 1);\n}\n";
    text += "int global_n = 12;\ndouble global_sum;\nvoid fill(unsigned call) {\n";
    let _ = writeln!(text, "  for (unsigned long x = 0; x < {POOL}; x++) {{");
    text += "    unsigned long r = (x * 2654435761ul + call * 40503ul) >> 5;\n";
    text += "    double v = (double)((x * 37 + call * 11) % 101) / 128 - 0.25;\n";
    for ty in Type::ALL {
        let value = match ty {
            _ if ty.is_float() => "v".to_owned(),
            Type::Bool => "r & 1".to_owned(),
            _ => format!("({})r", ty.c()),
        };
        let _ = writeln!(text, "    pool_{}[x] = {value};", ty.tag());
    }
    text += "    pool_vec[x] = (struct vec){ v, -v, v * 0.5f };\n";
    text += "    pool_rec[x].w = v; pool_rec[x].k = r & 1023; pool_rec[x].b = r; pool_rec[x].h = r >> 3;\n";
    text += "    pool_ii[x] = r & 63; pool_ic[x] = r & 63; pool_iz[x] = r & 63;\n  }\n";
    text += "  global_n = 12; global_sum = 0;\n}\n";
    text += "static unsigned long mixed(unsigned long h, unsigned long u) {\n";
    text += "  return (h ^ u) * 0x100000001b3ul + (h >> 29);\n}\n";
    text += "unsigned long bits(double v) {\n  unsigned long u = 1;\n";
    text += "  if (v == v)\n    memcpy(&u, &v, sizeof u);\n  return u;\n}\n";
    text += "void report(unsigned long seed, int call, unsigned long h) {\n";
    let _ = writeln!(text, "  for (unsigned long x = 0; x < {POOL}; x++) {{");
    for ty in Type::ALL {
        let value = if ty.is_float() { "bits" } else { "(unsigned long)" };
        let _ = writeln!(text, "    h = mixed(h, {value}(pool_{}[x]));", ty.tag());
    }
    for field in ["x", "y", "z"] {
        let _ = writeln!(text, "    h = mixed(h, bits(pool_vec[x].{field}));");
    }
    text += "    h = mixed(h, bits(pool_rec[x].w)); h = mixed(h, pool_rec[x].k); h = mixed(h, pool_rec[x].b);\n";
    text += "    h = mixed(h, pool_rec[x].h);\n";
    text += "    h = mixed(h, pool_ii[x]); h = mixed(h, pool_ic[x]); h = mixed(h, pool_iz[x]);\n";
    text += "  }\n  h = mixed(h, global_n); h = mixed(h, bits(global_sum));\n";
    text += "  printf(\"%lu %d %lx\\n\", seed, call, h);\n  fflush(stdout);\n}\n";
    text
}
