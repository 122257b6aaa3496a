/* SPDX-License-Identifier: Apache-2.0 */
// What `explain` tells of a file whose arrays have names: a line for each.
#pragma once
#include "cli/files/contents.h"
#include "cli/output/json.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {

void print_table(const Paint& paint, const Contents& contents);
Json table_json(const Contents& contents);

}  // namespace xlashape::cli
