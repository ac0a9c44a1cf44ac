// Votes: the responses to one candidacy, one per seat. A later response of a seat replaces only a refusal: a grant of a
// term is final. Owned by Election.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hyperscale::election {

class Votes {
 public:
  // count_duplicates: the mutation that counts one voter twice.
  void start(std::size_t seats, bool count_duplicates = false) {
    answers_.assign(seats, Answer::kNone);
    duplicates_ = 0;
    count_duplicates_ = count_duplicates;
  }
  void grant(std::size_t seat) {
    if (answers_.at(seat) == Answer::kGranted && count_duplicates_) ++duplicates_;
    answers_.at(seat) = Answer::kGranted;
  }
  void deny(std::size_t seat) {
    if (answers_.at(seat) == Answer::kNone) answers_.at(seat) = Answer::kDenied;
  }
  bool granted_by(std::size_t seat) const { return answers_.at(seat) == Answer::kGranted; }
  std::size_t granted() const { return count(Answer::kGranted) + duplicates_; }
  // Whether a majority is still possible if every silent seat grants.
  bool hopeless(std::size_t quorum) const { return answers_.size() - count(Answer::kDenied) < quorum; }

 private:
  enum class Answer : std::uint8_t { kNone, kGranted, kDenied };
  std::size_t count(Answer answer) const {
    return static_cast<std::size_t>(std::count(answers_.begin(), answers_.end(), answer));
  }

  std::vector<Answer> answers_;
  std::size_t duplicates_ = 0;
  bool count_duplicates_ = false;
};

}  // namespace hyperscale::election
