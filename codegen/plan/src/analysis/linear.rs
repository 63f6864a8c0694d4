//! The linear parts of accesses and schedules: what moving along a loop does to subscripts.

use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::{Matrix, Row, dot, kernel, row_form, zeros};
use farkas_polyhedral::program::{AccessKind, Program, Statement};
use farkas_polyhedral::sets::{Aff, ByTuple, Conj, Map, Name, Set, Tuple};

use super::estimate::{float, lengths_together};

/// The linear part of an access.
#[derive(Clone, Debug)]
pub(crate) struct LinearAccess {
    pub(crate) array: Tuple,
    pub(crate) writes: bool,
    /// One row per subscript, over the statement's dimensions; `None` where the subscripts are not affine.
    subscripts: Option<Vec<Row>>,
    /// What is divided in them, over the statement's dimensions: `i` in `i mod 2`.
    divided: Vec<Row>,
    /// The subscripts with a row and a constant for each, unfolded where buffers [take turns](Program::unfolded); `None` where they are not affine.
    unfolded: Option<Vec<(Row, f64)>>,
    /// Whether these are the subscripts of a later piece, that stands for a first one that is not affine.
    pub(crate) is_in_pieces: bool,
    /// By how many elements it moves along each dimension of the statement where its subscripts are not affine, as far as known.
    moves: Option<Vec<Option<i64>>>,
    /// The rows of the subscripts of each piece, if there are several; `None` where those of one are not affine.
    pieces: Option<Vec<Vec<Row>>>,
    /// The constant of each subscript, where subscripts are affine.
    pub(crate) constants: Vec<f64>,
    /// The parameters in each subscript, with their factors.
    parameters: Vec<Factors>,
}

/// How an access moves from one iteration of a loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    /// The same element.
    Zero,
    /// The next or the previous element.
    Unit,
    /// Somewhere else.
    Other,
}

/// The accesses of a statement.
#[derive(Clone, Debug)]
pub(crate) struct LinearStatement {
    pub(crate) depth: usize,
    /// The directions in which there are instances: fewer than dimensions, where the domain fixes some.
    pub(crate) directions: Vec<Row>,
    pub(crate) accesses: Vec<LinearAccess>,
    /// Whether a reduction is part of it, whose instances come in any order but not at once.
    pub(crate) reduces: bool,
}

/// The linear parts of all statements.
pub(crate) type Statements = ByTuple<LinearStatement>;

/// The linear parts of a program's accesses.
pub(crate) fn statements(program: &Program) -> Statements {
    let unfolded = program.unfolded();
    let statement = |(s, unfolded): (&Statement, &Statement)| LinearStatement {
        depth: s.tuple().n(),
        directions: directions(&s.domain),
        reduces: s.accesses.iter().any(|access| access.reduction.is_some()),
        accesses: s
            .accesses
            .iter()
            .zip(&unfolded.accesses)
            .enumerate()
            .map(|(position, (access, unfolded))| {
                let unfolded = subscripts_of(&unfolded.relation, Remainders::InTheMean);
                let subscripts = subscripts_of(&access.relation, Remainders::InTheMean);
                let known = subscripts.iter().flatten();
                let is_in_pieces = access.relation.pieces().len() > 1 && common_function(&access.relation).is_none();
                LinearAccess {
                    moves: s
                        .moves
                        .iter()
                        .find(|moves| moves.access.0 == position)
                        .map(|moves| moves.by.clone()),
                    pieces: match is_in_pieces {
                        true => rows_of_pieces(&access.relation),
                        false => Some(Vec::new()),
                    },
                    unfolded: unfolded.map(|all| all.into_iter().map(|s| (s.linear, float(&s.constant))).collect()),
                    divided: known.clone().flat_map(|s| s.divided.iter().cloned()).collect(),
                    is_in_pieces,
                    array: access.array().clone(),
                    writes: access.kind != AccessKind::Read,
                    constants: known.clone().map(|s| float(&s.constant)).collect(),
                    parameters: known.map(|s| s.parameters.clone()).collect(),
                    subscripts: subscripts.map(|all| all.into_iter().map(|s| s.linear).collect()),
                }
            })
            .collect(),
    };
    let pairs = program.statements.iter().zip(&unfolded.statements);
    pairs.map(|pair| (pair.0.tuple().clone(), statement(pair))).collect()
}

