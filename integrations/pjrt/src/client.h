/* SPDX-License-Identifier: Apache-2.0 */
// The client: devices, plans, and what runs transfers.
#pragma once
#include "device.h"
#include "event.h"
#include "workers.h"

// Lives until the client is destroyed and the last of its buffers, managers and programs is gone.
struct PJRT_Client : std::enable_shared_from_this<PJRT_Client> {
  explicit PJRT_Client(const pjrt_plugin::Options& options);

  // What a device stores an array as, in its target's layout or in the wanted one (array_on), made once.
  std::shared_ptr<const pjrt_plugin::Array> array(const PJRT_Device& device, PJRT_Buffer_Type type,
                                                  const pjrt_plugin::Numbers& dimensions,
                                                  const PJRT_Buffer_MemoryLayout* wanted = nullptr);

  // Runs `work` once `before` is set; what that failed with, or `work` throws, becomes what the result is set to.
  // Little work is done at once, and then failures are thrown here.
  std::shared_ptr<pjrt_plugin::Completion> run(std::int64_t bytes,
                                               const std::shared_ptr<pjrt_plugin::Completion>& before,
                                               std::function<void()> work);

  std::shared_ptr<PJRT_Client> self;  // what the program that made it holds
  PJRT_TopologyDescription topology;
  std::shared_ptr<pjrt_plugin::Plans> plans;
  std::vector<std::unique_ptr<PJRT_Device>> devices;
  std::vector<PJRT_Device*> device_pointers;
  std::vector<PJRT_Memory*> memory_pointers;
  pjrt_plugin::Kept<std::shared_ptr<const pjrt_plugin::Array>> arrays;
  pjrt_plugin::Workers workers;  // last: it ends first, and with it whatever uses the rest
};
