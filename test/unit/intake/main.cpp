// The test program is also the child of its own tests: it starts itself with another first word.
#include "child_works.h"
#include "intake/guarded_work.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  using namespace hyperscale;
  const std::vector<std::string> words(argv, argv + argc);
  if (argc > 5 && words[1] == "executor" && words[4] == "--work")
    return intake::run_guarded_work(std::atoi(argv[3]), std::span(words).subspan(5), intake::test_works());
  if (argc == 2 && words[1] == "wait-for-a-child") return intake::wait_for_a_child();
  if (argc > 1 && words[1] == "executor") return 2;  // never the tests again
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
