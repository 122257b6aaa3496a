// The xlashape command: XLA's shapes and layouts at a terminal. Everything it knows, it asks the library through
// xlashape.h.
#include <fmt/format.h>

#include <cstdio>
#include <utility>
#include <vector>

#include "backends.h"
#include "explain.h"
#include "explain_json.h"
#include "index.h"
#include "picture.h"
#include "relayout.h"
#include "self_test.h"

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
  CLI::App app("XLA's shapes and layouts without XLA.", "xlashape");
  app.set_version_flag(
      "--version",
      fmt::format("xlashape {} (library {}, C ABI {}.{})",
                  fmt::format("{}.{}.{}", XLASHAPE_VERSION_MAJOR, XLASHAPE_VERSION_MINOR, XLASHAPE_VERSION_PATCH),
                  xlashape_version(), xlashape_abi_version() >> 16, xlashape_abi_version() & 0xffff),
      "Print the version and stop");
  app.set_help_flag("-h,--help", "Print this help and stop");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a problem with the data, 2 with the command line, 3 asked for what has no answer.\n"
      "xlashape COMMAND --help tells more.");
  app.failure_message(CLI::FailureMessage::simple);
  app.get_formatter()->column_width(28);

  Common common;
  std::vector<std::pair<std::string, Run>> commands = {
      {"explain", add_explain(app, common)},   {"index", add_index(app, common)},
      {"relayout", add_relayout(app, common)}, {"picture", add_picture(app, common)},
      {"backends", add_backends(app, common)}, {"self-test", add_self_test(app, common)},
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUsage;
  }
  try {
    for (const auto& [name, command] : commands)
      if (app.got_subcommand(name)) return command();
  } catch (const Failure& failure) {
    return stop(common, failure);
  } catch (const std::bad_alloc&) {
    return stop(common, Failure(kData, "NO_MEMORY", "no memory"));
  } catch (const std::exception& error) {
    return stop(common, Failure(kData, "INTERNAL", error.what()));
  }
  return kUsage;
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