/// The directions that the largest piece of a domain extends in, or [all pieces together](lengths_together).
fn directions(domain: &Set) -> Vec<Row> {
    let (first, n) = (1 + domain.params().len(), domain.tuple().n());
    let together = lengths_together(domain);
    let is_one_of_several = |row: &Row| {
        let mut dims = (0..n).filter(|dim| !row[*dim].is_zero());
        matches!((dims.next(), dims.next()), (Some(dim), None) if together[dim].is_some_and(|length| length > 1.0))
    };
    let of_piece = |piece: &Conj| {
        let dims = |row: &Row| -> Option<Row> {
            let local = row[first + n..].iter().any(|c| !c.is_zero());
            (!local).then(|| Row::from(&row[first..first + n]))
        };
        let fixing = piece.eqs().iter().filter_map(dims);
        let fixing = fixing.filter(|row| !is_one_of_several(row)).collect();
        kernel(&Matrix::new(fixing, n)).rows
    };
    domain
        .pieces()
        .iter()
        .map(of_piece)
        .max_by_key(Vec::len)
        .unwrap_or_default()
}

/// Parameters with factors other than zero.
pub(crate) type Factors = Vec<(Name, Int)>;

/// A subscript that is an affine function of an instance.
struct Subscript {
    linear: Row,
    /// What is divided in it.
    divided: Vec<Row>,
    parameters: Factors,
    constant: Int,
}

/// For each subscript of a relation that is an affine function on its domain, its linear part and its constant. What depends on
/// parameters only is not looked at: it has no linear part.
pub(crate) fn affine_subscripts(relation: &Map) -> Option<Vec<(Row, Int)>> {
    let subscripts = subscripts_of(relation, Remainders::None)?.into_iter();
    Some(subscripts.map(|s| (s.linear, s.constant)).collect())
}

/// Whether subscripts may be other than affine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remainders {
    /// They may not.
    None,
    /// With divisions, the linear part is that in the mean, if it is integral: 0 for `i mod 2`, 2 for `i mod 2 + 2 j` along `j`.
    InTheMean,
}

/// The subscripts of a relation that is an affine function on its domain: those that all pieces have, or else those of the piece with the fewest
/// equations, as others may be a single row, where a subscript is a constant.
fn subscripts_of(relation: &Map, remainders: Remainders) -> Option<Vec<Subscript>> {
    let of_piece = |piece: &Conj| subscripts_of_piece(relation, piece, remainders);
    if let Some(common) = common_function(relation) {
        return of_piece(&common);
    }
    let mut pieces: Vec<&Conj> = relation.pieces().iter().collect();
    pieces.sort_by_key(|piece| piece.eqs().len());
    match remainders {
        Remainders::None => of_piece(pieces.first()?),
        Remainders::InTheMean => pieces.into_iter().find_map(of_piece),
    }
}

