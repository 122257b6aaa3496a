// Reads and writes PNG files, as rows of pixels of one to four channels of 8 or 16 bits. Colours are never converted,
// except that palettes and fewer than 8 bits are expanded.
#pragma once
#include <string>
#include <vector>

#include "file.h"

namespace xlashape::cli {

struct Image {
  int64_t height = 0, width = 0, channels = 0;
  int64_t bits = 8;  // 16: in the machine's byte order
  Buffer bytes;
};

bool is_png(Bytes bytes);
Image read_png(Bytes file, const std::string& path);
// A whole file; `path` is for messages.
std::vector<uint8_t> make_png(int64_t height, int64_t width, int64_t channels, int64_t bits, Bytes pixels,
                              const std::string& path);

}  // namespace xlashape::cli
