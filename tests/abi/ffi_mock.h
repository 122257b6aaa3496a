// Backends made from data: a good one, with whatever the data says is wrong about it.
//
//     {"open": {"status": "DEVICE", "message": "no device"},      open fails
//      "table": {"abi_version": 99, "struct_size": 9999},         fields of the table
//      "extra_slots": 3,                                          a table of a later version, that much larger
//      "slots": {"plan_init": null,                               absent
//                "plan_size": {"out": {"bytes": 1, "align": 3}},  writes that through its pointers
//                "plan_execute": {"write": 8,                     writes so many bytes of the destination,
//                                 "sleep_ms": 5,                  waits,
//                                 "status": "DEVICE",             and answers that; without a status as the good one
//                                 "message": "..."}}}             with that text in the error record
#pragma once
#include <atomic>
#include <mutex>

#include "abi/ffi_table.h"

namespace foreign {

class Mock {
 public:
  // `good`: the entry function of the backend that answers where the data says nothing.
  Mock(const File& file, Library::Function good, nlohmann::json data);

  Library::Function open() const { return open_->code(); }
  // Until then slots that are there answer as the good ones, so that a backend can fail after it was accepted.
  void arm() { armed_ = true; }
  int64_t calls(const std::string& slot) const;

 private:
  uint64_t answer_open(const std::vector<uint64_t>& arguments);
  uint64_t answer(const Item& slot, const nlohmann::json& told, const std::vector<uint64_t>& arguments);
  void write_destination(const std::vector<uint64_t>& arguments, const Signature& signature, int64_t bytes) const;

  const File& file_;
  Library::Function good_;
  nlohmann::json data_;
  Table table_;
  std::unique_ptr<Closure> open_;
  std::list<Closure> slots_;
  std::atomic<bool> armed_{false};
  mutable std::mutex guard_;
  std::map<std::string, int64_t> calls_;
};

}  // namespace foreign
