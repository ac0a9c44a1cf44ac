#include "runtime/secret/secret.h"

#include "runtime/secret/private_folder.h"
#include "runtime/secret/secret_source.h"
#include "runtime/secret/token_file.h"
#include "runtime/secret/wiping_allocator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <type_traits>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HYPERSCALE_SANITIZED 1
#endif
#endif

extern char** environ;

namespace hyperscale::runtime {
namespace {

static_assert(!std::is_copy_constructible_v<Secret> && !std::is_copy_assignable_v<Secret>);
static_assert(!std::is_move_constructible_v<Secret> && !std::is_default_constructible_v<Secret>);
// What tasks pass around is a handle to something they cannot write to.
static_assert(std::is_const_v<SecretHandle::element_type>);

constexpr std::string_view kToken = "correct horse battery staple";

SecretHandle secret_of(std::string_view text) {
  std::string source(text);
  return Secret::take(source.data(), source.size());
}

// The lines of /proc/self/smaps of the mapping that holds `address`.
std::string mapping_of(const void* address) {
  std::ifstream smaps("/proc/self/smaps");
  std::string found;
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      const auto at = reinterpret_cast<unsigned long>(address);
      inside = at >= begin && at < end;
    }
    if (inside) found += line + "\n";
  }
  return found;
}

std::string flags_of(const std::string& mapping) {
  const auto at = mapping.find("VmFlags:");
  return at == std::string::npos ? "" : mapping.substr(at, mapping.find('\n', at) - at) + " ";
}

// proves part: NODE-SAFE-5 (wiping also on reallocation, mlock, core dumps; not that the optimiser cannot drop it)
TEST(SecretTest, ItsPagesStayOutOfCoreDumpsAndOutOfSwap) {
  const auto secret = secret_of(kToken);
  const void* address =
      secret->with_bytes([](std::string_view bytes) { return static_cast<const void*>(bytes.data()); });
  const std::string flags = flags_of(mapping_of(address));
  EXPECT_THAT(flags, ::testing::HasSubstr(" dd ")) << "not excluded from core dumps";
#ifdef HYPERSCALE_SANITIZED
  GTEST_SKIP() << "sanitizers turn mlock into nothing";
#endif
  if (!secret->locked_in_memory()) GTEST_SKIP() << "the limit on locked memory is too low here";
  EXPECT_THAT(flags, ::testing::HasSubstr(" lo ")) << "not locked";
}

// proves part: NODE-AMN-2 (one copy that the last handle unmaps; not that it is wiped, nor that clones are forbidden)
TEST(SecretTest, TakingLeavesOneCopyThatLastHandleUnmaps) {
  std::string source(kToken);
  auto secret = Secret::take(source.data(), source.size());
  EXPECT_EQ(source, std::string(kToken.size(), '\0'));
  auto other = secret;
  const void* address =
      secret->with_bytes([](std::string_view bytes) { return static_cast<const void*>(bytes.data()); });
  EXPECT_EQ(other->with_bytes([](std::string_view bytes) { return static_cast<const void*>(bytes.data()); }), address)
      << "a second handle means the same bytes, not a copy";
  secret.reset();
  EXPECT_TRUE(other->matches(kToken));
  EXPECT_NE(mapping_of(address), "");
  other.reset();
  EXPECT_EQ(mapping_of(address), "");
}

// proves part: NODE-PQ-2 (a handle works without a copy; not that channels carry nothing else)
TEST(SecretTest, AnotherTaskUsesItThroughItsHandleWithoutACopy) {
  const auto secret = secret_of(kToken);
  const char* there = nullptr;
  bool matched = false;
  std::thread task([handle = secret, &there, &matched] {
    matched = handle->matches(kToken);
    there = handle->with_bytes([](std::string_view bytes) { return bytes.data(); });
  });
  task.join();
  EXPECT_TRUE(matched);
  EXPECT_EQ(there, secret->with_bytes([](std::string_view bytes) { return bytes.data(); }));
}

TEST(SecretTest, MatchesOnlyTheWholeSecret) {
  const auto secret = secret_of(kToken);
  EXPECT_TRUE(secret->matches(kToken));
  EXPECT_FALSE(secret->matches(""));
  EXPECT_FALSE(secret->matches(kToken.substr(1)));
  EXPECT_FALSE(secret->matches(kToken.substr(0, kToken.size() - 1)));
  EXPECT_FALSE(secret->matches(std::string(kToken) + std::string(kToken))) << "the comparison wraps around";
  EXPECT_FALSE(secret->matches(std::string(kToken) + '\0'));
  for (std::size_t i = 0; i < kToken.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string wrong(kToken);
      wrong[i] = static_cast<char>(wrong[i] ^ (1 << bit));
      EXPECT_FALSE(secret->matches(wrong)) << i << "/" << bit;
    }
  }
  EXPECT_FALSE(secret_of("")->matches("")) << "an empty secret must not admit everybody";
}

TEST(SecretTest, ASecretOfAWholePageAndMoreFits) {
  const std::string large(3 * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), 'k');
  EXPECT_TRUE(secret_of(large)->matches(large));
}

class SecretFileTest : public ::testing::Test {
 protected:
  SecretFileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "secret-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    path = (folder / "token").string();
  }
  ~SecretFileTest() override { std::filesystem::remove_all(folder); }
  void write(const std::string& text, ::mode_t mode) {
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
  }

  std::filesystem::path folder;
  std::string path;
};

