//! From a kernel's module for a device to one for the host, as text.
//!
//! | device | host |
//! |---|---|
//! | the target, and the kernel's calling convention | none |
//! | `llvm.nvvm.read.ptx.sreg.tid.x` and the like | a load from a variable that the emulator sets: see [`REGISTERS`] |
//! | `load T, ptr p`, `store T v, ptr p` | the same with the address that a function of the emulator returns for `p` |
//! | the kernel's parameters | loads from a list of their addresses, as `cuLaunchKernel` has it |
//! | `@x = addrspace(3) global`, `addrspacecast (ptr addrspace(3) @x to ptr)` | a variable of the host, of which there is a table |
//! | `ptr addrspace(3)`, `ptr addrspace(1)`, and casts to and from them | `ptr`, and casts that do nothing |
//! | `llvm.nvvm.barrier.cta.sync.aligned.all` | a call of a function of the emulator |
//! | `llvm.nvvm.mma.m16n8k4.row.col.f64` | the same, which puts the results in a variable |
//! | `llvm.nvvm.cp.async.ca.shared.global.4` and the like, `.commit.group`, `.wait.group` | calls of functions of the emulator |

use std::fmt::Write;

/// The registers of a thread, in the order in which the emulator has them.
pub(crate) const REGISTERS: [&str; 12] = [
    "tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z", "ntid.x", "ntid.y", "ntid.z", "nctaid.x", "nctaid.y",
    "nctaid.z",
];

/// The prefix of the intrinsics that read registers.
const REGISTER: &str = "@llvm.nvvm.read.ptx.sreg.";

/// The barrier of all threads of a block.
const BARRIER: &str = "@llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";

/// The matrix instruction.
const MMA: &str = "@llvm.nvvm.mma.m16n8k4.row.col.f64(";
/// The prefix of the intrinsics that copy asynchronously.
const COPY: &str = "@llvm.nvvm.cp.async.";

/// A module for the host.
#[derive(Clone, Debug)]
pub(crate) struct HostModule {
    /// As IR. It has the function `run`, which takes the list of the addresses of the kernel's arguments, and the variables `registers`,
    /// `check`, `barrier`, `mma`, `begin_copy`, `commit_copies`, `wait_for_copies` and `shared_memory`.
    pub(crate) text: String,
    /// How many variables the table `shared_memory` has.
    pub(crate) shared: usize,
    /// Whether threads wait for each other.
    pub(crate) has_barriers: bool,
}

/// Why a module is not for the host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsupported {
    #[error("there is no kernel")]
    NoKernel,
    #[error("what this accesses is not known: {0}")]
    Access(String),
    #[error("the emulator does not have this: {0}")]
    Intrinsic(String),
}

/// The module for the host.
pub(crate) fn retargeted(module: &str) -> Result<HostModule, Unsupported> {
    let mut text = String::new();
    let mut kernel = None;
    let mut shared: Vec<Variable<'_>> = Vec::new();
    let mut has_barriers = false;
    for (number, line) in module.lines().enumerate() {
        let known = [REGISTER, COPY, MMA, "@llvm.nvvm.barrier.cta.sync.aligned.all("];
        let is_known = |line: &str| known.iter().any(|own| line.contains(own));
        if line.starts_with("target ") || line.starts_with("declare ") && is_known(line) {
            continue;
        }
        if let Some(variable) = Variable::in_line(line) {
            shared.push(variable);
            continue;
        }
        let line = &shared
            .iter()
            .fold(line.to_owned(), |line, variable| variable.renamed(&line));
        let line = &without_address_spaces(line);
        if line.contains(BARRIER) {
            has_barriers = true;
            text += &format!("  %barrier.{number} = load ptr, ptr @barrier\n  call void %barrier.{number}()\n");
            continue;
        }
        if let Some((call, arguments)) = line.split_once(MMA) {
            let unknown = || Unsupported::Intrinsic(line.clone());
            let (result, _) = call.split_once(" = ").ok_or_else(unknown)?;
            let end = closing(arguments).ok_or_else(unknown)?;
            has_barriers = true;
            text += &multiplied(result.trim(), &arguments[..end], number);
            continue;
        }
        if let Some((_, call)) = line.split_once(COPY) {
            text += &copying(call, number).ok_or_else(|| Unsupported::Intrinsic(call.to_owned()))?;
            continue;
        }
        if let Some(unknown) = line.split("@llvm.nvvm.").nth(1).filter(|_| !line.contains(REGISTER)) {
            return Err(Unsupported::Intrinsic(unknown.to_owned()));
        }
        if line.contains("addrspace(") {
            return Err(Unsupported::Access(line.to_owned()));
        }
        if line.starts_with("define ") && line.contains("ptx_kernel") {
            let (name, types) = signature(line).ok_or(Unsupported::NoKernel)?;
            let owned = |text: &str| text.to_owned();
            kernel = Some((owned(name), types.into_iter().map(owned).collect::<Vec<_>>()));
        }
        let line = line.replace("ptx_kernel ", "").replace(REGISTER, "@register.");
        text += &checked(&line, number)?;
        text.push('\n');
    }
    let (name, types) = kernel.ok_or(Unsupported::NoKernel)?;
    text += &prelude(&name, &types);
    text += &table(&shared);
    Ok(HostModule {
        text,
        shared: shared.len(),
        has_barriers,
    })
}

