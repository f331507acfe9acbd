#include <cstdio>

#include "check/check.h"
#include "check/report.h"
#include "commands.h"

namespace marrow::tool {

int check(const CheckOptions& options) {
  LoadOptions load;
  load.thorough = true;
  const std::optional<LoadedModel> loaded = open_model(options.file, load);
  if (!loaded) return 1;
  std::vector<FindingGroup> groups;
  {
    Progress progress;
    const std::span<const Clip> clips = loaded->model.clips();
    groups = grouped_by_rule(
        check_all(*loaded, [&](std::size_t i) { progress.show(std::string(clips[i].name()), i + 1, clips.size()); }));
  }
  if (options.json) {
    write_report_json(name_of(options.file), groups);
  } else {
    std::fputs(report_text(groups, Terminal::standard_output()).c_str(), stdout);
  }
  const Summary summary = summary_of(groups);
  return summary.errors > 0 || (options.strict && summary.warnings > 0) ? 1 : 0;
}

}  // namespace marrow::tool
