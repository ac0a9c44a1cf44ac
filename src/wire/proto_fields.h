// The parts that several messages have in common, between their values and their protobuf form; private to this folder.
//
// Pure functions; any thread. Writing expects values of a message that its check has accepted, such as
// check_cluster_message(). Reading refuses missing fields and values that do not fit their type (kProtocol), and names
// the field.
#pragma once

#include "base/result.h"
#include "wire/cluster_message.h"
#include "wire/proto/cluster.pb.h"

#include <string>
#include <string_view>

namespace hyperscale::wire {

void write_address(const NodeAddress& from, proto::Address& to);
void write_identity(const NodeIdentity& from, proto::Identity& to);
void write_update(const MemberUpdate& from, proto::Update& to);
void write_coordinate(const Coordinate& from, proto::Coordinate& to);
void write_rank(const CandidateRank& from, proto::Rank& to);

Result<NodeAddress> read_address(const proto::Address& from);
Result<NodeIdentity> read_identity(const proto::Identity& from);
Result<MemberUpdate> read_update(const proto::Update& from);
Result<Coordinate> read_coordinate(const proto::Coordinate& from);
Result<CandidateRank> read_rank(const proto::Rank& from);

// The limits of an identity; the error begins with `at`, the field that has it.
Status check_identity(const NodeIdentity& identity, std::string_view at);

inline tl::unexpected<Error> missing(std::string_view field) {
  return fail(ErrorCode::kProtocol, std::string(field) + " is missing");
}
// An error of a part, prefixed with the field of the whole: "subject.name is missing".
inline tl::unexpected<Error> within(std::string_view field, const Error& error) {
  return fail(error.code, std::string(field) + '.' + error.context);
}

}  // namespace hyperscale::wire