TEST_F(SecretFileTest, ReadsAPrivateFileWithoutTheWhiteSpaceAround) {
  write("\n  " + std::string(kToken) + " \r\n", 0600);
  const auto secret = read_secret_file(path);
  ASSERT_TRUE(secret) << secret.error().to_string();
  EXPECT_TRUE((*secret)->matches(kToken));
}

TEST_F(SecretFileTest, RefusesFileThatOthersMayRead) {
  for (const ::mode_t mode : {0640u, 0604u, 0620u, 0644u, 0601u}) {
    write(std::string(kToken), mode);
    const auto secret = read_secret_file(path);
    ASSERT_FALSE(secret) << mode;
    EXPECT_THAT(secret.error().context, ::testing::HasSubstr("chmod 600 " + path));
    EXPECT_THAT(secret.error().context, ::testing::Not(::testing::HasSubstr(std::string(kToken))));
  }
}

TEST_F(SecretFileTest, RefusesWhatIsMissingTooShortOrTooLong) {
  EXPECT_THAT(read_secret_file(path).error().context, ::testing::HasSubstr("No such file"));
  EXPECT_FALSE(read_secret_file(folder.string())) << "a folder is not a secret";
  write(std::string(kSecretBytesMin - 1, 's') + "\n", 0600);
  EXPECT_THAT(read_secret_file(path).error().context, ::testing::HasSubstr("has 15 characters"));
  write("   \n", 0600);
  EXPECT_FALSE(read_secret_file(path));
  write(std::string(kSecretBytesMax + 1, 's'), 0600);
  EXPECT_FALSE(read_secret_file(path));
  write(std::string(kSecretBytesMax + 1000, 's'), 0600);
  EXPECT_FALSE(read_secret_file(path));
  write(std::string(kSecretBytesMax, 's') + "\n", 0600);
  EXPECT_TRUE(read_secret_file(path));
}

TEST(SecretEnvironmentTest, TheVariableAndTheMemoryItWasInAreErased) {
  ::setenv("HYPERSCALE_TEST_SECRET", std::string(kToken).c_str(), 1);
  char* const memory = ::getenv("HYPERSCALE_TEST_SECRET");
  const auto secret = take_secret_from_environment("HYPERSCALE_TEST_SECRET");
  ASSERT_TRUE(secret);
  EXPECT_TRUE((*secret)->matches(kToken));
  EXPECT_EQ(::getenv("HYPERSCALE_TEST_SECRET"), nullptr);
  // The memory of a variable is never given back, so looking at it is sound.
  EXPECT_TRUE(std::all_of(memory, memory + kToken.size(), [](char c) { return c == '\0'; }));
  for (char** entry = environ; *entry != nullptr; ++entry) {
    EXPECT_EQ(std::string_view(*entry).find(kToken), std::string_view::npos);
  }
}

TEST(SecretEnvironmentTest, AVariableThatIsTooShortIsRefusedAndErasedToo) {
  ::setenv("HYPERSCALE_TEST_SECRET", "short", 1);
  char* const memory = ::getenv("HYPERSCALE_TEST_SECRET");
  const auto secret = take_secret_from_environment("HYPERSCALE_TEST_SECRET");
  ASSERT_FALSE(secret);
  EXPECT_THAT(secret.error().context, ::testing::Not(::testing::HasSubstr("short")));
  EXPECT_EQ(*memory, '\0');
  EXPECT_EQ(::getenv("HYPERSCALE_TEST_SECRET"), nullptr);
}

TEST(SecretEnvironmentTest, AMissingVariableIsNoError) {
  const auto secret = take_secret_from_environment("HYPERSCALE_TEST_NOT_SET");
  ASSERT_TRUE(secret);
  EXPECT_EQ(*secret, nullptr);
}

TEST_F(SecretFileTest, AMadeTokenIsPrivateAndGoneWithItsOwner) {
  write("left by a process that was killed", 0644);
  {
    const auto made = TokenFile::make(path);
    ASSERT_TRUE(made) << made.error().context;
    struct stat info{};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, 0600u);
    const auto read = read_secret_file(path);
    ASSERT_TRUE(read) << read.error().context;
    EXPECT_EQ((*read)->size(), 2 * kTokenRandomBytes);
    (*read)->with_bytes([&](std::string_view text) {
      EXPECT_TRUE((*made)->token()->matches(text));
      EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string_view::npos);
    });
    EXPECT_FALSE(std::filesystem::exists(path + ".new"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(SecretFileTest, EachTokenIsAnother) {
  const auto first = TokenFile::make(path);
  const auto second = TokenFile::make(path + "2");
  (*first)->token()->with_bytes([&](std::string_view text) { EXPECT_FALSE((*second)->token()->matches(text)); });
}

TEST_F(SecretFileTest, ATokenThatWasReplacedIsLeft) {
  auto first = TokenFile::make(path);
  const auto second = TokenFile::make(path);
  first->reset();
  EXPECT_TRUE(std::filesystem::exists(path)) << "it is of the second";
}

TEST_F(SecretFileTest, ATokenWithoutAFolderSaysWhere) {
  const auto made = TokenFile::make(path + "/none/token");
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().context, ::testing::HasSubstr(path + "/none/token"));
}

TEST_F(SecretFileTest, AFolderThatOthersMayEnterIsRefused) {
  const std::string private_folder = (folder / "own").string();
  EXPECT_EQ(check_private_folder(private_folder).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(open_private_folder(private_folder));
  EXPECT_TRUE(check_private_folder(private_folder));
  ::chmod(private_folder.c_str(), 0755);
  EXPECT_EQ(open_private_folder(private_folder).error().code, ErrorCode::kUnauthorized);
}

}  // namespace
}  // namespace hyperscale::runtime
