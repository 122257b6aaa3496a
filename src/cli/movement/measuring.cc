#include "measuring.h"

#include <algorithm>
#include <set>

#include "cli/base/failure.h"
#include "cli/files/new_file.h"
#include "cli/output/output.h"

namespace xlashape::cli {
namespace {

std::string wisdom_of(const Runtime& runtime) {
  return text_of([&](char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_runtime_export_wisdom(runtime.get(), text, capacity, needed, err);
  });
}

std::set<std::string> entries_of(const std::string& wisdom) {
  const std::vector<std::string> lines = lines_of(wisdom);
  return {lines.begin() + std::min<std::ptrdiff_t>(2, std::ssize(lines)), lines.end()};
}

// An entry: form, backend, nanoseconds of the fastest way and of the backend's own, the way.
Measured measured_of(const std::string& entry) {
  Measured measured;
  size_t at = 0;
  const auto next = [&] {
    const size_t from = at;
    at = std::min(entry.find(' ', from), entry.size() - 1) + 1;
    return entry.substr(from, at - from - 1);
  };
  next(), next();
  measured.ns = std::stoll(next());
  measured.default_ns = std::stoll(next());
  measured.choice = entry.substr(at);
  return measured;
}

}  // namespace

std::optional<Measured> measure(const Runtime& runtime, const Request& request, double seconds, Bytes src,
                                std::span<uint8_t> dst) {
  return as_failures([&]() -> std::optional<Measured> {
    xlashape_relayout_options options = detail::for_c(request, request.src.rank()).value();
    options.measure_ns = static_cast<int64_t>(seconds * 1e9);
    options.measure_src = reinterpret_cast<uintptr_t>(src.data());
    options.measure_dst = reinterpret_cast<uintptr_t>(dst.data());
    const std::set<std::string> before = entries_of(wisdom_of(runtime));
    Error error;
    xlashape_plan* plan = nullptr;
    if (xlashape_plan_create(runtime.get(), request.src.get(), request.dst.get(), &options, &plan, error.record()) !=
        XLASHAPE_STATUS_OK)
      throw Exception(error);
    xlashape_plan_release(plan);
    for (const std::string& entry : entries_of(wisdom_of(runtime)))
      if (before.count(entry) == 0) return measured_of(entry);
    return std::nullopt;
  });
}

void read_wisdom(const Runtime& runtime, const std::string& path) {
  if (!file_exists(path)) return;
  const Buffer bytes = read_file(path);
  Error error;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (xlashape_runtime_import_wisdom(runtime.get(), text.data(), bytes.size(), nullptr, error.record()) !=
      XLASHAPE_STATUS_OK)
    throw Failure(error, path);
  // What is of no use here must not be written over.
  const auto processor = [](std::string_view wisdom) {
    wisdom.remove_prefix(std::min(wisdom.find('\n') + 1, wisdom.size()));
    return std::string(wisdom.substr(0, wisdom.find('\n')));
  };
  const std::string own = processor(as_failures([&] { return wisdom_of(runtime); }));
  if (processor(text) != own)
    fail_data("{}: it is about another machine: it says \"{}\", and this one is \"{}\"; name another file", path,
              processor(text), own);
}

void write_wisdom(const Runtime& runtime, const std::string& path) {
  write_text(path, as_failures([&] { return wisdom_of(runtime); }));
}

void write_text(const std::string& path, const std::string& text) {
  const Bytes bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  const std::span<const Bytes> parts(&bytes, 1);
  if (is_stream(path)) return write_stream(path, parts);
  const HoldSignals held;
  NewFile file(path, parts, /*durable=*/false);
  file.commit();
}

}  // namespace xlashape::cli