/// A matrix instruction with these arguments, and its result.
fn multiplied(result: &str, arguments: &str, number: usize) -> String {
    format!(
        "  %mma.{number} = load ptr, ptr @mma\n  call void %mma.{number}({arguments}, ptr @mma_results)\n  \
         {result} = load {{ double, double, double, double }}, ptr @mma_results\n"
    )
}

/// The line with addresses that do not say of which memory they are.
fn without_address_spaces(line: &str) -> String {
    match line.contains("addrspace") {
        true => line
            .replace("ptr addrspace(1)", "ptr")
            .replace("ptr addrspace(3)", "ptr")
            .replace("addrspacecast", "bitcast"),
        false => line.to_owned(),
    }
}

/// The call for one of an intrinsic that copies asynchronously, given from behind its prefix on; `None` if it is not known.
fn copying(call: &str, number: usize) -> Option<String> {
    let (name, rest) = call.split_once('(')?;
    let arguments = &rest[..closing(rest)?];
    let (function, arguments) = match name {
        "ca.shared.global.4" => ("begin_copy", format!("{arguments}, i64 4")),
        "ca.shared.global.8" => ("begin_copy", format!("{arguments}, i64 8")),
        "cg.shared.global.16" => ("begin_copy", format!("{arguments}, i64 16")),
        "commit.group" => ("commit_copies", String::new()),
        "wait.group" => ("wait_for_copies", arguments.to_owned()),
        _ => return None,
    };
    let load = format!("  %{function}.{number} = load ptr, ptr @{function}\n");
    Some(load + &format!("  call void %{function}.{number}({arguments})\n"))
}

/// A variable that the threads of a block share.
struct Variable<'m> {
    name: &'m str,
    ty: &'m str,
    alignment: &'m str,
}

impl<'m> Variable<'m> {
    /// The one that a line defines: `@x = internal addrspace(3) global T poison, align 64`.
    fn in_line(line: &'m str) -> Option<Variable<'m>> {
        let (name, rest) = line.split_once(" = ")?;
        let (_, rest) = rest.split_once("addrspace(3) global ")?;
        let (ty, rest) = [" undef, ", " poison, "]
            .iter()
            .find_map(|value| rest.split_once(value))?;
        let alignment = rest.strip_prefix("align ")?;
        name.starts_with('@').then_some(Variable { name, ty, alignment })
    }

    /// The line with the host's variable.
    fn renamed(&self, line: &str) -> String {
        let own = format!("addrspacecast (ptr addrspace(3) {} to ptr)", self.name);
        line.replace(&own, self.name)
    }
}

/// The variables, and the table of them.
fn table(variables: &[Variable<'_>]) -> String {
    let mut text = String::new();
    let mut entries = Vec::new();
    for Variable { name, ty, alignment } in variables {
        text += &format!("{name} = internal global {ty} zeroinitializer, align {alignment}\n");
        let bytes = format!("ptrtoint (ptr getelementptr ({ty}, ptr null, i64 1) to i64)");
        entries.push(format!("{{ ptr, i64 }} {{ ptr {name}, i64 {bytes} }}"));
    }
    let n = entries.len();
    text + &format!(
        "@shared_memory = global [{n} x {{ ptr, i64 }}] [{}]\n",
        entries.join(", ")
    )
}

/// The name of the kernel in the line that defines it, and the types of its parameters.
fn signature(line: &str) -> Option<(&str, Vec<&str>)> {
    let (_, rest) = line.split_once('@')?;
    let (name, rest) = rest.split_once('(')?;
    let parameters = &rest[..closing(rest)?];
    let types = commas(parameters)
        .into_iter()
        .filter_map(|parameter| parameter.split(' ').next());
    Some((name, types.filter(|ty| !ty.is_empty()).collect()))
}

/// Where the parenthesis is that closes the one before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0
    })
}

