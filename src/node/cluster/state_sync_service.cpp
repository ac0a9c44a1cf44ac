#include "node/cluster/state_sync_service.h"

#include "node/process/build_info.h"
#include "runtime/clock/clock.h"
#include "wire/peer_error.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::node {
namespace {

using cluster::ClusterNode;
using cluster::StateSync;
using runtime::mono_now;

constexpr std::string_view kAction = "state-sync";
// How long the state that a node sent counts as current, in probe intervals.
constexpr int kRefreshIntervals = 60;
// Time for requests to end after their connections are closed.
constexpr Duration kFinishPatience = 1s;

cluster::StateSyncConfig config_of(const cluster::ClusterConfig& config) {
  return {.self = config.self,
          .hello = {.version = config.version,
                    .capabilities = cluster::capabilities_of(config.version),
                    .node_version = "hyperscale-" + version_text()},
          .retry_first = config.probe_interval,
          .refresh = kRefreshIntervals * config.probe_interval,
          .seed = config.seed};
}

std::optional<wire::NodeIdentity> member_at(const cluster::ClusterView& view, const wire::NodeAddress& address) {
  for (const cluster::MemberView& member : view.members)
    if (member.identity.address == address) return member.identity;
  return std::nullopt;
}

}  // namespace

StateSyncService::StateSyncService(asio::any_io_executor strand, runtime::Log& log, std::shared_ptr<ClusterLink> link,
                                   const cluster::ClusterConfig& config)
    : log_(log),
      link_(std::move(link)),
      questions_(std::make_shared<runtime::Errands>(std::move(strand), log, "cluster")),
      sync_(config_of(config)) {}

void StateSyncService::follow(const ClusterNode::Action& action) {
  if (const auto* won = std::get_if<ClusterNode::BecameLeader>(&action)) {
    step(StateSync::BecameLeader{.fence = won->fence});
  } else if (std::holds_alternative<ClusterNode::LostLeadership>(action)) {
    step(StateSync::LostLeadership{});
  } else if (const auto* up = std::get_if<ClusterNode::MemberUp>(&action)) {
    step(StateSync::MemberUp{.member = up->member});
  } else if (const auto* down = std::get_if<ClusterNode::MemberDown>(&action)) {
    step(StateSync::MemberDown{.member = down->member});
  }
}

asio::awaitable<void> StateSyncService::finish() {
  const auto keep = shared_from_this();
  stopped_ = true;
  link_->close();
  const bool ended = co_await questions_->finish(mono_now() + kFinishPatience);
  if (!ended) log_.warn("cluster", "{} questions to others did not end", questions_->running());
}

void StateSyncService::tick() {
  if (sync_.next_wake() <= mono_now()) step(StateSync::Tick{});
}

void StateSyncService::step(const StateSync::Event& event) {
  if (stopped_) return;
  for (StateSync::Action& action : sync_.step(event, mono_now())) {
    if (auto* question = std::get_if<StateSync::Ask>(&action)) {
      questions_->run(ask(shared_from_this(), std::move(*question)));
    } else if (const auto* note = std::get_if<StateSync::Note>(&action)) {
      note->warning ? log_.warn("cluster", "{}", note->text) : log_.info("cluster", "{}", note->text);
    }
  }
}

asio::awaitable<void> StateSyncService::ask(std::shared_ptr<StateSyncService> self, StateSync::Ask ask) {
  Result<wire::StateSyncResponse> response = co_await self->exchange(ask);
  if (!response) {
    self->log_.debug("cluster", "state of {}: {}", ask.member.name, response.error().to_string());
    self->step(StateSync::Failed{.ask = ask.ask, .why = response.error().context});
    co_return;
  }
  if (response->current_version != ask.request.since_version)
    self->log_.info("cluster", "state of {}: version {}", ask.member.name, response->current_version);
  self->step(StateSync::Answered{.ask = ask.ask, .response = std::move(*response)});
}

asio::awaitable<Result<wire::StateSyncResponse>> StateSyncService::exchange(const StateSync::Ask& ask) {
  if (blocked_.contains(ask.member.address)) co_return fail(ErrorCode::kUnavailable, "cut off by fault injection");
  auto request = wire::encode_state_sync_request(ask.request);
  if (!request) co_return fail(request.error());
  const SharedBytes data = SharedBytes::adopt(std::move(*request));
  const std::string action(kAction);
  const auto answer = co_await link_->ask(ask.member, action, data);
  if (!answer) co_return fail(answer.error());
  co_return wire::decode_state_sync_response(answer->view());
}

Result<SharedBytes> StateSyncService::answer(const SharedBytes& sealed, const cluster::ClusterView& view,
                                             const StateSync::SelfState& self) {
  const auto asked = link_->open_question(sealed);
  if (!asked) {
    if (!std::exchange(refusal_logged_, true))
      log_.warn("cluster", "refused a frame: {}; further ones are only counted", asked.error().context);
    return fail(wire::sanitised_for_peer(asked.error()));
  }
  if (blocked_.contains(asked->from)) return fail(ErrorCode::kUnavailable, "cut off by fault injection");
  auto data = answer_data(*asked, view, self);
  if (!data) {
    log_.warn("cluster", "cannot answer {} of {}: {}", asked->action, to_string(asked->from), data.error().context);
    return fail(wire::sanitised_for_peer(data.error()));
  }
  return link_->seal_answer(*asked, std::move(*data));
}

Result<SharedBytes> StateSyncService::answer_data(const cluster::FrameGate::Asked& asked,
                                                  const cluster::ClusterView& view, const StateSync::SelfState& self) {
  if (asked.action != kAction) return fail(ErrorCode::kNotFound, fmt::format("no action '{}'", asked.action));
  const auto request = wire::decode_state_sync_request(asked.data.view());
  if (!request) return fail(request.error());
  const auto known = member_at(view, asked.from);
  if (known && asked.domain != wire::domain_between(view.self.role, known->role))
    return fail(ErrorCode::kUnauthorized, fmt::format("{} has no key of its role", known->name));
  const auto response = sync_.answer(*request, known, self);
  if (!response) return fail(response.error());
  auto bytes = wire::encode_state_sync_response(*response);
  if (!bytes) return fail(bytes.error());
  return SharedBytes::adopt(std::move(*bytes));
}

}  // namespace hyperscale::node
