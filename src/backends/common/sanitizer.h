/* SPDX-License-Identifier: Apache-2.0 */
// Which sanitizer this is compiled for: GCC defines a macro, clang has a feature test.
#pragma once

#if defined(__has_feature)
#define XLASHAPE_HAS_FEATURE(name) __has_feature(name)
#else
#define XLASHAPE_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || XLASHAPE_HAS_FEATURE(address_sanitizer)
#define XLASHAPE_ADDRESS_SANITIZER 1
#else
#define XLASHAPE_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || XLASHAPE_HAS_FEATURE(thread_sanitizer)
#define XLASHAPE_THREAD_SANITIZER 1
#else
#define XLASHAPE_THREAD_SANITIZER 0
#endif