/// The parts of a text between commas that are in no brackets.
fn commas(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c| {
        depth += match c {
            '(' | '[' | '<' | '{' => 1,
            ')' | ']' | '>' | '}' => -1,
            _ => 0,
        };
        c == ',' && depth == 0
    };
    text.split(outside).map(str::trim).collect()
}

/// The line with its access checked, if it has one.
fn checked(line: &str, number: usize) -> Result<String, Unsupported> {
    let unknown = || Unsupported::Access(line.to_owned());
    let instruction = line.trim();
    let (arguments, is_write) = if let Some((_, arguments)) = instruction.split_once(" = load ") {
        (arguments, false)
    } else if let Some(arguments) = instruction.strip_prefix("store ") {
        (arguments, true)
    } else if [
        "atomicrmw",
        "cmpxchg",
        "@llvm.memcpy",
        "@llvm.memset",
        "@llvm.memmove",
        "@llvm.masked",
    ]
    .iter()
    .any(|other| instruction.contains(other))
        && !instruction.starts_with("declare")
    {
        return Err(unknown());
    } else {
        return Ok(line.to_owned());
    };
    let parts = commas(arguments);
    let ty = match is_write {
        false => parts.first().copied(),
        true => parts.first().and_then(|stored| type_of(stored)),
    };
    let address = parts
        .get(1)
        .and_then(|part| part.strip_prefix("ptr "))
        .ok_or_else(unknown)?;
    let bytes = ty.and_then(bytes).ok_or_else(unknown)?;
    let call = format!("  %check.{number} = load ptr, ptr @check\n");
    let access = format!(
        "  %at.{number} = call ptr %check.{number}(ptr {address}, i64 {bytes}, i32 {})\n",
        i32::from(is_write)
    );
    let replaced = line.replacen(&format!("ptr {address}"), &format!("ptr %at.{number}"), 1);
    Ok(call + &access + &replaced)
}

/// The type that a value has in front of it.
fn type_of(operand: &str) -> Option<&str> {
    match operand.starts_with('<') {
        true => operand.split_inclusive('>').next(),
        false => operand.split(' ').next(),
    }
}

/// The bytes of a value of a type.
fn bytes(ty: &str) -> Option<u64> {
    match ty {
        "i1" | "i8" => Some(1),
        "i16" => Some(2),
        "i32" | "float" => Some(4),
        "i64" | "double" | "ptr" => Some(8),
        _ => {
            let (n, element) = ty.strip_prefix('<')?.strip_suffix('>')?.split_once(" x ")?;
            Some(n.parse::<u64>().ok()? * bytes(element)?)
        }
    }
}

/// What the host's module has besides. Its names are none of C's library, which would be found first.
fn prelude(kernel: &str, types: &[String]) -> String {
    let mut text = format!(
        "\n@registers = global [{} x i32] zeroinitializer\n@mma_results = global [4 x double] zeroinitializer\n",
        REGISTERS.len()
    );
    for function in [
        "check",
        "barrier",
        "mma",
        "begin_copy",
        "commit_copies",
        "wait_for_copies",
    ] {
        text += &format!("@{function} = global ptr null\n");
    }
    let mut add = |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").expect("a string takes all text");
    for (index, register) in REGISTERS.iter().enumerate() {
        add(format_args!("define internal i32 @register.{register}() {{"));
        add(format_args!(
            "  %v = load i32, ptr getelementptr (i32, ptr @registers, i64 {index})"
        ));
        add(format_args!("  ret i32 %v\n}}"));
    }
    add(format_args!("define void @run(ptr %arguments) {{"));
    let mut arguments = Vec::new();
    for (index, ty) in types.iter().enumerate() {
        add(format_args!(
            "  %p{index} = getelementptr ptr, ptr %arguments, i64 {index}"
        ));
        add(format_args!("  %q{index} = load ptr, ptr %p{index}"));
        add(format_args!("  %v{index} = load {ty}, ptr %q{index}"));
        arguments.push(format!("{ty} %v{index}"));
    }
    add(format_args!(
        "  call void @{kernel}({})\n  ret void\n}}",
        arguments.join(", ")
    ));
    text
}
