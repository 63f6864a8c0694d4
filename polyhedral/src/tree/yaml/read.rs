//! From YAML.
//!
//! Every mapping is read into [`Keys`], whatever node it is, and is then made the node that its keys say. What is wrong is
//! reported while the mapping is read, so that the reader of YAML adds line, column and the keys on the way.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::options;
use crate::budget::Budget;
use crate::sets::{MultiUnionPwAff, Set, SetSpace, Tuple, UnionMap, UnionPwMultiAff, UnionSet};
use crate::text::{ParseError, yaml};
use crate::tree::{Band, Expansion, ExtensionTree, Filter, Mark, Node, Tree};

/// What finding out which options a band has may take: they are small.
const BUDGET: u64 = 1_000_000;

impl FromStr for Tree {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Tree, ParseError> {
        yaml::parse(text).map(|Root(tree)| tree)
    }
}

impl FromStr for ExtensionTree {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<ExtensionTree, ParseError> {
        yaml::parse(text).map(|Graft(tree)| tree)
    }
}

/// What a mapping says.
#[derive(Default)]
struct Keys {
    /// The keys, in order.
    present: Vec<&'static str>,
    domain: Option<UnionSet>,
    schedule: Option<MultiUnionPwAff>,
    permutable: Option<bool>,
    coincident: Option<Vec<bool>>,
    options: Option<UnionSet>,
    filter: Option<UnionSet>,
    sequence: Option<Vec<Filter>>,
    set: Option<Vec<Filter>>,
    contraction: Option<UnionPwMultiAff>,
    expansion: Option<UnionMap>,
    extension: Option<UnionMap>,
    guard: Option<Set>,
    context: Option<Set>,
    mark: Option<String>,
    child: Option<Node>,
}

const KEYS: [&str; 15] = [
    "domain",
    "schedule",
    "permutable",
    "coincident",
    "options",
    "filter",
    "sequence",
    "set",
    "contraction",
    "expansion",
    "extension",
    "guard",
    "context",
    "mark",
    "child",
];

impl Keys {
    fn read<'de, M: MapAccess<'de>>(mut map: M) -> Result<Keys, M::Error> {
        let mut keys = Keys::default();
        while let Some(key) = map.next_key::<String>()? {
            let Some(known) = KEYS.iter().find(|known| **known == key) else {
                return Err(M::Error::unknown_field(&key, &KEYS));
            };
            if keys.present.contains(known) {
                return Err(M::Error::duplicate_field(known));
            }
            keys.present.push(known);
            match *known {
                "domain" => keys.domain = Some(notation(&mut map)?),
                "schedule" => keys.schedule = Some(notation(&mut map)?),
                "permutable" => keys.permutable = Some(map.next_value::<Flag>()?.0),
                "coincident" => {
                    let flags: Vec<Flag> = map.next_value()?;
                    keys.coincident = Some(flags.into_iter().map(|flag| flag.0).collect());
                }
                "options" => keys.options = Some(notation(&mut map)?),
                "filter" => keys.filter = Some(notation(&mut map)?),
                "sequence" => keys.sequence = Some(filters(&mut map)?),
                "set" => keys.set = Some(filters(&mut map)?),
                "contraction" => keys.contraction = Some(notation(&mut map)?),
                "expansion" => keys.expansion = Some(notation(&mut map)?),
                "extension" => keys.extension = Some(notation(&mut map)?),
                "guard" => keys.guard = Some(notation(&mut map)?),
                "context" => keys.context = Some(notation(&mut map)?),
                "mark" => keys.mark = Some(map.next_value()?),
                _ => keys.child = Some(map.next_value::<Below>()?.0),
            }
        }
        Ok(keys)
    }

