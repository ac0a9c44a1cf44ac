// Replays the seeds of the fuzzer of job messages, with every truncation and a few mutations of each.
#include "arbitrary_job_message.h"
#include "base/prng.h"
#include "job_message_properties.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> job_seeds() {
  std::vector<Bytes> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(FUZZ_DIR "/job_messages/corpus")) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.push_back({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  }
  return seeds;
}

TEST(JobCorpus, KeepsItsProperties) {
  Prng prng(2025);
  for (const Bytes& seed : job_seeds()) {
    for (std::size_t kept = 0; kept <= seed.size(); ++kept) fuzz::check_job_messages(ByteView(seed).first(kept));
    for (int round = 0; round < 100 && !seed.empty(); ++round) {
      Bytes mutated = seed;
      mutated[prng.below(mutated.size())] = static_cast<std::uint8_t>(prng.next());
      fuzz::check_job_messages(mutated);
    }
  }
}

TEST(JobCorpus, HasOneOfEachMessage) {
  std::set<std::size_t> questions;
  std::set<std::size_t> replies;
  bool has_content = false;
  for (const Bytes& seed : job_seeds()) {
    for (const std::string_view action : fuzz::kJobActionNames) {
      if (const auto question = decode_job_question(action, seed)) questions.insert(question->index());
      if (const auto answer = decode_job_answer(action, seed)) replies.insert(answer->index());
    }
    has_content = has_content || decode_dispatch_content(seed).has_value();
  }
  EXPECT_EQ(questions.size(), std::variant_size_v<JobQuestion>);
  EXPECT_EQ(replies.size(), std::variant_size_v<JobAnswer>);
  EXPECT_TRUE(has_content);
}

}  // namespace
}  // namespace hyperscale::wire
