/* SPDX-License-Identifier: Apache-2.0 */
// A key for what a backend sees of a relayout: relayouts with the same key run in the same ways, equally fast.
#pragma once
#include "runtime/wisdom.h"
#include "xlashape_backend.h"

namespace xlashape::core {

// For an operation that is a relayout, run by so many workers. Equal in all processes and on all machines of a release;
// offsets count modulo 64 bytes, so that boxes at different places of an array share a key where they lie alike.
FormKey form_key(const xlashape_op& op, uint32_t workers);

}  // namespace xlashape::core
