// In place of the subcommand, where the command is built without it.
#include "cli/base/failure.h"
#include "cli/base/subcommands.h"

namespace xlashape::cli {

int run_scan(const ScanOptions&, const Common&) {
  fail_unsupported("this command was built without scan (-Dscan=false), as ./x demo does; ./x build makes it whole");
}

}  // namespace xlashape::cli
