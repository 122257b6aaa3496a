// SPDX-License-Identifier: Apache-2.0
//! Errors, which name the place and the value.

use std::fmt;

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Which kind of failure it is. Later releases may add kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument breaks a rule of a shape, a layout or a call.
    InvalidArgument,
    /// An index or a path is out of range, or a buffer has a wrong size.
    OutOfRange,
    /// A size that does not fit 64 bits.
    Overflow,
    /// Text or bytes that are not a shape: see [`Error::offset`].
    Parse,
    /// Well-formed, but there is no answer: the size of `f32[?]`, the strides of a tiled layout.
    Unsupported,
    /// A name, a layout or a backend does not exist.
    NotFound,
    /// Something that the library in use does not know.
    Incompatible,
    /// An allocation failed.
    NoMemory,
    /// A device failed.
    Device,
    /// Something is in use.
    Busy,
    /// The executor gave up, a flag requested it, or a closure panicked.
    Cancelled,
    /// A bug of the library: please report it.
    Internal,
    /// The slices' element type is not that of the array.
    WrongType,
    /// A status that this crate does not know.
    Other,
}

/// A failure of the library or of this crate. Its text is the message, and the offset if there is one.
///
/// ```
/// use xlashape::{ErrorKind, Shape};
///
/// let error = "f32[2,x]".parse::<Shape>().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Parse);
/// assert_eq!(error.offset(), Some(6));
/// assert!(error.to_string().ends_with("(at byte 6)"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>); // one pointer: results stay small

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    offset: Option<usize>,
    index: Option<usize>,
    backend: Option<usize>,
}

impl Error {
    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// One line that names the place and the value.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The byte in the parsed text or bytes at which the error is.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// The failing element of a batch.
    pub fn index(&self) -> Option<usize> {
        self.0.index
    }

    /// The ordinal of the backend that reported it (see [`Runtime::backends`](crate::Runtime::backends)), if one did.
    pub fn backend(&self) -> Option<usize> {
        self.0.backend
    }

    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), offset: None, index: None, backend: None }))
    }

    pub(crate) fn from_library(kind: ErrorKind, message: String, offset: i64, index: i64, source: u32) -> Self {
        Self(Box::new(Inner {
            kind,
            message,
            offset: usize::try_from(offset).ok(),
            index: usize::try_from(index).ok(),
            backend: source.checked_sub(1).map(|ordinal| ordinal as usize),
        }))
    }
}

/// The failure as a result.
pub(crate) fn fail<T>(kind: ErrorKind, message: impl Into<String>) -> Result<T> {
    Err(Error::new(kind, message))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.offset {
            Some(offset) => f.pad(&format!("{} (at byte {offset})", self.0.message)),
            None => f.pad(&self.0.message),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Error");
        out.field("kind", &self.0.kind).field("message", &self.0.message);
        for (name, value) in [("offset", self.0.offset), ("index", self.0.index), ("backend", self.0.backend)] {
            if let Some(value) = value {
                out.field(name, &value);
            }
        }
        out.finish()
    }
}

impl std::error::Error for Error {}

impl ErrorKind {
    pub(crate) fn from_status(status: xlashape_sys::xlashape_status) -> Self {
        use xlashape_sys as sys;
        match status {
            // members: STATUS_(?!OK)(\w+) as sys::{C} => Self::{Name},
            sys::XLASHAPE_STATUS_INVALID_ARGUMENT => Self::InvalidArgument,
            sys::XLASHAPE_STATUS_OUT_OF_RANGE => Self::OutOfRange,
            sys::XLASHAPE_STATUS_OVERFLOW => Self::Overflow,
            sys::XLASHAPE_STATUS_PARSE => Self::Parse,
            sys::XLASHAPE_STATUS_UNSUPPORTED => Self::Unsupported,
            sys::XLASHAPE_STATUS_NOT_FOUND => Self::NotFound,
            sys::XLASHAPE_STATUS_INCOMPATIBLE => Self::Incompatible,
            sys::XLASHAPE_STATUS_NO_MEMORY => Self::NoMemory,
            sys::XLASHAPE_STATUS_DEVICE => Self::Device,
            sys::XLASHAPE_STATUS_BUSY => Self::Busy,
            sys::XLASHAPE_STATUS_CANCELLED => Self::Cancelled,
            sys::XLASHAPE_STATUS_INTERNAL => Self::Internal,
            // end of members
            _ => Self::Other,
        }
    }
}