/// The equations that hold in all of several pieces of a relation, if these say what each subscript is.
///
/// ```text
/// { S[i, u = 0] -> a[i]; S[i, u = 2] -> a[i + 2] }      a[i + u]
/// ```
fn common_function(relation: &Map) -> Option<Conj> {
    let plain = |piece: &Conj| piece.n_locals() == 0 && piece.divs().is_empty();
    if relation.pieces().len() < 2 || !relation.pieces().iter().all(plain) {
        return None;
    }
    let (n, n_subscripts) = (relation.domain_tuple().n(), relation.range_tuple().n());
    let first = 1 + relation.params().len() + n;
    let columns = first + n_subscripts;
    let solutions = |piece: &Conj| {
        let rows = piece.eqs().iter().map(|row| Row::from(&row[..columns])).collect();
        kernel(&Matrix::new(rows, columns)).rows
    };
    let all = relation.pieces().iter().flat_map(solutions).collect();
    let equations = kernel(&Matrix::new(all, columns)).rows;
    // The subscripts come first, so that each has an equation with no other one in it.
    let moved = |row: &Row| -> Row { row[first..].iter().chain(&row[..first]).cloned().collect() };
    let (form, pivots) = row_form(Matrix::new(equations.iter().map(moved).collect(), columns));
    if !pivots.iter().copied().take(n_subscripts).eq(0..n_subscripts) {
        return None;
    }
    let mut conj = Conj::universe(columns - 1);
    for row in &form.rows[..n_subscripts] {
        let row: Row = row[n_subscripts..]
            .iter()
            .chain(&row[..n_subscripts])
            .cloned()
            .collect();
        conj.add_eq(row);
    }
    Some(conj)
}

/// The rows of the subscripts of each piece; `None` where those of one are not affine.
fn rows_of_pieces(relation: &Map) -> Option<Vec<Vec<Row>>> {
    let pieces = relation.pieces().iter();
    let subscripts = pieces.map(|piece| subscripts_of_piece(relation, piece, Remainders::None));
    let rows = subscripts.map(|all| Some(all?.into_iter().map(|subscript| subscript.linear).collect()));
    rows.collect()
}

fn subscripts_of_piece(relation: &Map, piece: &Conj, remainders: Remainders) -> Option<Vec<Subscript>> {
    let params = relation.params();
    let n_params = params.len();
    let n_dims = relation.domain_tuple().n();
    let n_subscripts = relation.range_tuple().n();
    if piece.n_locals() > 0 {
        return None;
    }
    let first = 1 + n_params + n_dims;
    let quotients: Vec<Option<Row>> = (0..n_subscripts)
        .map(|subscript| quotient_by_params(piece, (1 + n_params, n_dims), first + subscript))
        .map(|linear| linear.filter(|linear| remainders == Remainders::InTheMean || linear.iter().all(Int::is_zero)))
        .collect();
    let subscript = |subscript: usize| {
        let column = first + subscript;
        let alone = |row: &&Row| {
            let coefficient = row[column].abs();
            let counted = match remainders {
                Remainders::None => row.len(),
                Remainders::InTheMean => first + n_subscripts,
            };
            let mut others = row[first..counted].iter().enumerate();
            let is_known =
                |k: usize| remainders == Remainders::InTheMean && quotients.get(k).is_some_and(Option::is_some);
            coefficient.is_one() && others.all(|(k, c)| k == subscript || c.is_zero() || is_known(k))
        };
        let Some(row) = piece.eqs().iter().find(alone) else {
            return quotients[subscript].as_ref().map(|linear| Subscript {
                linear: linear.clone(),
                divided: Vec::new(),
                parameters: Factors::new(),
                constant: Int::ZERO,
            });
        };
        let sign = if row[column].is_pos() { Int::from(-1) } else { Int::ONE };
        let factors = params.names().iter().zip(&row[1..=n_params]);
        let factors = factors.filter(|(_, factor)| !factor.is_zero());
        let mean = mean_of_divisions(piece, row, (1 + n_params, n_dims))?;
        let first_div = row.len() - piece.n_divs();
        let divs = piece
            .divs()
            .iter()
            .zip(&row[first_div..])
            .filter(|(_, factor)| !factor.is_zero());
        let own = row[1 + n_params..first].iter().zip(&mean);
        let mut linear: Row = own.map(|(c, mean)| &(c + mean) * &sign).collect();
        for (k, quotient) in quotients.iter().enumerate().filter(|(k, _)| *k != subscript) {
            for (sum, of_quotient) in linear.iter_mut().zip(quotient.iter().flatten()) {
                sum.add_mul(&(&row[first + k] * &sign), of_quotient);
            }
        }
        Some(Subscript {
            divided: divs.map(|(div, _)| Row::from(&div.num[1 + n_params..first])).collect(),
            linear,
            parameters: factors.map(|(name, factor)| (name.clone(), factor * &sign)).collect(),
            constant: &row[0] * &sign,
        })
    };
    (0..n_subscripts).map(subscript).collect()
}

