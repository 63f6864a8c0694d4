//! Piecewise quasi-polynomials to text: `[n] -> { S[i] -> (1/2 * i + n^2) : 0 <= i < n }`.

use super::printer::{condition, variable_names, write_all, write_tuple};
use crate::int::Int;
use crate::linalg::Rat;
use crate::sets::{Polynomial, PwQuasiPolynomial, UnionPwQuasiPolynomial};
use std::fmt::{self, Display, Write};

/// The polynomial over variables with these names, terms of smaller degree first.
fn polynomial_text(polynomial: &Polynomial, names: &[String]) -> String {
    let mut terms: Vec<(&[u32], &Rat)> = polynomial.terms().collect();
    terms.sort_by_key(|(monomial, _)| (monomial.iter().sum::<u32>(), std::cmp::Reverse(monomial.to_vec())));
    let mut out = String::new();
    for (monomial, coefficient) in terms {
        let (size, negative) = (coefficient.abs(), coefficient.sign() < 0);
        out.push_str(match (out.is_empty(), negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        let powers = monomial.iter().zip(names).filter(|(exponent, _)| **exponent > 0);
        let mut factors: Vec<String> = powers
            .map(|(exponent, name)| match exponent {
                1 => name.clone(),
                _ => format!("{name}^{exponent}"),
            })
            .collect();
        if factors.is_empty() || size != Rat::from(Int::ONE) {
            factors.insert(0, size.to_string());
        }
        out.push_str(&factors.join(" * "));
    }
    if out.is_empty() { "0".into() } else { out }
}

/// Writes `domain -> (polynomial) : condition; ..`, without the arrow on the tuple of no dimensions.
fn write_pieces(out: &mut String, function: &PwQuasiPolynomial) {
    let space = function.space();
    let names = variable_names(&space.params, &[(&space.tuple, "i")]);
    let mut domain = String::new();
    if !space.tuple.is_unit() {
        write_tuple(&mut domain, &space.tuple, &mut names[space.params.len()..].iter());
        domain.push_str(" -> ");
    }
    for (position, (set, polynomial)) in function.pieces().enumerate() {
        if position > 0 {
            out.push_str("; ");
        }
        let text = polynomial_text(polynomial, &names);
        let plain = polynomial.terms().count() < 2;
        let _ = match plain {
            true => write!(out, "{domain}{text}"),
            false => write!(out, "{domain}({text})"),
        };
        if let Some(condition) = condition(set, &names) {
            let _ = write!(out, " : {condition}");
        }
    }
}

impl Display for PwQuasiPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces = (self.pieces().len() > 0).then_some(|out: &mut String| write_pieces(out, self));
        write_all(f, &self.space().params, pieces.into_iter())
    }
}

impl Display for UnionPwQuasiPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts().iter().filter(|part| part.pieces().len() > 0);
        write_all(
            f,
            self.params(),
            parts.map(|part| |out: &mut String| write_pieces(out, part)),
        )
    }
}
