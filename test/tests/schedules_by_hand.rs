//! Schedules by hand: kernels are exported, their schedules edited, and imported. What is legal is taken, what is not is refused, and outputs
//! are the same, bit for bit, either way.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use farkas_plan::{original_tree, private_slots};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::text;
use farkas_polyhedral::sets::{MultiUnionPwAff, Name};
use farkas_polyhedral::tree::{Band, Mark, Node, Tree};
use farkas_test::{With, compile, kernel_dir, scratch};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Kernels of different kinds: products, sums, stencils, in place or not, triangles.
const KERNELS: [&str; 10] = [
    "gemm", "atax", "doitgen", "jacobi2d", "seidel2d", "lu", "trisolv", "apsp", "syrk", "filter",
];

const FLAGS: [&str; 3] = ["-DN=37", "-DSTEPS=5", "-gline-tables-only"];

/// The files of a folder whose names end so, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("an exported folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|own| own == extension))
        .collect();
    files.sort();
    files
}

/// What becomes of a band, and of the scalar slots that each lane has a copy of.
type Edit = fn(Band, &[Name]) -> Band;

/// Writes a tree for each program that was exported.
fn edit(exported: &Path, edited: &Path, rewrite: Edit) {
    fs::create_dir_all(edited).expect("a folder in the scratch folder");
    for file in files(exported, "scop") {
        let text = fs::read_to_string(&file).expect("an exported program");
        for program in text::programs(&text).unwrap_or_else(|error| panic!("{}:{error}", file.display())) {
            let tree = original_tree(&program);
            let slots = private_slots(&program);
            let tree = Tree {
                root: in_bands(tree.root, &|band| rewrite(band, &slots)),
                ..tree
            };
            let name = file.with_extension("st");
            let path = edited.join(name.file_name().expect("a name"));
            fs::write(path, tree.to_string()).expect("a file in the scratch folder");
        }
    }
}

/// The node with all bands of several members rewritten.
fn in_bands(node: Node, rewrite: &dyn Fn(Band) -> Band) -> Node {
    let node = node.map_children(&mut |child| in_bands(child, rewrite));
    match node {
        Node::Band(band) if band.n() > 1 => Node::band(rewrite(*band)),
        other => other,
    }
}

fn interchanged(band: Band, _: &[Name]) -> Band {
    let order: Vec<usize> = (0..band.n()).rev().collect();
    band.select(&order)
}

fn tiled(band: Band, _: &[Name]) -> Band {
    let sizes = vec![5; band.n()];
    band.with_permutable(true).tiled(&sizes)
}

fn backward(band: Band, _: &[Name]) -> Band {
    let schedule = band.schedule();
    let affs = schedule.affs().iter().map(|aff| aff.scale(&Int::from(-1))).collect();
    let backward = MultiUnionPwAff::new(schedule.range_tuple().clone(), affs);
    band.with_schedule(backward)
}

/// Four neighbouring iterations of a member in vector lanes, around the members behind it.
fn in_lanes(band: &Band, member: usize, private: &[Name]) -> Band {
    let mark = Mark::Vector {
        lanes: 4,
        masked: false,
        private: private.to_vec(),
    };
    let others: Vec<usize> = (member + 1..band.n()).collect();
    let inside = match others.is_empty() {
        true => band.child.clone(),
        false => Node::band(band.select(&others)),
    };
    let lanes = Node::Mark(mark, Box::new(Node::band(band.select(&[member]).with_child(inside))));
    let outer: Vec<usize> = (0..=member).collect();
    let sizes: Vec<i64> = outer.iter().map(|own| if *own == member { 4 } else { 1 }).collect();
    let strips = band.select(&outer).with_permutable(true).tiled(&sizes);
    strips.with_child(lanes).with_permutable(false)
}

fn inner_lanes(band: Band, private: &[Name]) -> Band {
    in_lanes(&band, band.n() - 1, private)
}

fn outer_lanes(band: Band, private: &[Name]) -> Band {
    in_lanes(&band, 0, private)
}

/// How many of the trees in a folder are taken, and how many refused. Outputs are those of clang.
fn imported(kernel: &str, folder: &Path, expected: &str) -> (usize, usize) {
    let source = kernel_dir().join(format!("{kernel}.c"));
    let import = format!("-farkas-import={}", folder.display());
    let edit = folder.file_name().expect("a name").to_string_lossy().into_owned();
    let flags = [&FLAGS[..], &["-mllvm", &import]].concat();
    let program = compile(&source, &format!("{kernel}-{edit}"), With::Farkas, &flags);
    assert!(
        !program.diagnostics.contains("internal error"),
        "{}",
        program.diagnostics
    );
    assert_eq!(program.run(&["dump"]), expected, "{kernel}, {edit}");
    let said = |text: &str| program.diagnostics.matches(text).count();
    (said("loops in an order by hand"), said("schedule not taken"))
}

