//! Whether code does what its schedule says.

use super::c::{Instance, Program, RunError};
use super::input::Input;
use super::order::{Order, Values, order};
use farkas_polyhedral::ast::{Ast, Options, interpret};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;

/// What is wrong with code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// It takes more steps than allowed.
    #[error("too many steps")]
    TooLong,
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

/// Executes the text of generated code for each of the values of the parameters, in at most `steps` steps.
///
/// # Errors
///
/// What is wrong with it.
pub fn check_text(text: &str, orders: &[(Values, Order)], steps: u64) -> Result<(), Wrong> {
    let not_read = |error| Wrong::Other(format!("not read: {error}\n{text}"));
    let program: Program = text.parse().map_err(not_read)?;
    for (values, order) in orders {
        let named: Vec<(&str, i64)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let difference = match program.execute(&named, steps) {
            Ok(executed) => order.check(&executed.instances),
            Err(RunError::TooLong(_)) => return Err(Wrong::TooLong),
            Err(error) => Err(error.to_string()),
        };
        difference.map_err(|error| Wrong::Other(format!("for {named:?}: {error}\n{text}")))?;
    }
    Ok(())
}

/// The same of an AST, by its interpreter and by its text.
///
/// # Errors
///
/// What is wrong with it.
pub fn check_ast(ast: &Ast, orders: &[(Values, Order)], steps: u64) -> Result<(), Wrong> {
    check_text(&ast.to_string(), orders, steps)?;
    for (values, order) in orders {
        let value = |name: &str| {
            values
                .iter()
                .find(|(known, _)| known == name)
                .map_or(0, |(_, value)| *value)
        };
        let params: Vec<Int> = ast.params.names().iter().map(|name| Int::from(value(name))).collect();
        let broken = |promise| Wrong::Other(format!("interpreted for {values:?}: {promise}\n{ast}"));
        let execution = interpret(ast, &params, steps as usize).map_err(broken)?;
        if !execution.ended {
            return Err(Wrong::TooLong);
        }
        let plain = |instance: &farkas_polyhedral::ast::Instance| -> Option<Instance> {
            let values = instance.values.iter().map(Int::to_i64).collect::<Option<_>>()?;
            Some((instance.statement.clone(), values))
        };
        let difference = match execution.instances.iter().map(plain).collect::<Option<Vec<Instance>>>() {
            Some(instances) => order.check(&instances),
            None => Err("a number that does not fit".to_string()),
        };
        difference.map_err(|error| Wrong::Other(format!("interpreted for {values:?}: {error}\n{ast}")))?;
    }
    Ok(())
}

/// The text of the code that Farkas makes of a small input, after it has been executed for several values of the parameters.
///
/// # Errors
///
/// What is wrong with it.
pub fn checked_text(input: &str, options: &Options) -> Result<String, Wrong> {
    let other = |error: &dyn std::fmt::Display| Wrong::Other(error.to_string());
    let input = Input::new("a small input".to_string(), input.to_string()).map_err(|error| other(&error))?;
    let ast = input
        .generate_with(options, &Budget::new(50_000_000))
        .map_err(|error| other(&error))?;
    let mut orders = Vec::new();
    for values in input.assignments(8) {
        let order = order(&input.schedule, &values, 300_000).map_err(|error| other(&error))?;
        orders.push((values, order));
    }
    check_ast(&ast, &orders, 1_000_000)?;
    Ok(ast.to_string())
}
