/* SPDX-License-Identifier: Apache-2.0 */
// `relayout --members`: the arrays of a file that has several, moved by rules into another such file.
#pragma once
#include "cli/base/subcommands.h"

namespace xlashape::cli {

int run_relayout_members(const RelayoutOptions& options, const Common& common);

// Throws where IN has several members of which none is named, and OUT could take all of them.
void require_one_member(const RelayoutOptions& options);

}  // namespace xlashape::cli
