#include "results/http_versions.h"

#include <gtest/gtest.h>

namespace hyperscale::results {
namespace {

TEST(HttpVersions, NamesWhatWasSpoken) {
  EXPECT_EQ(spoken_text({}), "");
  EXPECT_EQ(spoken_text({.http1 = 3, .http2 = 0}), "HTTP/1.1");
  EXPECT_EQ(spoken_text({.http1 = 0, .http2 = 1}), "HTTP/2");
  EXPECT_EQ(spoken_text({.http1 = 1, .http2 = 1}, "HTTPS"), "HTTPS/1.1 and HTTPS/2");
}

TEST(HttpVersions, AddUpWithoutWrapping) {
  HttpVersions sum{.http1 = 1, .http2 = UINT64_MAX};
  add(sum, {.http1 = 2, .http2 = 2});
  EXPECT_EQ(sum, (HttpVersions{.http1 = 3, .http2 = UINT64_MAX}));
}

}  // namespace
}  // namespace hyperscale::results
