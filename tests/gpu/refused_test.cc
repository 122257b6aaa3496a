// SPDX-License-Identifier: Apache-2.0
// A GPU backend that cannot work here says why. Arguments: the plugin, its name, words that the reason must have,
// [a library: where that is installed, there is nothing to refuse, and the test is skipped].
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "xlashape_backend.h"

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) return 2;
  if (argc == 5 && dlopen(argv[4], RTLD_LAZY | RTLD_LOCAL) != nullptr) return 77;
  void* object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) return std::printf("%s\n", dlerror()), 1;
  using Open = xlashape_status (*)(const xlashape_host*, xlashape_backend*, xlashape_error*);
  const auto open = reinterpret_cast<Open>(dlsym(object, ("xlashape_backend_open_" + std::string(argv[2])).c_str()));
  if (open == nullptr) return std::printf("%s\n", dlerror()), 1;
  auto host = XLASHAPE_INIT(xlashape_host);
  host.abi_min = host.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
  auto table = XLASHAPE_INIT(xlashape_backend);
  auto err = XLASHAPE_INIT(xlashape_error);
  const xlashape_status status = open(&host, &table, &err);
  std::printf("status %d: %s\n", status, err.message);
  return status == XLASHAPE_STATUS_DEVICE && std::strstr(err.message, argv[3]) != nullptr ? 0 : 1;
}
