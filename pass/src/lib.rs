//! The plugin.
