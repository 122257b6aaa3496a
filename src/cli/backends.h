// `xlashape backends`: what carries out relayouts on this machine.
#pragma once
#include "command.h"

namespace xlashape::cli {

Run add_backends(CLI::App& app, Common& common);

}  // namespace xlashape::cli
