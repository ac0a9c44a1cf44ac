#include "runtime/config/config_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

class ConfigFile : public testing::Test {
 protected:
  ConfigFile() {
    std::string pattern = testing::TempDir() + "config_file_XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ConfigFile() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& text) const {
    const std::string path = folder_ + "/node.toml";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::string folder_;
};

TEST_F(ConfigFile, GivesTheBytesOfTheFile) {
  EXPECT_EQ(read_config_file(write("[api]\n")), "[api]\n");
  EXPECT_EQ(read_config_file(write("")), "");
}

TEST_F(ConfigFile, AMissingFileSaysSo) {
  const auto text = read_config_file(folder_ + "/none.toml");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(text.error().context,
            "cannot read the configuration file " + folder_ + "/none.toml: there is no such file; check the path");
}

TEST_F(ConfigFile, ADirectorySaysSo) {
  const auto text = read_config_file(folder_);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(text.error().context.find("it is a directory"), std::string::npos);
}

TEST_F(ConfigFile, APipeDoesNotBlock) {
  const std::string path = folder_ + "/pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const auto text = read_config_file(path);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(ConfigFile, TheLimitIsExact) {
  EXPECT_TRUE(read_config_file(write(std::string(kConfigFileBytesMax, '#'))));
  const auto text = read_config_file(write(std::string(kConfigFileBytesMax + 1, '#')));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kTooLarge);
  EXPECT_NE(text.error().context.find("1048576 bytes"), std::string::npos);
}

}  // namespace
}  // namespace hyperscale::runtime
