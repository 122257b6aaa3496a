// `xlashape completion`: what a shell reads to complete the command's words.
#pragma once
#include <string>

#include "cli/output/terminal.h"
#include "manual.h"

namespace xlashape::cli {

struct CompletionOptions {
  std::string shell;
  std::string script;
};

std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);
// Of one of the shells that `completion` takes.
std::string completion_for(const std::string& shell, const Manual& manual);

int run_completion(const CompletionOptions& options, const Common& common);

}  // namespace xlashape::cli
