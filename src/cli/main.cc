// The xlashape command: XLA's shapes and layouts at a terminal. Everything it knows, it asks the library through
// xlashape.h.
#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "command_line.h"
#include "explain_json.h"
#include "failure.h"

namespace xlashape::cli {
namespace {

int stop(const Common& common, const Failure& failure) {
  std::fflush(stdout);
  if (common.json)
    fmt::print("{}\n", Json{{"error", error_json(failure)}}.dump(2, ' ', false, Json::error_handler_t::replace));
  fmt::print(stderr, "xlashape: {}\n", failure.message);
  return failure.exit;
}

int run(int argc, char** argv) {
  const std::variant<int, Command> asked = read_command_line(argc, argv);
  if (const int* exit = std::get_if<int>(&asked)) return *exit;
  const auto& [common, command] = std::get<Command>(asked);
  try {
    return command(common);
  } catch (const Failure& failure) {
    return stop(common, failure);
  } catch (const std::bad_alloc&) {
    return stop(common, Failure(kData, "NO_MEMORY", "no memory"));
  } catch (const std::exception& error) {
    return stop(common, Failure(kData, "INTERNAL", error.what()));
  }
}

}  // namespace
}  // namespace xlashape::cli

int main(int argc, char** argv) {
  const int exit = xlashape::cli::run(argc, argv);
  // Output that could not be written is a failure too.
  if (std::fflush(stdout) != 0 && exit == 0) {
    std::perror("xlashape: standard output");
    return xlashape::cli::kData;
  }
  return exit;
}
