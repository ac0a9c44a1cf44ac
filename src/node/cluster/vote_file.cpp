#include "node/cluster/vote_file.h"

#include "base/errno_text.h"
#include "base/sealed_record.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

using cluster::DurableState;

struct Record {
  std::uint64_t incarnation = 0;
  std::uint64_t term = 0;
  std::string voted_for;
  std::uint64_t heard_until_ms = 0;
};

constexpr Seal kSeal{.what = "vote file", .magic = {'H', 'S', 'V', 'T'}, .version = 2, .bytes_max = 256};
// The format that 0.1.0 wrote.
constexpr Seal kFirstSeal{.what = "vote file", .magic = {'H', 'S', 'V', 'T'}, .version = 1, .bytes_max = 256};
constexpr auto kDescribeFirst = [](auto& fields, auto& record) {
  fields.number("incarnation", record.incarnation, UINT64_MAX);
  fields.number("term", record.term, UINT64_MAX);
  fields.text("voted for", record.voted_for, wire::kNodeNameBytesMax);
};
constexpr auto kDescribe = [](auto& fields, auto& record) {
  kDescribeFirst(fields, record);
  fields.number("heard until", record.heard_until_ms, INT64_MAX / 1'000'000);
};

tl::unexpected<Error> failed(const std::string& what, const std::string& path) {
  return fail(ErrorCode::kUnavailable, fmt::format("cannot {} {}: {}", what, path, errno_text(errno)));
}

Status write_whole(int descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail(ErrorCode::kUnavailable, errno_text(written < 0 ? errno : ENOSPC));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<VoteFile>> VoteFile::open(const std::string& folder) {
  std::unique_ptr<VoteFile> file(new VoteFile(folder));
  if (Status locked = file->lock(); !locked) return fail(locked.error());
  if (Status loaded = file->load(); !loaded) return fail(loaded.error());
  return file;
}

Status VoteFile::lock() {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return fail(ErrorCode::kUnavailable, fmt::format("cannot make {}: {}", folder_, error.message()));
  folder_fd_ = OwnedFd(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_fd_.valid()) return failed("open", folder_);
  ::fchmod(folder_fd_.get(), S_IRWXU);
  if (::flock(folder_fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::kConflict,
                fmt::format("another node uses {}; each needs a state folder of its own", folder_));
  }
  return {};
}

Status VoteFile::load() {
  std::ifstream in(path(), std::ios::binary);
  if (!in) {
    if (::access(path().c_str(), F_OK) == 0) return failed("read", path());
    return {};
  }
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
  auto record = open_record<Record>(kSeal, bytes, kDescribe);
  if (!record) {
    if (auto first = open_record<Record>(kFirstSeal, bytes, kDescribeFirst)) record = std::move(first);
  }
  if (!record) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("{}: {}; only remove it when this node has been down for longer than a lease", path(),
                            record.error().context));
  }
  state_ = {.incarnation = wire::Incarnation(record->incarnation),
            .term = wire::Term(record->term),
            .voted_for = record->voted_for,
            .heard_until = WallTime::from_ns(static_cast<std::int64_t>(record->heard_until_ms) * 1'000'000)};
  return {};
}

Status VoteFile::save(const DurableState& state) {
  const Record record{.incarnation = state.incarnation.value(),
                      .term = state.term.value(),
                      .voted_for = state.voted_for,
                      .heard_until_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(state.heard_until.ms(), 0))};
  const auto bytes = seal_record(kSeal, record, kDescribe);
  if (!bytes) return fail(bytes.error());
  const std::string fresh = path() + ".new";
  OwnedFd file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.valid()) return failed("write", fresh);
  Status written = write_whole(file.get(), *bytes);
  if (written && ::fdatasync(file.get()) != 0) written = failed("sync", fresh);
  if (!file.close() && written) written = failed("close", fresh);
  if (!written) return fail(written.error().code, fmt::format("{}: {}", fresh, written.error().context));
  if (::rename(fresh.c_str(), path().c_str()) != 0) return failed("replace", path());
  if (::fsync(folder_fd_.get()) != 0) return failed("sync", folder_);
  state_ = state;
  return {};
}

}  // namespace hyperscale::node
