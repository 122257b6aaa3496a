#include "completion.h"

#include "cli/base/failure.h"
#include "cli/output/output.h"

namespace xlashape::cli {

std::string completion_for(const std::string& shell, const Manual& manual) {
  if (shell == "bash") return bash_completion(manual);
  if (shell == "zsh") return zsh_completion(manual);
  return fish_completion(manual);
}

int run_completion(const CompletionOptions& options, const Common& common) {
  if (common.json) {
    say_json({{"shell", options.shell}, {"script", options.script}});
  } else {
    put_out(Text::made(options.script));
  }
  return kDone;
}

}  // namespace xlashape::cli
