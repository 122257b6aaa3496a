// SPDX-License-Identifier: Apache-2.0
//! What several types have in the same form.

/// Methods of a builder that give it back. A row for each: what it does, its name, the builder and parameters, and what
/// is done to the builder.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($builder:ident $(, $parameter:ident: $type:ty)*) => $action:expr;)+) => {$(
        $(#[$doc])*
        pub fn $name(self $(, $parameter: $type)*) -> Self {
            let mut $builder = self;
            $action;
            $builder
        }
    )+};
}

/// Values of XLA: `Debug` shows their text, and equality is XLA's.
macro_rules! values {
    ($($name:ident),+) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.equals(other, Ignore::XLA)
            }
        }

        impl Eq for $name {}
    )+};
}
