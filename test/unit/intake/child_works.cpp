#include "child_works.h"

#include "intake/describe_work.h"
#include "intake/guarded_child.h"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::intake {
namespace {

using Answer = Result<std::vector<std::uint8_t>>;

Answer text(std::string_view words) {
  return std::vector<std::uint8_t>(words.begin(), words.end());
}

// Ends by being killed only.
[[noreturn]] void hang() {
  for (;;) ::pause();
}

[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  ::raise(signal);
  hang();
}

Answer take_memory(std::size_t bytes) {
  std::vector<char> much(bytes, 'x');
  if (much.back() != 'x') return text("");
  hang();
}

Answer possessions() {
  std::string left;
  if (::open("/etc/passwd", O_RDONLY) >= 0) left += " file";
  if (::socket(AF_INET, SOCK_STREAM, 0) >= 0) left += " socket";
  if (::getenv("PATH") != nullptr) left += " environment";
  if (::fcntl(4, F_GETFD) >= 0) left += " descriptor";
  return text("has:" + left);
}

Answer ask_for(const std::string& path) {
  const auto fd = open_in_parent(path);
  if (!fd) return fail(fd.error());
  char byte = 0;
  return text(::read(fd->get(), &byte, 1) == 0 ? "empty" : "something");
}

Answer say_and_hang() {
  if (::write(STDERR_FILENO, "r", 1) != 1) ::_exit(1);
  hang();
}

// `run` takes the word after the name, and the request.
PrepareWork simple(std::function<Answer(const std::string& word, const std::string& request)> run) {
  return [run](std::span<const std::string> words, std::vector<std::uint8_t> request) -> Result<GuardedWork> {
    return GuardedWork{{},
                       [run, word = words.empty() ? std::string() : words.front(),
                        asked = std::string(request.begin(), request.end())] { return run(word, asked); }};
  };
}

}  // namespace

GuardedWorks test_works() {
  const auto number = [](const std::string& word) { return std::atoi(word.c_str()); };
  return {{"describe", &prepare_describing},
          {"echo", simple([](const auto&, const std::string& request) { return text(request); })},
          {"fail", simple([](const auto&, const std::string& request) -> Answer {
             return fail(ErrorCode::kInternal, request);
           })},
          {"hang", simple([](const auto&, const auto&) -> Answer { hang(); })},
          {"memory", simple([=](const std::string& word, const auto&) {
             return take_memory(static_cast<std::size_t>(number(word)) << 20);
           })},
          {"signal", simple([=](const std::string& word, const auto&) -> Answer { die_of(number(word)); })},
          {"exit", simple([=](const std::string& word, const auto&) -> Answer { ::_exit(number(word)); })},
          {"possessions", simple([](const auto&, const auto&) { return possessions(); })},
          {"open", simple([](const auto&, const std::string& request) { return ask_for(request); })},
          {"say-and-hang", simple([](const auto&, const auto&) { return say_and_hang(); })}};
}

int wait_for_a_child() {
  (void)answer_of_child({.file = "shop.js", .work = {"say-and-hang"}, .request = {}},
                        [](const std::string&) { return Result<OwnedFd>(fail(ErrorCode::kUnauthorized, "no")); });
  return 0;
}

}  // namespace hyperscale::intake
