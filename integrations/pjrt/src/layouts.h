/* SPDX-License-Identifier: Apache-2.0 */
// The layouts extension: how clients learn what is on a device.
#pragma once
#include "buffer.h"

struct PJRT_Layouts_MemoryLayout {
  std::string text;  // XLA's text of the layout: also its serialised form
};