/// What becomes of each kernel: by its own plan, exported and imported, and by three edits of its original order.
fn check(kernels: &[&str], expected: Expect) {
    let mut table = String::new();
    for kernel in kernels {
        let source = kernel_dir().join(format!("{kernel}.c"));
        let plain = compile(&source, &format!("{kernel}-plain"), With::Clang, &FLAGS[..2]);
        let output = plain.run(&["dump"]);
        let folder = scratch().join(format!("schedules-{kernel}"));
        let exported = folder.join("exported");
        let export = format!("-farkas-export={}", exported.display());
        let flags = [&FLAGS[..], &["-mllvm", &export]].concat();
        compile(&source, &format!("{kernel}-exported"), With::Farkas, &flags);
        write!(table, "{kernel}: {} regions", files(&exported, "st").len()).expect("a string takes all text");
        let mut add = |edit: &str| {
            let (taken, refused) = imported(kernel, &folder.join(edit), &output);
            write!(table, ", {edit} {taken} taken {refused} refused").expect("a string takes all text");
        };
        add("exported");
        let edits: [(&str, Edit); 5] = [
            ("interchanged", interchanged),
            ("tiled", tiled),
            ("backward", backward),
            ("inner-lanes", inner_lanes),
            ("outer-lanes", outer_lanes),
        ];
        for (name, rewrite) in edits {
            edit(&exported, &folder.join(name), rewrite);
            add(name);
        }
        table.push('\n');
    }
    expected.assert_eq(&table);
}

#[test]
fn edited_schedules_are_taken_where_they_are_legal() {
    check(
        &KERNELS,
        expect![[r#"
            gemm: 4 regions, exported 3 taken 0 refused, interchanged 3 taken 0 refused, tiled 3 taken 0 refused, backward 3 taken 0 refused, inner-lanes 3 taken 0 refused, outer-lanes 3 taken 0 refused
            atax: 7 regions, exported 5 taken 0 refused, interchanged 5 taken 0 refused, tiled 5 taken 0 refused, backward 5 taken 0 refused, inner-lanes 5 taken 0 refused, outer-lanes 5 taken 0 refused
            doitgen: 6 regions, exported 4 taken 0 refused, interchanged 4 taken 0 refused, tiled 4 taken 0 refused, backward 3 taken 1 refused, inner-lanes 3 taken 1 refused, outer-lanes 3 taken 1 refused
            jacobi2d: 4 regions, exported 3 taken 0 refused, interchanged 3 taken 0 refused, tiled 3 taken 0 refused, backward 3 taken 0 refused, inner-lanes 3 taken 0 refused, outer-lanes 3 taken 0 refused
            seidel2d: 4 regions, exported 3 taken 0 refused, interchanged 2 taken 1 refused, tiled 2 taken 1 refused, backward 2 taken 1 refused, inner-lanes 2 taken 1 refused, outer-lanes 2 taken 1 refused
            lu: 6 regions, exported 3 taken 0 refused, interchanged 3 taken 0 refused, tiled 3 taken 0 refused, backward 3 taken 2 refused, inner-lanes 3 taken 2 refused, outer-lanes 3 taken 0 refused
            trisolv: 6 regions, exported 4 taken 0 refused, interchanged 4 taken 0 refused, tiled 4 taken 0 refused, backward 4 taken 0 refused, inner-lanes 4 taken 0 refused, outer-lanes 4 taken 0 refused
            apsp: 4 regions, exported 3 taken 0 refused, interchanged 2 taken 1 refused, tiled 2 taken 1 refused, backward 2 taken 1 refused, inner-lanes 2 taken 1 refused, outer-lanes 2 taken 1 refused
            syrk: 4 regions, exported 3 taken 0 refused, interchanged 3 taken 0 refused, tiled 3 taken 0 refused, backward 2 taken 1 refused, inner-lanes 3 taken 0 refused, outer-lanes 2 taken 1 refused
            filter: 9 regions, exported 8 taken 0 refused, interchanged 8 taken 0 refused, tiled 8 taken 0 refused, backward 8 taken 0 refused, inner-lanes 8 taken 0 refused, outer-lanes 8 taken 0 refused
        "#]],
    );
}
