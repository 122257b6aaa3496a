/* SPDX-License-Identifier: Apache-2.0 */
// Movements that clients ask for: from the host, to the host, from device to device.
#pragma once
#include "buffer.h"

namespace pjrt_plugin {

// A buffer of `to` with the array of `from`, which may be in another layout or on another device.
PJRT_Buffer* copied(PJRT_Buffer& from, PJRT_Device& device, std::shared_ptr<const Array> to);

}  // namespace pjrt_plugin
