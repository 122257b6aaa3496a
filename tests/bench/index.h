/* SPDX-License-Identifier: Apache-2.0 */
// Batches of index conversions: nanoseconds per index, against a copy of the same bytes and a plain loop with / and %.
#pragma once

namespace bench {

class Session;

bool run_index(const Session& session);

}  // namespace bench
