#include "node/control/control_socket.h"

#include "node/control/control_client.h"
#include "node/control/control_folder.h"
#include "node/control/run_id.h"
#include "node/control/run_listener.h"
#include "temporary_folder.h"

#include <csignal>
#include <filesystem>
#include <future>

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr const char* kRun = "1763251200000-1a2b3c4d";

class ControlSocketTest : public testing::Test {
 protected:
  ControlSocketTest() : folder_(parent_.path() + "/hyperscale-0") {}

  void listen() {
    auto made = ControlSocket::listen(io_, folder_, kRun,
                                      {.status = [] { return std::string(R"({"requests":7})"); },
                                       .stop =
                                           [this](std::string_view workflow) {
                                             if (workflow == "Nobody")
                                               return Status(fail(ErrorCode::kNotFound, "none"));
                                             stopped_ = workflow;
                                             return Status();
                                           },
                                       .change =
                                           [this](const plan::LoadRequest& asked, const ChangeAnswer& answer) {
                                             if (asked.command.value > 100)
                                               return answer(fail(ErrorCode::kInvalidArgument, "too many"));
                                             changed_.push_back(asked);
                                             asio::post(io_, [answer] { answer("done"); });
                                           }});
    ASSERT_TRUE(made) << made.error().context;
    socket_ = std::move(*made);
  }

  // Serves until a client on another thread has its answer.
  Result<std::string> ask(const std::string& method, const std::string& body = {}) {
    io_.restart();
    auto answer = std::async(std::launch::async, [&] {
      auto got = ask_run(socket_->path(), method, as_bytes(body));
      io_.stop();
      return got;
    });
    auto working = asio::make_work_guard(io_);
    io_.run();
    return answer.get();
  }

  static mode_t mode_of(const std::string& path) {
    struct stat info{};
    EXPECT_EQ(::lstat(path.c_str(), &info), 0);
    return info.st_mode & 07777;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }

  test::TemporaryFolder parent_;
  std::string folder_;
  asio::io_context io_;
  std::unique_ptr<ControlSocket> socket_;
  std::optional<std::string> stopped_;
  std::vector<plan::LoadRequest> changed_;
};

TEST_F(ControlSocketTest, AChangeIsAnsweredWithWhatWasDoneOrWhyNot) {
  listen();
  const plan::LoadRequest asked{{plan::LoadChangeKind::kUsers, 100}, "Shop", std::nullopt};
  EXPECT_EQ(ask("change", encode(asked)), "done");
  EXPECT_THAT(changed_, testing::ElementsAre(asked));
  EXPECT_EQ(ask("change", plan::encode({{plan::LoadChangeKind::kUsers, 101}, "Shop", std::nullopt})).error().context,
            "too many");
  EXPECT_THAT(ask("change", "faster\n\n").error().context, testing::StartsWith("\"faster\" is not one of"));
  EXPECT_THAT(ask("change").error().context, testing::HasSubstr("a line for its basis"));
  EXPECT_EQ(changed_.size(), 1U);
}

TEST_F(ControlSocketTest, OnlyTheUserMayUseIt) {
  const mode_t mask = ::umask(0);
  listen();
  EXPECT_EQ(::umask(mask), 0U) << "the mask is given back";
  EXPECT_EQ(mode_of(folder_), 0700U);
  EXPECT_EQ(mode_of(socket_->path()), 0600U);
}

TEST_F(ControlSocketTest, AnswersStatusAndStop) {
  listen();
  const auto status = ask("status");
  ASSERT_TRUE(status) << status.error().context;
  EXPECT_EQ(*status, R"({"requests":7})");
  EXPECT_FALSE(stopped_);
  ASSERT_TRUE(ask("stop"));
  EXPECT_EQ(stopped_, "");
  ASSERT_TRUE(ask("stop", "Shop"));
  EXPECT_EQ(stopped_, "Shop");
  EXPECT_EQ(ask("stop", "Nobody").error().context, "none");
  const auto unknown = ask("explode");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
}

constexpr const char* kKilledRun = "1763251100000-00000000";

TEST_F(ControlSocketTest, IsGoneWithTheRun) {
  listen();
  EXPECT_THAT(runs_in(folder_), testing::ElementsAre(kRun));
  EXPECT_THAT(living_runs(folder_), testing::ElementsAre(kRun));
  socket_.reset();
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(ControlSocketTest, SocketOfKilledRunIsRemovedByNextRunOrCtl) {
  for (const bool by_a_run : {true, false}) {
    listen();
    // A hard link outlives the destructor as the socket of a killed run does.
    ASSERT_EQ(::link(socket_->path().c_str(), control_socket_path(folder_, kKilledRun).c_str()), 0);
    EXPECT_THAT(living_runs(folder_), testing::ElementsAre(kKilledRun, kRun)) << "somebody listens on both";
    socket_.reset();
    EXPECT_THAT(runs_in(folder_), testing::ElementsAre(kKilledRun));
    if (by_a_run) {
      listen();
      EXPECT_THAT(runs_in(folder_), testing::ElementsAre(kRun));
      socket_.reset();
    } else {
      EXPECT_THAT(living_runs(folder_), testing::IsEmpty());
    }
    EXPECT_THAT(files(), testing::IsEmpty());
  }
}

TEST_F(ControlSocketTest, ARunThatIsSuspendedIsNotTakenForADeadOne) {
  ASSERT_TRUE(open_control_folder(folder_));
  const std::string path = control_socket_path(folder_, kRun);
  const pid_t child = ::fork();
  if (child == 0) {
    asio::io_context io;
    const auto socket = ControlSocket::listen(io, folder_, kRun, {});
    ::raise(SIGSTOP);
    ::_exit(socket ? 0 : 1);
  }
  ASSERT_EQ(::waitpid(child, nullptr, WUNTRACED), child);
  const RunListener asleep = listener_of(path);
  EXPECT_TRUE(asleep.suspended);
  EXPECT_FALSE(asleep.dead);
  EXPECT_EQ(asleep.process, child);
  EXPECT_THAT(living_runs(folder_), testing::ElementsAre(kRun));
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(listener_of(path).dead);
  EXPECT_THAT(living_runs(folder_), testing::IsEmpty());
}

TEST_F(ControlSocketTest, RefusesAFolderThatOthersCanEnter) {
  ASSERT_EQ(::mkdir(folder_.c_str(), 0700), 0);
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  const auto made = ControlSocket::listen(io_, folder_, kRun, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kUnauthorized);
}

TEST_F(ControlSocketTest, RefusesALinkInPlaceOfTheFolder) {
  ASSERT_EQ(::symlink("/tmp", folder_.c_str()), 0);
  EXPECT_FALSE(ControlSocket::listen(io_, folder_, kRun, {}));
}

TEST(RunId, IsTheTimeAndEightDigits) {
  const std::string id = make_run_id(WallTime::from_ns(1'763'251'200'123'000'000));
  EXPECT_THAT(id, testing::StartsWith("1763251200123-"));
  EXPECT_TRUE(is_run_id(id));
  EXPECT_NE(id, make_run_id(WallTime::from_ns(1'763'251'200'123'000'000)));
  for (const char* bad : {"", "-", "1-", "1-1234567", "1-123456789", "1-1234567g", "x-12345678", "../1-12345678"}) {
    EXPECT_FALSE(is_run_id(bad)) << bad;
  }
}

}  // namespace
}  // namespace hyperscale::node
