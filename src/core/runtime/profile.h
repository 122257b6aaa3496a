/* SPDX-License-Identifier: Apache-2.0 */
// Profiles: what backends measured of this processor, in sections by the backends' names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "runtime/environment.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

class Profile {
 public:
  // With the NUL that ends it.
  static constexpr size_t kMostBytes = XLASHAPE_PROFILE_BYTES;

  // Reads a text. On failure, and where it is about another processor than `processor`, the profile stays empty; *about
  // is the one that it is about.
  Status parse(std::string_view text, std::string_view processor, std::string* about, Error* err);

  // The lines of a backend; null where it has none. Valid as long as the profile.
  const char* find(std::string_view backend) const;

 private:
  struct Section {
    std::string backend, lines;
  };
  std::vector<Section> sections_;
};

// Checks the lines "key = value" that a backend wrote.
Status check_profile_lines(std::string_view lines, Error* err);

// A runtime's profile and where it comes from.
struct ProfileSource {
  std::string processor;  // this machine: see machine_identity
  Profile profile;
  std::string path;         // the file to look for; "" where there is none
  std::string note;         // for the report: what was found, and whether it is used
  bool is_lacking = false;  // the file could not be read for lack of descriptors
};

// `given`: the text of the runtime's options; null: the file. Only a text given can fail. *source has its processor.
// `environment` is null where it must not be read.
Status find_profile(const char* given, const Environment* environment, ProfileSource* source, Error* err);

// Reads the file at source->path. Sets `is_lacking`: then it has to be called again.
void read_profile(ProfileSource* source);

}  // namespace xlashape::core