/// What the divisions in a row grow by in the mean along each of so many dimensions from a column on; `None` where that is not integral.
fn mean_of_divisions(piece: &Conj, row: &Row, (first, n_dims): (usize, usize)) -> Option<Row> {
    let first_div = row.len() - piece.n_divs();
    let mut mean = zeros(n_dims);
    for (div, factor) in piece.divs().iter().zip(&row[first_div..]) {
        if factor.is_zero() {
            continue;
        }
        if div.num[first_div..].iter().any(|c| !c.is_zero()) {
            return None;
        }
        for (dim, sum) in mean.iter_mut().enumerate() {
            let product = factor * &div.num[first + dim];
            if !product.divisible_by(&div.den) {
                return None;
            }
            *sum = &*sum + &product.div_exact(&div.den);
        }
    }
    Some(mean)
}

/// The linear part of a variable that is a quotient, of which only parameters have a remainder: `[1]` for `floor((2 i - n) / 2)`.
///
/// It is between `e - c + 1 <= c x <= e`, where `c` divides the coefficients of all dimensions in `e`.
fn quotient_by_params(piece: &Conj, (first, n_dims): (usize, usize), column: usize) -> Option<Row> {
    let others = |row: &Row| (first + n_dims..row.len()).all(|k| k == column || row[k].is_zero());
    let bounds = || piece.ineqs().iter().filter(|row| others(row));
    let lower = bounds().filter(|lower| lower[column].is_pos()).find(|lower| {
        bounds().any(|upper| {
            let width = &lower[0] + &upper[0];
            let opposite = (1..lower.len()).all(|k| (&lower[k] + &upper[k]).is_zero());
            opposite && !width.is_neg() && width < lower[column]
        })
    })?;
    let dims = lower[first..first + n_dims].iter();
    let quotient = |c: &Int| c.divisible_by(&lower[column]).then(|| -c.div_exact(&lower[column]));
    dims.map(quotient).collect()
}

impl LinearStatement {
    /// In how many directions there are instances.
    pub(crate) fn extent(&self) -> usize {
        self.directions.len()
    }
}

impl LinearAccess {
    /// One row per subscript, over the statement's dimensions; `None` where the subscripts are not affine.
    pub(crate) fn subscripts(&self) -> Option<&[Row]> {
        self.subscripts.as_deref()
    }

    /// Whether the subscripts of both accesses differ by constants.
    pub(crate) fn differs_by_constants(&self, other: &LinearAccess) -> bool {
        self.subscripts == other.subscripts && self.parameters == other.parameters
    }

    /// Whether both are reads of the same element.
    pub(crate) fn reads_as(&self, other: &LinearAccess) -> bool {
        let are_reads = !self.writes && !other.writes && self.array == other.array;
        are_reads && self.subscripts.is_some() && self.differs_by_constants(other) && self.constants == other.constants
    }

    /// The subscripts, unfolded where buffers [take turns](Program::unfolded), if they are affine.
    pub(crate) fn unfolded(&self) -> Option<&[(Row, f64)]> {
        self.unfolded.as_deref()
    }

    /// The parameters in a subscript, with their factors.
    pub(crate) fn parameters(&self, subscript: usize) -> &Factors {
        &self.parameters[subscript]
    }

    /// Whether instances that differ by a combination of these directions access different elements.
    pub(crate) fn tells_apart(&self, directions: &[Row]) -> bool {
        let Some(subscripts) = self.subscripts.as_ref().filter(|_| !self.is_in_pieces) else {
            return false;
        };
        // A combination of the directions that no subscript moves with.
        let in_span = |row: &Row| -> Row { directions.iter().map(|d| dot(row, d)).collect() };
        let same = kernel(&Matrix::new(subscripts.iter().map(in_span).collect(), directions.len()));
        same.rows.is_empty()
    }

