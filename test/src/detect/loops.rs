//! The loops of a source file: those to which the front end gives a place in the source.
//!
//! They are read from the IR before any pass: each back edge names a node with the places where the loop starts and ends.

use super::LIMIT;
use super::command::Compilation;
use crate::limited::run_for;
use std::collections::{BTreeMap, BTreeSet};

/// A line and a column.
pub type Place = (u32, u32);

/// A loop in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLoop {
    /// The function's name in the object file.
    pub function: String,
    /// The file as the debug information names it.
    pub file: String,
    /// Where the loop starts.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
}

impl SourceLoop {
    /// Whether the loop is the other one or inside it.
    pub fn is_in(&self, other: &SourceLoop) -> bool {
        self.function == other.function && self.file == other.file && self.start >= other.start && self.end <= other.end
    }
}

/// The loops of a file.
pub fn of_source(compilation: &Compilation) -> Vec<SourceLoop> {
    let mut command = compilation.command();
    command.args(["-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-"]);
    let finished = run_for(&mut command, LIMIT).expect("a compiler that can be started");
    finished.map_or_else(Vec::new, |finished| of_ir(&finished.stdout))
}

/// The loops in textual IR.
pub fn of_ir(ir: &str) -> Vec<SourceLoop> {
    let nodes: BTreeMap<&str, &str> = ir
        .lines()
        .filter(|line| line.starts_with('!'))
        .filter_map(|line| line.split_once(" = "))
        .collect();
    let identifiers = ir
        .lines()
        .filter_map(|line| line.split_once("!llvm.loop "))
        .map(|(_, rest)| {
            let end = rest
                .find(|c: char| c != '!' && !c.is_ascii_digit())
                .unwrap_or(rest.len());
            &rest[..end]
        });
    let loops: BTreeSet<SourceLoop> = identifiers.filter_map(|id| source_loop(&nodes, id)).collect();
    loops.into_iter().collect()
}

fn source_loop(nodes: &BTreeMap<&str, &str>, id: &str) -> Option<SourceLoop> {
    let text = nodes.get(id)?;
    let operands = text.split_once('{')?.1.trim_end_matches('}').split(", ");
    let mut places = operands
        .skip(1)
        .filter_map(|o| nodes.get(o))
        .filter(|t| t.contains("DILocation("));
    let (start, end) = (places.next()?, places.next()?);
    let mut scope = field(start, "scope")?;
    // Lexical blocks lie in functions.
    while !nodes.get(scope)?.contains("DISubprogram(") {
        scope = field(nodes.get(scope)?, "scope")?;
    }
    let function = nodes.get(scope)?;
    let name = field(function, "linkageName").or_else(|| field(function, "name"))?;
    Some(SourceLoop {
        function: name.trim_matches('"').to_owned(),
        file: field(nodes.get(field(function, "file")?)?, "filename")?
            .trim_matches('"')
            .to_owned(),
        start: place(start)?,
        end: place(end)?,
    })
}

fn place(location: &str) -> Option<Place> {
    let column = field(location, "column").map_or(Some(0), |c| c.parse().ok())?;
    Some((field(location, "line")?.parse().ok()?, column))
}

/// The value of a field of a specialised node.
fn field<'a>(node: &'a str, name: &str) -> Option<&'a str> {
    let fields = node.split_once('(')?.1.trim_end_matches(')').split(", ");
    fields
        .filter_map(|field| field.split_once(": "))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_loops_are_found() {
        let ir = r#"
  br label %1, !dbg !3, !llvm.loop !5
  br label %2, !llvm.loop !6, !dbg !3
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", linkageName: "_f", scope: !1, file: !1, line: 2)
!3 = !DILocation(line: 3, column: 4, scope: !7)
!4 = !DILocation(line: 9, column: 5, scope: !7)
!5 = distinct !{!5, !3, !4, !10}
!6 = distinct !{!6, !8, !9}
!7 = distinct !DILexicalBlock(scope: !2, file: !1, line: 2)
!8 = !DILocation(line: 4, column: 6, scope: !2)
!9 = !DILocation(line: 8, column: 5, scope: !2)
!10 = !{!"llvm.loop.mustprogress"}
"#;
        let found = of_ir(ir);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].function.as_str(), found[0].file.as_str()), ("_f", "a.c"));
        assert_eq!((found[0].start, found[1].end), ((3, 4), (8, 5)));
        assert!(found[1].is_in(&found[0]) && !found[0].is_in(&found[1]));
    }
}
