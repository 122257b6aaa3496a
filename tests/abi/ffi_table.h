// A backend's table as bytes that the ABI file describes: what the mock and the tracer build and take apart.
#pragma once
#include <list>

#include "abi/closure.h"

namespace foreign {

class Table {
 public:
  explicit Table(const File& file, size_t extra = 0)
      : kind_(file.structure("xlashape_backend")), file_(file), bytes_(kind_.size + extra) {}

  unsigned char* data() { return bytes_.data(); }
  size_t size() const { return bytes_.size(); }
  uint64_t get(const Item& field) const { return load(*file_.type(field), bytes_.data() + field.offset); }
  void set(const Item& field, uint64_t value) { store(*file_.type(field), value, bytes_.data() + field.offset); }
  const Struct& kind() const { return kind_; }
  uint32_t struct_size() const { return static_cast<uint32_t>(load(ffi_type_uint32, bytes_.data())); }
  void set_struct_size(uint32_t size) { store(ffi_type_uint32, size, bytes_.data()); }

 private:
  const Struct& kind_;
  const File& file_;
  std::vector<unsigned char> bytes_;
};

// Fills a caller's error record, which may be null, as a backend does.
void fill_error(const File& file, uint64_t err, int64_t status, const std::string& message);

}  // namespace foreign
