//! Identifiers: what tuples, dimensions and parameters are called.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// An identifier of a tuple, a dimension or a parameter: a text, and perhaps *user data*, a value that a program attaches to it
/// to find its own objects again.
///
/// Two identifiers are equal if their texts are and both have no user data or share the same value, which is what
/// copies of one identifier do. Equal values that were attached separately are different:
///
/// ```
/// use farkas_polyhedral::sets::Name;
///
/// let a = Name::with_user("A", 42);
/// assert_eq!(a, a.clone());
/// assert_ne!(a, Name::with_user("A", 42));
/// assert_ne!(a, Name::from("A"));
/// assert_eq!(a.user(), Some(&42));
/// ```
///
/// Operations keep identifiers as they are, and align parameters by them. Printing writes the text only, and parsing gives
/// identifiers without user data. There is no order among them: one by texts would take identifiers for equal that are not,
/// and one by what else tells them apart would depend on addresses.
#[derive(Clone)]
pub struct Name(Arc<Identity>);

struct Identity {
    text: Box<str>,
    user: Option<Arc<dyn Any + Send + Sync>>,
}

impl Name {
    /// The identifier `text` with user data, different from all others but its copies.
    pub fn with_user<T: Any + Send + Sync>(text: impl Into<Box<str>>, user: T) -> Name {
        Name::with_shared_user(text, Arc::new(user))
    }

    /// The identifier `text` with user data that is shared: it is equal to others with this text and the same `Arc`.
    pub fn with_shared_user(text: impl Into<Box<str>>, user: Arc<dyn Any + Send + Sync>) -> Name {
        let (text, user) = (text.into(), Some(user));
        Name(Arc::new(Identity { text, user }))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The user data, if there is some and it is a `T`.
    pub fn user<T: Any>(&self) -> Option<&T> {
        self.0.user.as_ref()?.downcast_ref()
    }
}

impl From<Box<str>> for Name {
    fn from(text: Box<str>) -> Name {
        Name(Arc::new(Identity { text, user: None }))
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        text.into_boxed_str().into()
    }
}

impl From<&String> for Name {
    fn from(text: &String) -> Name {
        text.as_str().into()
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Box::<str>::from(text).into()
    }
}

impl From<&Name> for Name {
    fn from(name: &Name) -> Name {
        name.clone()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        let same_user = || match (&self.0.user, &other.0.user) {
            (None, None) => true,
            // Addresses alone, as there may be several tables of the same type's methods.
            (Some(a), Some(b)) => std::ptr::addr_eq(Arc::as_ptr(a), Arc::as_ptr(b)),
            _ => false,
        };
        Arc::ptr_eq(&self.0, &other.0) || (self.0.text == other.0.text && same_user())
    }
}

impl Eq for Name {}

impl Hash for Name {
    /// By the text alone, so that equal input gives equal hashes.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.text.hash(state);
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
