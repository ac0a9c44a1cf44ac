#include "load/protocols/raw/prepared_raw.h"

#include "load/protocols/kept_bodies.h"
#include "plan/limits.h"
#include "plan/raw_request.h"
#include "plan/url.h"

#include <memory>

namespace hyperscale::load {

// An answer is never cut: it is kept as a whole, or its exchange fails.
static_assert(plan::kRawAnswerBytesMax == kKeptBodyBytesMax);

Result<PreparedRaw> prepare_raw(const plan::Request& request, bool wants_body) {
  if (Status fine = plan::check_raw_request(request); !fine) return fail(fine.error());
  const auto url = plan::parse_raw_url(request.url);
  if (!url) return fail(url.error());
  PreparedRaw ready(plan::protocol_of(url->text()));
  ready.bytes = request.body;
  ready.end = AnswerEnd(request.until, request.read_bytes);
  ready.wants_body = wants_body;
  ready.secure = url->secure();
  ready.host = url->host;
  ready.port = url->port;
  auto source = std::make_shared<plan::Request>(request);
  source->body.clear();  // it is in `bytes`
  ready.source = std::move(source);
  return ready;
}

}  // namespace hyperscale::load