    /// That there are no other keys than these.
    fn only(&self, what: &str, allowed: &[&str]) -> Result<(), String> {
        match self.present.iter().find(|key| !allowed.contains(key)) {
            None => Ok(()),
            Some(key) => Err(format!(
                "unexpected `{key}` in {what}, expected {}",
                allowed
                    .iter()
                    .map(|key| format!("`{key}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            )),
        }
    }

    fn node(mut self) -> Result<Node, String> {
        if let Some(schedule) = self.schedule.take() {
            self.only("a band", &["schedule", "permutable", "coincident", "options", "child"])?;
            return self.band(schedule);
        }
        if let Some(filter) = self.filter.take() {
            self.only("a filter", &["filter", "child"])?;
            let child = self.below();
            return Ok(Node::Filter(Box::new(Filter { filter, child })));
        }
        if let Some(children) = self.sequence.take() {
            self.only("a sequence", &["sequence"])?;
            return Ok(Node::Sequence(children));
        }
        if let Some(children) = self.set.take() {
            self.only("a set", &["set"])?;
            return Ok(Node::Set(children));
        }
        if self.contraction.is_some() || self.expansion.is_some() {
            self.only("an expansion", &["contraction", "expansion", "child"])?;
            let (Some(contraction), Some(expansion)) = (self.contraction.take(), self.expansion.take()) else {
                return Err("expected both `contraction` and `expansion`, found one of them".to_string());
            };
            let child = self.below();
            return Ok(Node::Expansion(Box::new(Expansion {
                contraction,
                expansion,
                child,
            })));
        }
        if let Some(extension) = self.extension.take() {
            self.only("an extension", &["extension", "child"])?;
            return Ok(Node::Extension(extension, Box::new(self.below())));
        }
        if let Some(guard) = self.guard.take() {
            self.only("a guard", &["guard", "child"])?;
            return Ok(Node::Guard(guard, Box::new(self.below())));
        }
        if let Some(context) = self.context.take() {
            self.only("a context", &["context", "child"])?;
            return Ok(Node::Context(context, Box::new(self.below())));
        }
        if let Some(mark) = self.mark.take() {
            self.only("a mark", &["mark", "child"])?;
            return Ok(Node::Mark(Mark::from_text(&mark), Box::new(self.below())));
        }
        Err(
            "expected a node, with one of the keys `schedule`, `filter`, `sequence`, `set`, `expansion`, `extension`, \
             `guard`, `context`, `mark`"
                .to_string(),
        )
    }

    fn below(&mut self) -> Node {
        self.child.take().unwrap_or(Node::Leaf)
    }

    fn band(mut self, schedule: MultiUnionPwAff) -> Result<Node, String> {
        let mut band = Band::new(schedule, self.below()).with_permutable(self.permutable.unwrap_or(false));
        if let Some(flags) = self.coincident {
            if flags.len() != band.n() {
                return Err(format!(
                    "expected {} flags in `coincident`, one for each member of the schedule, found {}",
                    band.n(),
                    flags.len()
                ));
            }
            for (member, flag) in band.members_mut().iter_mut().zip(flags) {
                member.coincident = flag;
            }
        }
        if let Some(options) = self.options {
            options::read(&options, &mut band, &Budget::new(BUDGET))
                .unwrap_or_else(|error| Err(error.to_string()))
                .map_err(|message| format!("options: {message}"))?;
        }
        Ok(Node::band(band))
    }

    fn root(mut self) -> Result<Tree, String> {
        self.only("the root", &["domain", "child"])?;
        let Some(domain) = self.domain.take() else {
            return Err("expected the key `domain`".to_string());
        };
        let mut context = Set::universe(SetSpace::params_only(domain.params().clone()));
        let mut root = self.below();
        loop {
            root = match root {
                Node::Context(set, child) if set.n_dims() == 0 => {
                    context = context.intersect(&set.with_tuple(Tuple::unit()));
                    *child
                }
                root => return Ok(Tree { domain, context, root }),
            };
        }
    }

    fn graft(mut self) -> Result<ExtensionTree, String> {
        self.only("the root", &["extension", "child"])?;
        match self.extension.take() {
            Some(extension) => Ok(ExtensionTree {
                extension,
                root: self.below(),
            }),
            None => Err("expected the key `extension`".to_string()),
        }
    }
}

/// A value in isl's notation.
fn notation<'de, M: MapAccess<'de>, T: FromStr<Err = ParseError>>(map: &mut M) -> Result<T, M::Error> {
    map.next_value::<Notation<T>>().map(|value| value.0)
}

fn filters<'de, M: MapAccess<'de>>(map: &mut M) -> Result<Vec<Filter>, M::Error> {
    let filters: Vec<Child> = map.next_value()?;
    if filters.is_empty() {
        return Err(M::Error::custom("expected at least one child"));
    }
    Ok(filters.into_iter().map(|child| child.0).collect())
}

/// Defines what is read from a mapping, by way of [`Keys`].
macro_rules! from_keys {
    ($name:ident($value:ty), $expecting:literal, $make:expr) => {
        struct $name($value);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Read;
                impl<'de> Visitor<'de> for Read {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<$name, M::Error> {
                        let make: fn(Keys) -> Result<$value, String> = $make;
                        make(Keys::read(map)?).map($name).map_err(M::Error::custom)
                    }
                }
                deserializer.deserialize_map(Read)
            }
        }
    };
}

from_keys!(Root(Tree), "a mapping with the key `domain`", Keys::root);
from_keys!(Graft(ExtensionTree), "a mapping with the key `extension`", Keys::graft);
from_keys!(Below(Node), "a node, which is a mapping", Keys::node);
from_keys!(Child(Filter), "a filter, which is a mapping", |keys| {
    match keys.node()? {
        Node::Filter(filter) => Ok(*filter),
        other => Err(format!(
            "expected a filter as child of a sequence or set, found a {}",
            other.kind()
        )),
    }
});

struct Notation<T>(T);

impl<'de, T: FromStr<Err = ParseError>> Deserialize<'de> for Notation<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read<T>(PhantomData<T>);
        impl<T: FromStr<Err = ParseError>> Visitor<'_> for Read<T> {
            type Value = Notation<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text in quotes")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Notation<T>, E> {
                text.parse()
                    .map(Notation)
                    .map_err(|error| E::custom(format_args!("in the text, at {error}")))
            }
        }
        deserializer.deserialize_str(Read(PhantomData))
    }
}

/// `0` or `1`.
struct Flag(bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Flag;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("0 or 1")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Flag, E> {
                match value {
                    0 | 1 => Ok(Flag(value == 1)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Unsigned(value), &self)),
                }
            }
        }
        deserializer.deserialize_any(Read)
    }
}
