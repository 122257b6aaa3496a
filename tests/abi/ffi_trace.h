// Stands between the core and a real backend, slot by slot: logs each call, checks the contract of both sides, forwards.
// Knows the slots from the ABI file, so those that are added later too.
#pragma once
#include <mutex>
#include <set>

#include "abi/ffi_table.h"

namespace foreign {

class Trace {
 public:
  Trace(const File& file, Library::Function inner);

  Library::Function open() const { return open_->code(); }

  struct Entry {
    std::string slot, arguments;  // "plan_tasks", "self=0x0, ..., max_workers=4"
    uint64_t result;
    int64_t nanoseconds;
  };
  std::vector<Entry> log() const;
  int64_t calls(const std::string& slot) const;
  // Every breach of the contract, by either side.
  std::vector<std::string> problems() const;

 private:
  uint64_t answer_open(const std::vector<uint64_t>& arguments);
  uint64_t forward(const Item& slot, Library::Function inner, const std::vector<uint64_t>& arguments);
  void check_arguments(const Item& slot, const std::vector<uint64_t>& arguments);
  void check_answers(const Item& slot, const std::vector<uint64_t>& arguments, uint64_t result);
  void check_error(const Item& slot, uint64_t err, const std::vector<unsigned char>& before, uint64_t result);
  void check_run(const std::string& slot, uint64_t run);
  void check_storage(const std::string& slot, uint64_t storage);
  void found(const std::string& slot, const std::string& problem);
  uint64_t field(const char* structure, uint64_t at, const char* name) const;

  const File& file_;
  Library::Function inner_;
  Table table_;
  std::unique_ptr<Closure> open_;
  std::list<Closure> slots_;
  mutable std::mutex guard_;
  std::vector<Entry> log_;
  std::vector<std::string> problems_;
  std::multiset<uint64_t> storages_;  // initialised and not yet destroyed
  bool closed_ = false;
};

}  // namespace foreign
