/* SPDX-License-Identifier: Apache-2.0 */
// `relayout --max-memory`: an array that is moved without being in memory whole.
#pragma once
#include "cli/base/subcommands.h"

namespace xlashape::cli {

int run_relayout_in_parts(const RelayoutOptions& options, const Common& common);

}  // namespace xlashape::cli