    /// Whether it differs from another access by a number in a subscript that none of the directions moves.
    pub(crate) fn differs_in_staying(&self, other: &LinearAccess, directions: &[&Row]) -> bool {
        let (Some(own), Some(others)) = (&self.subscripts, &other.subscripts) else {
            return false;
        };
        let differs = |k: usize| {
            own[k] == others[k]
                && self.parameters[k] == other.parameters[k]
                && self.constants[k] != other.constants[k]
                && directions.iter().all(|direction| dot(&own[k], direction).is_zero())
        };
        !self.is_in_pieces && !other.is_in_pieces && own.len() == others.len() && (0..own.len()).any(differs)
    }

    /// How the access moves for lanes along `direction`, whose code knows the subscripts of one piece only.
    pub(crate) fn stride_of_lanes(&self, direction: &[Int]) -> Stride {
        match self.is_in_pieces {
            true => Stride::Other,
            false => self.stride(direction),
        }
    }

    /// Whether the subscripts of all pieces move by the same along `direction`.
    pub(crate) fn moves_alike(&self, direction: &[Int]) -> bool {
        let moves = |rows: &Vec<Row>| -> Vec<Int> { rows.iter().map(|row| dot(row, direction)).collect() };
        self.pieces
            .as_ref()
            .is_some_and(|pieces| pieces.windows(2).all(|pair| moves(&pair[0]) == moves(&pair[1])))
    }

    /// Whether what is divided in a subscript moves with the instance: the address is computed anew.
    pub(crate) fn divides_along(&self, direction: &[Int]) -> bool {
        self.divided.iter().any(|row| !dot(row, direction).is_zero())
    }

    /// How the access moves when the instance moves by `direction`.
    pub(crate) fn stride(&self, direction: &[Int]) -> Stride {
        if let Some(moves) = &self.moves {
            let moved = direction.iter().zip(moves).filter(|(by, _)| !by.is_zero());
            let elements = moved.map(|(by, elements)| Some(by * &Int::from((*elements)?)));
            let elements: Option<Int> = elements.sum();
            return match elements {
                Some(elements) if elements.is_zero() => Stride::Zero,
                Some(elements) if elements.is_unit() => Stride::Unit,
                _ => Stride::Other,
            };
        }
        let Some(subscripts) = self.subscripts.as_ref().filter(|_| !self.divides_along(direction)) else {
            return Stride::Other;
        };
        let Some((last, outer)) = subscripts.split_last() else {
            return Stride::Zero;
        };
        if outer.iter().any(|row| !dot(row, direction).is_zero()) {
            return Stride::Other;
        }
        let last = dot(last, direction);
        if last.is_zero() {
            Stride::Zero
        } else if last.is_unit() {
            Stride::Unit
        } else {
            Stride::Other
        }
    }
}

/// The linear part of a function over its statement's dimensions; `None` with divisions or a denominator.
pub(crate) fn linear_part(function: &Aff) -> Option<Row> {
    let first = 1 + function.space().params.len();
    let plain = function.divs().is_empty() && function.den().is_one();
    plain.then(|| Row::from(&function.row()[first..first + function.space().tuple.n()]))
}

/// The smallest move of an instance that changes the schedule function `rows[position]` upwards and no other one;
/// `None` where the functions leave several.
pub(crate) fn direction(rows: &[Row], position: usize, n_dims: usize) -> Option<Row> {
    let others = rows
        .iter()
        .enumerate()
        .filter(|(k, _)| *k != position)
        .map(|(_, row)| row.clone())
        .collect();
    let kernel = kernel(&Matrix::new(others, n_dims));
    let [direction] = &kernel.rows[..] else { return None };
    let change = dot(direction, &rows[position]);
    if change.is_zero() {
        return None;
    }
    Some(if change.is_neg() {
        direction.iter().map(|c| -c).collect()
    } else {
        direction.clone()
    })
}
