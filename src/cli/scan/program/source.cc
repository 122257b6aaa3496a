#include "source.h"

namespace xlashape::cli {

uint32_t SourceTable::of_line(std::string_view file, int64_t line, Pool* texts) {
  std::string text(file);
  if (line > 0) text += ':' + std::to_string(line);
  return texts->of(text);
}

uint32_t SourceTable::of_frame(int64_t frame, Pool* texts) const {
  const auto location = frames_.find(frame);
  if (location == frames_.end()) return kNone;
  const auto at = locations_.find(location->second);
  if (at == locations_.end()) return kNone;
  const auto file = files_.find(at->second.file);
  return file == files_.end() ? kNone : of_line(file->second, at->second.line, texts);
}

}  // namespace xlashape::cli
