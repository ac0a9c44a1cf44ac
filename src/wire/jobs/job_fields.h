// The parts that messages of jobs have in common, between their values and their protobuf form; private to this folder.
//
// FieldCheck judges a value against the limits; writer and reader of a message both use it. FieldRead takes a protobuf
// message apart: it refuses missing fields and what does not fit its type, and counts a list before it allocates for
// it. Both keep the first error, which begins with the name of the field. Sentences are the exception among the limits:
// the writer fits them, the reader checks them. Any thread.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "wire/jobs/dispatch.h"
#include "wire/proto/jobs.pb.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hyperscale::wire::job_fields {

// Of an enum with the numbers first to last; 0 is missing where it is not one of them.
Status check_choice(std::string_view field, std::uint32_t value, std::uint32_t first, std::uint32_t last);

class FieldCheck {
 public:
  template <typename Choice>
  void choice(std::string_view field, Choice value, Choice first, Choice last) {
    using Number = std::underlying_type_t<Choice>;
    add(check_choice(field, static_cast<Number>(value), static_cast<Number>(first), static_cast<Number>(last)));
  }
  void job(std::string_view field, std::string_view id);
  void share(std::string_view field, const ShareId& share);
  void attempt(const AttemptId& attempt);
  void name(std::string_view field, std::string_view text);  // of a workflow
  void visible(std::string_view field, std::string_view text, std::size_t most);
  void size(std::string_view field, std::size_t bytes, std::size_t most);
  void count(std::string_view field, std::size_t entries, std::size_t most);
  void range(std::string_view field, std::uint64_t value, std::uint64_t least, std::uint64_t most);
  void time(std::string_view field, Duration time);
  void change(std::string_view field, const NumberedChange& change);
  void changes(std::string_view field, const std::vector<NumberedChange>& changes);
  void values(std::string_view field, const std::vector<ContextValue>& values, std::size_t bytes_most);
  void identity(std::string_view field, const std::optional<NodeIdentity>& identity);
  // A refusal is given exactly if the order was not accepted.
  void refusal(bool accepted, Refusal refusal);
  // Cores of a worker.
  void cores(std::uint32_t total, std::uint32_t available);
  void that(bool holds, std::string_view otherwise);
  // What a check of a part found.
  void part(std::string_view field, const Status& found);

  Status result() const { return status_; }

 private:
  void add(const Status& found) {
    if (status_ && !found) status_ = found;
  }

  Status status_;
};

class FieldRead {
 public:
  void required(std::string_view field, bool is_there);
  void attempt(bool is_there, const proto::Attempt& from, AttemptId& into);
  void share(std::string_view field, bool is_there, const proto::Share& from, ShareId& into);
  void time(std::string_view field, std::uint64_t ns, Duration& into);
  void digest(std::string_view field, const std::string& from, Sha256& into);
  void sentence(std::string_view field, std::string& from, std::string& into);  // moves
  void change(std::string_view field, proto::NumberedChange& from, NumberedChange& into);
  void identity(std::string_view field, const proto::Identity& from, std::optional<NodeIdentity>& into);
  void refusal(std::uint32_t from, Refusal& into) {
    choice("refusal", from, Refusal::kNone, Refusal::kResources, into);
  }

  template <typename Choice>
  void choice(std::string_view field, std::uint32_t from, Choice first, Choice last, Choice& into) {
    using Number = std::underlying_type_t<Choice>;
    const Status ok = check_choice(field, from, static_cast<Number>(first), static_cast<Number>(last));
    add(ok);
    if (ok) into = static_cast<Choice>(from);
  }

  // Calls read(element, value) for each; the values are of the type of `into`.
  template <typename List, typename Value, typename Read>
  void list(std::string_view field, List& from, std::size_t most, std::vector<Value>& into, Read read) {
    if (!counts(field, static_cast<std::size_t>(from.size()), most)) return;
    into.reserve(static_cast<std::size_t>(from.size()));
    for (auto& each : from) {
      if (!status_) return;
      read(each, into.emplace_back());
    }
  }
  void changes(std::string_view field, google::protobuf::RepeatedPtrField<proto::NumberedChange>& from,
               std::vector<NumberedChange>& into);
  void values(std::string_view field, google::protobuf::RepeatedPtrField<proto::ContextValue>& from,
              std::vector<ContextValue>& into);

  // What reading a part gave.
  template <typename Value>
  void part(std::string_view field, Result<Value> from, Value& into) {
    if (from) {
      into = std::move(*from);
    } else {
      within_field(field, from.error());
    }
  }

  Status status() const { return status_; }
  template <typename Value>
  Result<Value> result(Value value) const {
    if (!status_) return fail(status_.error());
    return value;
  }

 private:
  bool counts(std::string_view field, std::size_t entries, std::size_t most);
  void within_field(std::string_view field, const Error& error);
  void add(const Status& found) {
    if (status_ && !found) status_ = found;
  }

  Status status_;
};

void write_fence(const Fence& from, proto::Fence& to);
void write_share(const ShareId& from, proto::Share& to);
void write_attempt(const AttemptId& from, proto::Attempt& to);
void write_change(const NumberedChange& from, proto::NumberedChange& to);
void write_value(const ContextValue& from, proto::ContextValue& to);

inline Fence read_fence(const proto::Fence& from) {
  return {.epoch = from.epoch(), .attempt = from.attempt()};
}
inline std::uint64_t written(Duration time) {
  return static_cast<std::uint64_t>(time.count());
}
inline std::string written(const Sha256& digest) {
  return {digest.begin(), digest.end()};
}
inline std::string written(const SharedBytes& bytes) {
  return std::string(bytes.text());
}
// Takes the bytes of a field without copying them.
SharedBytes taken(std::string& from);

}  // namespace hyperscale::wire::job_fields
