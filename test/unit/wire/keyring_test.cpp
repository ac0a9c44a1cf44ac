#include "wire/keyring.h"

#include "base/prng.h"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HYPERSCALE_SANITIZED 1
#endif
#endif

namespace hyperscale::wire {
namespace {

constexpr std::string_view kGood = "kT9#vLq2@xRw7!mZ";
constexpr std::string_view kOther = "b64:3oJ9wqYtVn1sXgA8";

template <typename T>
concept Formattable = fmt::is_formattable<T>::value;
template <typename T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };
static_assert(!Formattable<Keyring> && !Printable<Keyring>);

// proves: SEC-2
TEST(Keyring, RefusesASecretOfFewerThanSixteenCharacters) {
  EXPECT_TRUE(Keyring::make(kGood.substr(0, 16)));
  for (const std::string_view secret : {std::string_view(""), kGood.substr(0, 15)}) {
    const Result<Keyring> keys = Keyring::make(secret);
    ASSERT_FALSE(keys);
    EXPECT_EQ(keys.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(keys.error().context.find("shorter than 16"), std::string::npos);
  }
  EXPECT_FALSE(Keyring::make(std::string(kClusterSecretBytesMax, 'x') + std::string(kGood)));
}

// proves: SEC-2
TEST(Keyring, RefusesWeakSecretsWithoutShowingThem) {
  for (const std::string_view secret :
       {"aaaaaaaaaaaaaaaa", "abababababababab", "aabbccddaabbccdd", "hunter2hunter2hunter2", "abcdefghijklmnop",
        "ponmlkjihgfedcba", "0123456789abcdef", "1234567890123456", "qwertyuiopasdfghjkl", "QWERTYUIOPasdfgh",
        "changemechangeme", "ChangeMe12345678", "passwordpassword", "P4$$w0rd12345678", "supersecretpassword",
        "MySecretPassword!", "letmein-letmein!", "admin-secret-1234", "hyperscale-secret", "test-cluster-token",
        "iloveyou_iloveyou", "1111111122222222", "                ",
        // What only one of the rules finds: few characters, each a few times, a keyboard read backwards.
        "axbyaxxbyabyaxby", "aaaabbbbccccddddeeeeffff", "poiuytrewqlkjhgfdsa"}) {
    const Result<Keyring> keys = Keyring::make(secret);
    ASSERT_FALSE(keys) << secret;
    EXPECT_NE(keys.error().context.find("too easy to guess"), std::string::npos) << secret;
    EXPECT_EQ(keys.error().context.find(secret.substr(0, 6)), std::string::npos) << keys.error().context;
    EXPECT_NE(keys.error().context.find("openssl rand"), std::string::npos);
  }
}

TEST(Keyring, AcceptsWhatGeneratorsMake) {
  for (const std::string_view secret :
       {"9f86d081884c7d659a2feaa0c55ad015", "3oJ9wqYtVn1sXgA8Kd0bZw==", "correct horse battery staple",
        "b7e2c1d4-3f5a-4b6c-8d9e-0a1b2c3d4e5f", "secret-7hQ2mZ9xKpV"}) {
    EXPECT_TRUE(Keyring::make(secret)) << secret;
  }
  EXPECT_TRUE(rc::check("32 random hexadecimal digits", [](std::uint64_t seed) {
    Prng prng(seed);
    std::string secret;
    for (int i = 0; i < 32; ++i) secret += "0123456789abcdef"[prng.below(16)];
    RC_ASSERT(Keyring::make(secret).has_value());
  }));
}

// proves part: SEC-3 (not datagrams of workers once a node has read its secrets anew)
TEST(Keyring, HoldsThePreviousSecretDuringARotation) {
  const Keyring rotating = *Keyring::make(kGood, kOther);
  ASSERT_TRUE(rotating.has_previous());
  EXPECT_TRUE(rotating.with_current([](std::string_view secret) { return secret == kGood; }));
  EXPECT_TRUE(rotating.with_previous([](std::string_view secret) { return secret == kOther; }));
  EXPECT_FALSE(Keyring::make(kGood)->has_previous());
  EXPECT_FALSE(Keyring::make(kGood, kGood)->has_previous());
  const Result<Keyring> weak = Keyring::make(kGood, "passwordpassword");
  ASSERT_FALSE(weak);
  EXPECT_NE(weak.error().context.find("the previous cluster secret"), std::string::npos);
}

TEST(Keyring, CopiesShareOneSecret) {
  const Keyring keys = *Keyring::make(kGood);
  const Keyring copy = keys;  // NOLINT(performance-unnecessary-copy-initialization): the copy is the subject
  const char* first = keys.with_current([](std::string_view secret) { return secret.data(); });
  const char* second = copy.with_current([](std::string_view secret) { return secret.data(); });
  EXPECT_EQ(first, second);
}

// The flags that /proc/self/smaps has for the page of an address: "rd wr mr mw me lo dd".
std::string page_flags(const void* at) {
  std::ifstream maps("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) here = from <= address && address < to;
    if (here && line.starts_with("VmFlags:")) return line;
  }
  return {};
}

TEST(Keyring, SecretsAreLockedAndNotDumped) {
  const auto keys = Keyring::make("q8Zt3vX0pLw7RbN2", "mK5sJ1cYd9Gf4HuE");
  ASSERT_TRUE(keys);
  const auto is_kept = [](std::string_view secret) {
    const std::string flags = page_flags(secret.data());
#ifdef HYPERSCALE_SANITIZED  // a sanitizer's mlock does nothing
    const bool locked = true;
#else
    const bool locked = flags.find(" lo") != std::string::npos;
#endif
    return locked && flags.find(" dd") != std::string::npos;
  };
  EXPECT_TRUE(keys->with_current(is_kept));
  EXPECT_TRUE(keys->with_previous(is_kept));
}

}  // namespace
}  // namespace hyperscale::wire
