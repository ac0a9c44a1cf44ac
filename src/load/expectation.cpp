#include "load/expectation.h"

#include "load/graphql_errors.h"
#include "load/protocols/http/content_decoding.h"

#include <algorithm>

namespace hyperscale::load {
namespace {

using results::Outcome;

constexpr std::size_t kLookedAtBytesMax = 16 << 20;

// Calls look(body) with the body after content decoding.
template <typename Look>
bool looked_at(const ExchangeReport& report, const Look& look) {
  if (report.content_encoding.empty()) return look(report.body);
  const auto plain = decode_content(report.body, report.content_encoding, kLookedAtBytesMax);
  return plain ? look(std::string_view(*plain)) : look(report.body);
}

bool contains(const ExchangeReport& report, std::string_view wanted) {
  return looked_at(report, [wanted](std::string_view body) { return body.find(wanted) != std::string_view::npos; });
}

}  // namespace

Outcome judge(const plan::Expectation& expected, const ExchangeReport& report, std::string_view& message) {
  if (report.is_redirect) return Outcome::kRedirected;
  const bool answered = report.outcome == Outcome::kOk || report.outcome == Outcome::kStatus;
  if (!answered) return report.outcome;
  Outcome outcome = report.outcome;
  if (!expected.statuses.empty()) {
    const bool wanted = std::ranges::find(expected.statuses, report.status) != expected.statuses.end();
    outcome = wanted ? Outcome::kOk : Outcome::kStatus;
    if (!wanted) message = "the status is not one that was expected";
  }
  if (outcome == Outcome::kOk && !expected.body_contains.empty() && !contains(report, expected.body_contains)) {
    message = "the body does not contain what was expected";
    return Outcome::kBodyMismatch;
  }
  if (outcome == Outcome::kOk && expected.graphql && looked_at(report, has_graphql_errors)) {
    message = "the GraphQL answer has errors";
    return Outcome::kGraphql;
  }
  return outcome;
}

}  // namespace hyperscale::load
