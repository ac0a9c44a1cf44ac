// The test program is also the executor of its own tests: it starts itself with another first word.
#include "node/executors/executor_process.h"
#include "node/executors/stream_keeper.h"
#include "scripted_executor.h"

#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  using namespace hyperscale;
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "executor" && argc == 6) {
    return node::run_executor_process(std::atoi(argv[3]), std::atoi(argv[5]), &node::make_scripted_executor, {},
                                      node::Confined::kNo);
  }
  if (word == "executor" && argc == 10) {
    return node::run_stream_keeper(std::atoi(argv[9]), {.shm_base_dir = argv[3], .name_space = argv[5]});
  }
  if (word == "executor") return 2;  // never the tests again
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
