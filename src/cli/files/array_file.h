// An array in memory and what its bytes are; and the kinds of files it comes from and goes to.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "cli/base/array.h"
#include "file.h"

namespace xlashape::cli {

struct Array {
  Shape shape;  // with the layout that the bytes have
  Buffer bytes;
};

// What the command line says about a file's bytes, where the file does not say it or says it otherwise.
struct Reading {
  std::string shape;   // type, dimensions, maybe a layout: everything
  std::string dtype;   // another element type of the same width
  std::string layout;  // another layout
};

// .npy, `file.npz:member`, .png, raw bytes beside a sidecar, a sidecar, or raw bytes with Reading::shape.
Array read_array(const std::string& path, const Reading& reading);

struct Written {
  std::string kind;     // "npy", "png" or "raw"
  std::string sidecar;  // its path, or ""
  std::string note;     // what a person should know about it
};

// .npy or .png where the name asks for it and the format can say it, else raw bytes and a sidecar.
Written write_array(const std::string& path, const Shape& shape, Bytes bytes);

// Bytes that say themselves what they are: a sidecar of what was there before goes.
void write_plain(const std::string& path, std::span<const Bytes> parts);

// `row`, `col` or a layout's text.
Layout layout_named(const std::string& text, int64_t rank);

// True for a layout that stores each element right after the last, in whole bytes of the type's own width.
bool is_dense(const Shape& shape);

}  // namespace xlashape::cli
