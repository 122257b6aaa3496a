// SPDX-License-Identifier: Apache-2.0
// The tests of the plugin: `tests PLUGIN PROGRAMS BACKEND`.
#include <gmock/gmock.h>

#include "client.h"
#include "files.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s PLUGIN PROGRAMS BACKEND\n", argv[0]);
    return 2;
  }
  plugin_path = argv[1];
  programs_folder = argv[2];
  backend_file = argv[3];
  return RUN_ALL_TESTS();
}
