/* SPDX-License-Identifier: Apache-2.0 */
// The relayout cases against copies of the same bytes, and against peers.
#pragma once
#include "options.h"

namespace bench {

class Session;

// Prints the table; writes the JSON file where one is asked for. False where a result was wrong.
bool run_relayouts(const Options& options, const Session& session);

}  // namespace bench
