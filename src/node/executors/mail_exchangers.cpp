#include "node/executors/mail_exchangers.h"

#include <algorithm>
#include <memory>

#include <arpa/nameser.h>

namespace hyperscale::node {
namespace {

struct Query {
  int pending = 1;
  int status = ARES_SUCCESS;
  std::vector<MailExchanger> exchangers;
};

void on_answer(void* context, int status, int /*timeouts*/, unsigned char* bytes, int size) {
  auto& query = *static_cast<Query*>(context);
  --query.pending;
  query.status = status;
  if (status != ARES_SUCCESS) return;
  ares_mx_reply* first = nullptr;
  query.status = ::ares_parse_mx_reply(bytes, size, &first);
  const std::unique_ptr<ares_mx_reply, decltype(&::ares_free_data)> owner(first, &::ares_free_data);
  for (const ares_mx_reply* one = first; one != nullptr; one = one->next) {
    const auto place = std::ranges::upper_bound(query.exchangers, one->priority, {}, &MailExchanger::preference);
    query.exchangers.insert(place, {.name = one->host, .preference = one->priority});
  }
}

bool is_root(const MailExchanger& exchanger) {
  return exchanger.name.empty() || exchanger.name == ".";
}

}  // namespace

Result<std::vector<MailExchanger>> mail_exchangers(DnsChannel& channel, const std::string& domain) {
  Query query;
  ::ares_query(channel.get(), domain.c_str(), ns_c_in, ns_t_mx, &on_answer, &query);
  channel.wait(query.pending);
  std::vector<MailExchanger>& found = query.exchangers;
  if (query.status == ARES_ENODATA || query.status == ARES_ENOTFOUND) return found;
  if (query.status != ARES_SUCCESS) return unresolved(query.status, domain, "MX record");
  // A null MX counts only as the single record; beside others it is an error in the zone.
  if (found.size() == 1 && is_root(found.front())) {
    return unresolved(ErrorCode::kNotFound, domain, "the domain accepts no mail (null MX)");
  }
  std::erase_if(found, is_root);
  if (found.size() > kMailExchangersMax) found.resize(kMailExchangersMax);
  return found;
}

}  // namespace hyperscale::node
