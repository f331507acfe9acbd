// The marrow program: reads the command line and calls the command.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "commands.h"
#include "marrow/core/version.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"marrow, a skeletal animation runtime.", "marrow"};
  app.set_version_flag("--version", marrow::version());
  app.require_subcommand(1);

  marrow::tool::BenchOptions bench;
  CLI::App* bench_command = app.add_subcommand("bench", "Measure the speed of the runtime on this machine");
  bench_command->add_flag("--json", bench.json, "Print JSON for programs");
  bench_command->add_option("--lanes", bench.lanes, "Kernels to use: 1, 4 or 8 lanes (default: the widest)")
      ->check(CLI::IsMember({1, 4, 8}));
  bench_command->add_option("--seconds", bench.seconds, "Time for each workload")->check(CLI::Range(0.01, 60.0));
  bench_command->add_option("--only", bench.only, "Measure one workload");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and the version are "errors" too, with status 0.
    return app.exit(error) == 0 ? 0 : 2;
  }
  return marrow::tool::bench(bench);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "marrow: " << error.what() << "\n";
    return 1;
  }
}
