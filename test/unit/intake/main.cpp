// The test program is also the child of its own tests: it starts itself with another first word.
#include "child_works.h"
#include "intake/guarded_work.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

constexpr std::string_view kWork = "--work=";

int main(int argc, char** argv) {
  using namespace hyperscale;
  const std::vector<std::string> words(argv, argv + argc);
  std::vector<std::string> work;
  for (const std::string& word : words)
    if (word.starts_with(kWork)) work.push_back(word.substr(kWork.size()));
  if (!work.empty()) return intake::run_guarded_work(std::atoi(argv[3]), work, intake::test_works());
  if (argc == 2 && words[1] == "wait-for-a-child") return intake::wait_for_a_child();
  if (argc > 1 && words[1] == "executor") return 2;  // never the tests again
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
