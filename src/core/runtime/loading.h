/* SPDX-License-Identifier: Apache-2.0 */
// Loading a backend, once, while other threads wait for it: absent -> loading -> ready or failed.
#pragma once
#include <mutex>

#include "runtime/runtime.h"

namespace xlashape::core {

// Sets it to LOADING, unless it is settled or becomes so while another thread loads it. `guard` holds the lock.
bool begin_loading(Runtime& runtime, Backend& backend, std::unique_lock<std::mutex>& guard);

// Loads a backend that this thread set to LOADING. Logs the result only once it is settled: a logger may use the
// runtime, and wait for other threads that do. Without memory for the log line the backend is loaded, too.
Status load_and_log(Runtime& runtime, Backend& backend, Error* err);

// Both at once, where it is not settled. NO_MEMORY where it was not loaded for lack of memory or descriptors.
Status settle(Runtime& runtime, Backend& backend);
bool is_settled(const Backend& backend);

}  // namespace xlashape::core
