"""FileCheck tests of the plugin through stock opt and clang.

Run with `/usr/lib/llvm-22/bin/lit lit`. Parameters: `-Dplugin=PATH` for another plugin than target/release/libfarkas.so,
`-Dllvm_bin=DIR` for the LLVM to test with.
"""

import os

import lit.formats

config.name = "farkas"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

root = os.path.dirname(os.path.abspath(config.test_source_root))
target = os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target"))
config.test_exec_root = os.path.join(target, "lit")

plugin = lit_config.params.get("plugin", os.path.join(target, "release", "libfarkas.so"))
if not os.path.exists(plugin):
    lit_config.fatal(f"the plugin is not built: {plugin}")

# The command is not among what the plugin needs.
command = os.path.join(os.path.dirname(plugin), "farkas")
if os.path.exists(command):
    config.available_features.add("command")

tools = lit_config.params.get("llvm_bin", "/usr/lib/llvm-22/bin")
config.environment["PATH"] = tools + os.pathsep + config.environment["PATH"]
config.environment.pop("RUST_LOG", None)

# The longest names first: lit replaces them as plain text.
config.substitutions += [
    # Detection on its own, on IR as it is where the pass runs in the default pipelines.
    ("%scop", f"opt -load-pass-plugin={plugin} -passes='farkas<print=scop;model-only;verify>' -disable-output -pass-remarks-missed=farkas"),
    # The IR that the pass sees in clang's pipeline, from C.
    ("%model", f"clang -O2 -Rpass-missed=farkas -fno-discard-value-names -fpass-plugin={plugin} -mllvm -farkas-print=scop -mllvm -farkas-model-only -mllvm -farkas-verify -c -o /dev/null"),
    ("%opt", f"opt -load-pass-plugin={plugin} -farkas-verify"),
    ("%farkas", command),
    ("%clang", f"clang -fpass-plugin={plugin} -mllvm -farkas-verify"),
    ("%plugin", plugin),
]
