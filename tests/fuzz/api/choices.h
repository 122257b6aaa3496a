// What a runtime's options say of its backends: drawn, and read by a reader of our own.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "world.h"

namespace api_fuzz {

struct Choices {
  std::optional<std::string> backend, denied, cpu, backend_options;

  // The texts stay this object's.
  void put(xlashape_runtime_options* options) const;
  // Whether a runtime can be made of them.
  bool are_good() const;
  bool denies(const std::string& name) const;
  // The backend that plans get which name none and may not fall back; nullopt where any will do.
  std::optional<std::string> demand() const;
  // What backend_options gives that backend for that key; nullopt where it gives nothing, or is malformed.
  std::optional<std::string> option(const std::string& name, const std::string& key) const;

 private:
  // By "NAME.KEY"; nullopt where the text is malformed.
  std::optional<std::map<std::string, std::string>> read_options() const;
};
Choices draw_choices(Input& input);

}  // namespace api_fuzz
