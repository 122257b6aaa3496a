// `xlashape self-test`: random relayouts against what index maps say, element by element.
#pragma once
#include "command.h"

namespace xlashape::cli {

Run add_self_test(CLI::App& app, Common& common);

}  // namespace xlashape::cli
