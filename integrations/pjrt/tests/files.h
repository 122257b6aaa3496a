/* SPDX-License-Identifier: Apache-2.0 */
// What the tests are given in their command line besides the plugin.
#pragma once
#include <fstream>
#include <iterator>
#include <string>

inline std::string programs_folder;  // programs as jax sent them
inline std::string backend_file;     // the simulated device of examples/device

inline std::string program_in(const std::string& name) {
  std::ifstream file(programs_folder + "/" + name + ".mlirbc", std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}
