#include "cluster/frame_gate.h"

#include "base/check.h"
#include "base/endian.h"
#include "wire/sealed_datagram.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hyperscale::cluster {
namespace {

// What a frame is bound to; docs/formats/wire.md has the bytes.
constexpr std::uint8_t kQuestion = 'Q';
constexpr std::uint8_t kAnswer = 'A';

std::vector<std::uint8_t> question_for(const wire::NodeAddress& receiver) {
  const wire::AddressBytes address = wire::address_bytes(receiver);
  std::vector<std::uint8_t> bound{kQuestion};
  bound.insert(bound.end(), address.begin(), address.end());
  return bound;
}

std::vector<std::uint8_t> answer_for(const wire::NodeAddress& asker, SnowflakeId question) {
  const wire::AddressBytes address = wire::address_bytes(asker);
  std::vector<std::uint8_t> bound{kAnswer};
  bound.insert(bound.end(), address.begin(), address.end());
  bound.resize(bound.size() + sizeof(std::uint64_t));
  store_be64(bound.data() + bound.size() - sizeof(std::uint64_t), question.value());
  return bound;
}

wire::MessageSeal seal_of(const ClusterConfig& config, wire::KeyDomain domain) {
  return {wire::SealForm::kFrame,
          config.keys,
          {.cluster = config.cluster, .environment = config.environment, .domain = domain},
          config.mutations.seal};
}

}  // namespace

FrameGate::FrameGate(const ClusterConfig& config, WallTime started)
    : self_(config.self.address),
      role_(config.self.role),
      entropy_(config.entropy),
      group_(seal_of(config, wire::KeyDomain::kGroup)),
      workers_(seal_of(config, wire::KeyDomain::kWorkers)),
      replays_(config.replay, started),
      ids_(Prng(config.seed).stream("frame ids")) {
  CHECK(entropy_ != nullptr, "a node needs a source of entropy");
}

void FrameGate::rotate(const wire::Keyring& keys) {
  group_.rotate(keys);
  workers_.rotate(keys);
}

Result<FrameGate::Question> FrameGate::seal_question(const wire::NodeIdentity& to, std::string action, SharedBytes data,
                                                     WallTime wall) {
  const auto id = ids_.next(wall);
  if (!id) return fail(ErrorCode::kUnavailable, "the clock is outside of what a message can be stamped with");
  const wire::KeyDomain domain = wire::domain_between(role_, to.role);
  auto sealed =
      wire::seal_frame_payload(seal(domain), {.sender = self_, .action = std::move(action), .data = std::move(data)},
                               *id, *entropy_, question_for(to.address));
  if (!sealed) return fail(sealed.error());
  ++stats_.questions_out;
  return Question{.sealed = std::move(*sealed), .to = to.address, .domain = domain, .id = *id};
}

Result<FrameGate::Asked> FrameGate::open_question(ByteView sealed, WallTime wall) {
  ++stats_.questions_in;
  const auto domain = group_.refusal_by_head(sealed) ? wire::KeyDomain::kWorkers : wire::KeyDomain::kGroup;
  auto opened = wire::open_frame_payload(seal(domain), sealed, question_for(self_));
  if (!opened) {
    ++stats_.refused_unsealed;
    return fail(opened.error());
  }
  if (replays_.check(opened->content.sender, opened->id, wall) != wire::ReplayVerdict::kFresh) {
    ++stats_.refused_replayed;
    return fail(ErrorCode::kUnauthorized, "the question was asked before, or by a clock that is wrong");
  }
  return Asked{.from = opened->content.sender,
               .id = opened->id,
               .domain = domain,
               .action = std::move(opened->content.action),
               .data = std::move(opened->content.data)};
}

Result<SharedBytes> FrameGate::seal_answer(const Asked& asked, SharedBytes data, WallTime wall) {
  const auto id = ids_.next(wall);
  if (!id) return fail(ErrorCode::kUnavailable, "the clock is outside of what a message can be stamped with");
  return wire::seal_frame_payload(seal(asked.domain),
                                  {.sender = self_, .action = asked.action, .data = std::move(data)}, *id, *entropy_,
                                  answer_for(asked.from, asked.id));
}

Result<SharedBytes> FrameGate::open_answer(const Question& question, ByteView sealed) {
  auto opened = wire::open_frame_payload(seal(question.domain), sealed, answer_for(self_, question.id));
  if (opened && opened->content.sender != question.to)
    opened = fail(ErrorCode::kUnauthorized, "the answer is of another node than was asked");
  if (!opened) {
    ++stats_.refused_unsealed;
    return fail(opened.error());
  }
  return std::move(opened->content.data);
}

}  // namespace hyperscale::cluster
