/* SPDX-License-Identifier: Apache-2.0 */
// The system's text for an errno. Throws Shortage where that is one.
#pragma once
#include <string>

namespace xlashape::core {

std::string reason_of(int error);

}  // namespace xlashape::core
