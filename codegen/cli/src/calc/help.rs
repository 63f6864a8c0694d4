//! What `help` says.

use super::binary;
use super::operations::{OPERATIONS, find};

const STATEMENTS: &str = "\
NAME := VALUE;  gives a value a name
VALUE;          prints a value, as does `print VALUE;`
help;           prints this, `help OPERATION;` what an operation does
quit;           ends

Values are sets and relations in isl's notation, `[n] -> { A[i] : 0 <= i < n }`, numbers, strings, names, and operations
on values. An operation with a name takes the operand behind it, `lexmin S`, or several in parentheses, `gist(S, T)`.
R(S) is the image of a set or the composition with a relation, R^-1 the inverse, R^3 the third power. `#` begins a comment.
";

/// All operations, or none if there is none called `word`.
pub(super) fn help(word: Option<&str>) -> Option<String> {
    let Some(word) = word else {
        let mut out = format!("{STATEMENTS}\nBetween operands:\n");
        for (sign, meaning) in binary::HELP {
            out.push_str(&format!("  {sign:7}{meaning}\n"));
        }
        out.push_str("\nWith a name:\n");
        for operation in OPERATIONS {
            out.push_str(&format!("  {:21} {}\n", operation.names.join(", "), operation.gives));
        }
        return Some(out);
    };
    if let Some((sign, meaning)) = binary::HELP.iter().find(|(sign, _)| *sign == word) {
        return Some(format!("{sign}: {meaning}\n"));
    }
    let operation = find(word)?;
    Some(format!(
        "{}: takes {}; gives {}\nexample: {};\n",
        operation.names.join(", "),
        operation.takes,
        operation.gives,
        operation.example
    ))
}
