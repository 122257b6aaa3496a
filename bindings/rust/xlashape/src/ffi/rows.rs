// SPDX-License-Identifier: Apache-2.0
//! What the rows of `calls` mean.

/// The kinds of handle: a name for the handle, the object, and the two functions that count its references.
macro_rules! handles {
    ($($handle:ident = $object:ident, $retain:ident, $release:ident;)+) => {$(
        pub(crate) type $handle = Handle<sys::$object>;

        // SAFETY: the two functions of this object; they count atomically.
        unsafe impl Counted for sys::$object {
            unsafe fn retain(handle: *mut Self) {
                sys::$retain(handle);
            }
            unsafe fn release(handle: *mut Self) {
                sys::$release(handle);
            }
        }

        // SAFETY: the ABI declares it "shared": any thread, concurrently.
        unsafe impl Send for Handle<sys::$object> {}
        unsafe impl Sync for Handle<sys::$object> {}
    )+};
}

/// The rows of `calls`: how the library answers, the function, and its arguments in C but for the places of the answer.
macro_rules! calls {
    ($($how:ident $name:ident($($parameter:ident: $type:ty),* $(,)?) -> $answer:ty = ($($argument:expr),*);)+) => {
        $(calls!(@$how $name [$($parameter: $type),*] $answer [$($argument),*]);)+
    };
    (@plain $name:ident [$($parameter:tt)*] $answer:ty [$($argument:expr),*]) => {
        pub(crate) fn $name($($parameter)*) -> $answer {
            unsafe { sys::$name($($argument),*) }
        }
    };
    (@flag $name:ident [$($parameter:tt)*] $answer:ty [$($argument:expr),*]) => {
        pub(crate) fn $name($($parameter)*) -> $answer {
            unsafe { sys::$name($($argument),*) != 0 }
        }
    };
    (@word $name:ident [$($parameter:tt)*] $answer:ty [$($argument:expr),*]) => {
        pub(crate) fn $name($($parameter)*) -> $answer {
            unsafe { static_text(sys::$name($($argument),*)) }
        }
    };
    (@list $name:ident [$($parameter:tt)*] $answer:ty [$($argument:expr),*]) => {
        pub(crate) fn $name($($parameter)*) -> Result<$answer> {
            list(|out, capacity, needed, err| unsafe { sys::$name($($argument,)* out, capacity, needed, err) })
        }
    };
    (@text $name:ident [$($parameter:tt)*] $answer:ty [$($argument:expr),*]) => {
        pub(crate) fn $name($($parameter)*) -> Result<$answer> {
            text(|out, capacity, needed, err| unsafe { sys::$name($($argument,)* out, capacity, needed, err) })
        }
    };
    (@$new_or_value:ident $name:ident [$($parameter:tt)*] $answer:ty [$($argument:expr),*]) => {
        pub(crate) fn $name($($parameter)*) -> Result<$answer> {
            $new_or_value(|out, err| unsafe { sys::$name($($argument,)* out, err) })
        }
    };
}
