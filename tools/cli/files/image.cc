// SPDX-License-Identifier: Apache-2.0
#include <png.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <memory>

#include "cli/base/failure.h"
#include "formats.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kLongestSide = 1000000;

// libpng reports errors by longjmp: objects with destructors must be in the callers of the functions that set it up.
struct PngSession {
  Bytes in;
  size_t at = 0;
  std::vector<uint8_t> out;
  char message[200] = "";
  bool no_memory = false;
  std::unique_ptr<png_bytep[]> rows;
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* session = static_cast<PngSession*>(png_get_error_ptr(png));
  std::strncpy(session->message, message, sizeof session->message - 1);
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep data, size_t length) {
  auto* session = static_cast<PngSession*>(png_get_io_ptr(png));
  if (length > session->in.size() - session->at) png_error(png, "the file is cut off");
  std::memcpy(data, session->in.data() + session->at, length);
  session->at += length;
}

void on_write(png_structp png, png_bytep data, size_t length) {
  auto* session = static_cast<PngSession*>(png_get_io_ptr(png));
  try {
    session->out.insert(session->out.end(), data, data + length);
  } catch (...) {
    session->no_memory = true;
  }
  if (session->no_memory) png_error(png, "no memory");
}
void on_flush(png_structp) {}

bool read_header(png_structp png, png_infop info, PngSession* session) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_user_limits(png, kLongestSide, kLongestSide);
  png_set_chunk_malloc_max(png, 8 << 20);
  png_set_read_fn(png, session, on_read);
  png_read_info(png, info);
  png_set_expand(png);  // palettes, fewer bits and tRNS
  if (std::endian::native == std::endian::little) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return true;
}

bool read_rows(png_structp png, PngSession* session) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_read_image(png, session->rows.get());
  png_read_end(png, nullptr);
  return true;
}

bool write_rows(png_structp png, png_infop info, PngSession* session, const Image& image) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  static constexpr int kColors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                    PNG_COLOR_TYPE_RGB_ALPHA};
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_write_fn(png, session, on_write, on_flush);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
               static_cast<int>(image.bits), kColors[image.channels - 1], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (image.bits == 16 && std::endian::native == std::endian::little) png_set_swap(png);
  png_write_image(png, session->rows.get());
  png_write_end(png, nullptr);
  return true;
}

void point_rows(PngSession* session, uint8_t* data, int64_t height, int64_t row_bytes) {
  session->rows = std::make_unique<png_bytep[]>(static_cast<size_t>(height));
  for (int64_t y = 0; y < height; ++y) session->rows[static_cast<size_t>(y)] = data + y * row_bytes;
}

}  // namespace

bool is_png(Bytes bytes) { return bytes.size() >= 8 && png_sig_cmp(bytes.data(), 0, 8) == 0; }

Image read_png(Bytes file, const std::string& path) {
  PngSession session;
  session.in = file;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  struct ReadStructs {
    png_structp* png;
    png_infop* info;
    ~ReadStructs() { png_destroy_read_struct(png, info, nullptr); }
  } structs = {&png, &info};
  if (info == nullptr) fail_data("{}: libpng does not start", path);
  if (!read_header(png, info, &session)) fail_data("{}: bad PNG: {}", path, session.message);
  Image image;
  image.height = png_get_image_height(png, info);
  image.width = png_get_image_width(png, info);
  image.channels = png_get_channels(png, info);
  image.bits = png_get_bit_depth(png, info);
  const auto row_bytes = static_cast<int64_t>(png_get_rowbytes(png, info));
  // One byte of the file makes at most 1032 of filtered pixels of at least one bit each, spread out to 64 bits at most.
  if (row_bytes * image.height / (1032 * 64) > static_cast<int64_t>(file.size()))
    fail_data("{}: bad PNG: {} x {} pixels cannot come out of {} bytes", path, image.width, image.height, file.size());
  image.bytes = Buffer(row_bytes * image.height);
  point_rows(&session, image.bytes.data(), image.height, row_bytes);
  if (!read_rows(png, &session)) fail_data("{}: bad PNG: {}", path, session.message);
  return image;
}

std::vector<uint8_t> make_png(int64_t height, int64_t width, int64_t channels, int64_t bits, Bytes pixels,
                              const std::string& path) {
  if (height < 1 || width < 1 || height > 0x7fffffff || width > 0x7fffffff)
    fail_data("{}: a PNG cannot have {} x {} pixels", path, width, height);
  PngSession session;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  struct WriteStructs {
    png_structp* png;
    png_infop* info;
    ~WriteStructs() { png_destroy_write_struct(png, info); }
  } structs = {&png, &info};
  if (info == nullptr) fail_data("{}: libpng does not start", path);
  Image image;
  image.height = height;
  image.width = width;
  image.channels = channels;
  image.bits = bits;
  // libpng only reads the rows.
  point_rows(&session, const_cast<uint8_t*>(pixels.data()), height, width * channels * bits / 8);
  if (!write_rows(png, info, &session, image)) fail_data("{}: cannot write a PNG: {}", path, session.message);
  return std::move(session.out);
}

}  // namespace xlashape::cli
