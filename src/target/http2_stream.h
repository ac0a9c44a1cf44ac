// Http2Stream: one request and its answer on an HTTP/2 connection. Reused: reset() keeps the memory, so that a
// connection in steady state allocates no new streams. Single-threaded.
#pragma once

#include "load/loop/timer_queue.h"
#include "target/answer.h"
#include "target/limits.h"
#include "target/request.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::target {

class Http2Connection;

struct Http2Stream {
  Http2Stream(Http2Connection& connection_, void (*fire)(void*)) : connection(connection_), timer(fire, this) {}

  void reset(std::int32_t stream_id) {
    id = stream_id;
    text.clear();
    places.clear();
    body.clear();
    body_bytes = body_at = body_end = 0;
    refused_with = 0;
    body_cut = answered = dripping = false;
  }

  void add_field(std::string_view name, std::string_view value) {
    if (text.size() + name.size() + value.size() > kHeadBytesMax || places.size() == kFieldsMax) {
      refused_with = 431;
      return;
    }
    places.push_back({text.size(), name.size(), value.size()});
    text += name;
    text += value;
  }

  void add_body(std::string_view bytes, bool keep) {
    body_bytes += bytes.size();
    if (body_bytes > kBodyBytesMax) refused_with = 413;
    if (!keep) return;
    body_cut |= body.size() + bytes.size() > kKeptBodyBytesMax;
    if (!body_cut) body += bytes;
  }

  std::string_view pseudo_field(std::string_view name) const {
    for (const Place& place : places) {
      const Field found = field(place);
      if (found.name == name) return found.value;
    }
    return {};
  }

  // The fields go into `fields`; ":authority" becomes "host", as routes know it. Valid while the stream is unchanged.
  Request request(std::vector<Field>& fields) const {
    fields.clear();
    for (const Place& place : places) {
      const Field found = field(place);
      if (found.name == ":authority") fields.push_back({"host", found.value});
      if (!found.name.starts_with(':')) fields.push_back(found);
    }
    return {.method = pseudo_field(":method"),
            .target = pseudo_field(":path"),
            .fields = fields,
            .body = body,
            .body_cut = body_cut};
  }

  struct Place {
    std::size_t at;
    std::size_t name_size;
    std::size_t value_size;
  };
  Field field(const Place& place) const {
    const std::string_view all = text;
    return {all.substr(place.at, place.name_size), all.substr(place.at + place.name_size, place.value_size)};
  }

  Http2Connection& connection;
  load::Timer timer;
  std::int32_t id = 0;
  std::string text;  // names and values, one after the other
  std::vector<Place> places;
  std::string body;
  std::uint64_t body_bytes = 0;
  bool body_cut = false;
  std::uint16_t refused_with = 0;  // the status, if the request exceeds a limit
  Answer answer;
  std::uint64_t body_at = 0;
  std::uint64_t body_end = 0;
  bool answered = false;
  bool dripping = false;
};

}  // namespace hyperscale::target
