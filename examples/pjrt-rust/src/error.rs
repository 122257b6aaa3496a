//! What a plugin refuses, and what is refused in its place.

use crate::pjrt_sys as sys;
use std::fmt;

/// What most functions return.
pub type Result<T> = std::result::Result<T, PjrtError>;

macro_rules! codes {
    ($($name:ident = $number:ident, $text:literal;)+) => {
        /// A `PJRT_Error_Code`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $text] $name,)+
            /// One that this crate does not know.
            Other(u32),
        }

        impl Code {
            pub(crate) fn of(number: sys::PJRT_Error_Code) -> Self {
                match number {
                    $(sys::$number => Self::$name,)+
                    other => Self::Other(other),
                }
            }
        }

        impl fmt::Display for Code {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$name => f.write_str($text),)+
                    Self::Other(number) => write!(f, "code {number}"),
                }
            }
        }
    };
}

codes! {
    Cancelled = PJRT_Error_Code_CANCELLED, "CANCELLED";
    Unknown = PJRT_Error_Code_UNKNOWN, "UNKNOWN";
    InvalidArgument = PJRT_Error_Code_INVALID_ARGUMENT, "INVALID_ARGUMENT";
    DeadlineExceeded = PJRT_Error_Code_DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED";
    NotFound = PJRT_Error_Code_NOT_FOUND, "NOT_FOUND";
    AlreadyExists = PJRT_Error_Code_ALREADY_EXISTS, "ALREADY_EXISTS";
    PermissionDenied = PJRT_Error_Code_PERMISSION_DENIED, "PERMISSION_DENIED";
    ResourceExhausted = PJRT_Error_Code_RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED";
    FailedPrecondition = PJRT_Error_Code_FAILED_PRECONDITION, "FAILED_PRECONDITION";
    Aborted = PJRT_Error_Code_ABORTED, "ABORTED";
    OutOfRange = PJRT_Error_Code_OUT_OF_RANGE, "OUT_OF_RANGE";
    Unimplemented = PJRT_Error_Code_UNIMPLEMENTED, "UNIMPLEMENTED";
    Internal = PJRT_Error_Code_INTERNAL, "INTERNAL";
    Unavailable = PJRT_Error_Code_UNAVAILABLE, "UNAVAILABLE";
    DataLoss = PJRT_Error_Code_DATA_LOSS, "DATA_LOSS";
    Unauthenticated = PJRT_Error_Code_UNAUTHENTICATED, "UNAUTHENTICATED";
}

/// What a function of the plugin, or this crate in its place, refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PjrtError {
    call: String,
    code: Code,
    message: String,
}

impl PjrtError {
    pub(crate) fn new(call: &str, code: Code, message: impl Into<String>) -> Self {
        Self { call: call.into(), code, message: message.into() }
    }

    pub(crate) fn invalid(call: &str, message: impl Into<String>) -> Self {
        Self::new(call, Code::InvalidArgument, message)
    }

    /// The function of PJRT, such as `PJRT_Client_Compile`, or what else was asked for.
    pub fn call(&self) -> &str {
        &self.call
    }

    /// What kind of failure it is.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What the plugin says.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for PjrtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.call, self.code, self.message)
    }
}

impl std::error::Error for PjrtError {}

/// A layout that is none, before any plugin was asked.
impl From<xlashape::Error> for PjrtError {
    fn from(error: xlashape::Error) -> Self {
        use xlashape::ErrorKind as Kind;
        let code = match error.kind() {
            Kind::OutOfRange | Kind::Overflow => Code::OutOfRange,
            Kind::Unsupported => Code::Unimplemented,
            Kind::NotFound => Code::NotFound,
            Kind::NoMemory => Code::ResourceExhausted,
            Kind::Cancelled => Code::Cancelled,
            Kind::Internal | Kind::Device => Code::Internal,
            _ => Code::InvalidArgument,
        };
        Self::new("xlashape", code, error.to_string())
    }
}
