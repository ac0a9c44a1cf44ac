// The content of a dispatch: named by the hash of its bytes, so they must not depend on who writes them or when.
#include "arbitrary_job_message.h"
#include "job_message_properties.h"
#include "wire/proto/jobs.pb.h"

#include <functional>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::wire {
namespace {

std::string hex_text(ByteView bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// The example of docs/formats/wire.md.
DispatchContent documented_content() {
  DispatchContent content;
  content.share = {.job = "eu-1-a-1", .workflow = 0, .part = SharePart::kSteps, .share = 3};
  content.workflow_name = "Browse";
  content.workflow = SharedBytes::copy_of("plan");
  content.vus = 100;
  content.cores = 2;
  content.first_slot = 6;
  content.slots = 2;
  content.slot_total = 8;
  content.context = {{.source = "Setup", .key = "token", .json = "\"t\"", .timestamp = 1}};
  content.timeout = 30s;
  return content;
}

// proves part: EXEC-DISP-1 (the message has every field; the manager that sends it is not part of it)
// proves part: MSG-TCP-5 (workflow, context, users and timeout are in the content)
TEST(DispatchContent, ReadsAsWritten) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const DispatchContent content = ArbitraryJobMessage(seed, seed % 2 == 0).content();
    const auto bytes = encode_dispatch_content(content);
    ASSERT_TRUE(bytes) << bytes.error().context;
    const auto again = decode_dispatch_content(bytes->view());
    ASSERT_TRUE(again) << again.error().context;
    EXPECT_EQ(*again, content);
    EXPECT_EQ(encode_dispatch_content(*again)->text(), bytes->text()) << "equal contents have equal digests";
  }
}

TEST(DispatchContent, HasTheDocumentedBytes) {
  const auto bytes = encode_dispatch_content(documented_content());
  EXPECT_EQ(hex_text(bytes->view()),
            "0a0e0a0865752d312d612d3118012003120642726f7773651a04706c616e28643002380640024808580172150a0553657475"
            "701205746f6b656e1a0322742220017880d88ee16f");
  EXPECT_EQ(hex_text(sha256_of(bytes->view())), "e295b8a4a56eb5239a94367e66918fc17a52557e9fb9429066ed91303a14b71c");
}

TEST(DispatchContent, ADigestIsSha256) {
  EXPECT_EQ(hex_text(sha256_of(as_bytes("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_text(sha256_of({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(DispatchContent, CutOrFlippedIsRefusedOrConsistent) {
  const auto bytes = encode_dispatch_content(documented_content());
  for (std::size_t kept = 0; kept <= bytes->size(); ++kept) fuzz::check_dispatch_content(bytes->view().first(kept));
  std::vector<std::uint8_t> flipped(bytes->view().begin(), bytes->view().end());
  for (std::size_t bit = 0; bit < 8 * flipped.size(); ++bit) {
    flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    fuzz::check_dispatch_content(flipped);
    flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
  }
}

using ContentChange = std::function<void(proto::DispatchContent&)>;

std::string content_refusal(const ContentChange& change) {
  const auto bytes = encode_dispatch_content(ArbitraryJobMessage(2, true).content());
  proto::DispatchContent message;
  EXPECT_TRUE(message.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())));
  change(message);
  const std::string changed = message.SerializeAsString();
  const auto read = decode_dispatch_content(as_bytes(changed));
  return read ? std::string() : read.error().context;
}

// proves part: AD25-5 (the content of a dispatch)
TEST(DispatchContent, EachMissingRequiredFieldIsNamed) {
  const auto expect = [](const std::string& sentence, const ContentChange& change) {
    EXPECT_EQ(content_refusal(change), "dispatch content: " + sentence);
  };
  EXPECT_EQ(content_refusal([](auto&) {}), "");
  expect("share is missing", [](auto& m) { m.clear_share(); });
  expect("share.job is missing", [](auto& m) { m.mutable_share()->clear_job(); });
  expect("share.part is missing", [](auto& m) { m.mutable_share()->clear_part(); });
  expect("workflow is missing", [](auto& m) { m.clear_workflow(); });
  expect("blobs.sha256 is missing", [](auto& m) { m.mutable_blobs(0)->clear_sha256(); });
  expect("slots is missing", [](auto& m) { m.clear_slots(); });
  expect("slot_total is missing", [](auto& m) { m.clear_slot_total(); });
  expect("datacenter_count is missing", [](auto& m) { m.clear_datacenter_count(); });
}

// proves part: AD25-5 (the content of a dispatch)
TEST(DispatchContent, FieldsOfNewerLeadersAreIgnored) {
  const DispatchContent content = documented_content();
  const std::string later = std::string(encode_dispatch_content(content)->text()) + "\xf8\x06\x2a";
  EXPECT_EQ(decode_dispatch_content(as_bytes(later)), content);
}

// Both sides refuse one more with the same sentence.
void expect_content_limit(const std::string& sentence, std::function<void(DispatchContent&, std::uint32_t more)> set,
                          const ContentChange& change) {
  DispatchContent content = ArbitraryJobMessage(2, true).content();
  set(content, 0);
  const auto bytes = encode_dispatch_content(content);
  ASSERT_TRUE(bytes) << bytes.error().context;
  EXPECT_EQ(decode_dispatch_content(bytes->view()), content);
  set(content, 1);
  const auto beyond = encode_dispatch_content(content);
  ASSERT_FALSE(beyond) << sentence;
  EXPECT_EQ(beyond.error().context, "dispatch content: " + sentence);
  EXPECT_EQ(content_refusal(change), "dispatch content: " + sentence);
}

TEST(DispatchContent, ItsNumbersAreBounded) {
  expect_content_limit(
      "vus is 10000001, at most 10000000", [](auto& v, std::uint32_t more) { v.vus = kVusPerShareMax + more; },
      [](auto& m) { m.set_vus(kVusPerShareMax + 1); });
  expect_content_limit(
      "cores is 4097, at most 4096", [](auto& v, std::uint32_t more) { v.cores = kCoresPerWorkerMax + more; },
      [](auto& m) { m.set_cores(kCoresPerWorkerMax + 1); });
  expect_content_limit(
      "slots is 4097, at most 4096",
      [](auto& v, std::uint32_t more) {
        v.slots = kCoresPerWorkerMax + more;
        v.slot_total = kSlotsPerWorkflowMax;
      },
      [](auto& m) { m.set_slots(kCoresPerWorkerMax + 1); });
  expect_content_limit(
      "slot_total is 1000001, at most 1000000",
      [](auto& v, std::uint32_t more) { v.slot_total = kSlotsPerWorkflowMax + more; },
      [](auto& m) { m.set_slot_total(kSlotsPerWorkflowMax + 1); });
  expect_content_limit(
      "slots go beyond slot_total",
      [](auto& v, std::uint32_t more) {
        v.slot_total = 8;
        v.slots = 2;
        v.first_slot = 6 + more;
      },
      [](auto& m) { m.set_first_slot(UINT32_MAX); });
  expect_content_limit(
      "datacenter_count is 1001, at most 1000",
      [](auto& v, std::uint32_t more) { v.datacenter_count = kDatacentersPerJobMax + more; },
      [](auto& m) { m.set_datacenter_count(kDatacentersPerJobMax + 1); });
  expect_content_limit(
      "datacenter_index is beyond datacenter_count",
      [](auto& v, std::uint32_t more) {
        v.datacenter_count = 3;
        v.datacenter_index = 2 + more;
      },
      [](auto& m) { m.set_datacenter_index(m.datacenter_count()); });
  expect_content_limit(
      "timeout is more than a year", [](auto& v, std::uint32_t more) { v.timeout = kShareTimeMax + Duration(more); },
      [](auto& m) { m.set_timeout_ns(UINT64_MAX); });
  expect_content_limit(
      "stop_without_manager_after is more than a year",
      [](auto& v, std::uint32_t more) { v.stop_without_manager_after = kShareTimeMax + Duration(more); },
      [](auto& m) { m.set_stop_without_manager_after_ns(UINT64_MAX); });
}

TEST(DispatchContent, ItsListsAreBounded) {
  expect_content_limit(
      "blobs has 2001 entries, at most 2000",
      [](auto& v, std::uint32_t more) {
        v.blobs = std::vector<BlobName>(kBlobsPerDispatchMax + more, v.blobs.front());
      },
      [](auto& m) {
        while (m.blobs_size() <= static_cast<int>(kBlobsPerDispatchMax)) m.add_blobs();
      });
  expect_content_limit(
      "context has 201 entries, at most 200",
      [](auto& v, std::uint32_t more) {
        v.context = std::vector<ContextValue>(kSharedValuesPerMessageMax + more, v.context.front());
      },
      [](auto& m) {
        while (m.context_size() <= static_cast<int>(kSharedValuesPerMessageMax)) m.add_context();
      });
  expect_content_limit(
      "context.json has 65537 bytes, at most 65536",
      [](auto& v, std::uint32_t more) { v.context.front().json = std::string(kSharedValueTextBytesMax + more, 'v'); },
      [](auto& m) { m.mutable_context(0)->set_json(std::string(kSharedValueTextBytesMax + 1, 'v')); });
  expect_content_limit(
      "blobs.size is 67108865, at most 67108864",
      [](auto& v, std::uint32_t more) { v.blobs.front().bytes = kBlobBytesMax + more; },
      [](auto& m) { m.mutable_blobs(0)->set_size(kBlobBytesMax + 1); });
  expect_content_limit(
      "workflow_name has 257 bytes, at most 256",
      [](auto& v, std::uint32_t more) { v.workflow_name = std::string(kProgressNameBytesMax + more, 'w'); },
      [](auto& m) { m.set_workflow_name(std::string(kProgressNameBytesMax + 1, 'w')); });
}

// An empty element has two bytes on the wire and about a hundred in memory: 64 MiB of them are refused by counting.
TEST(DispatchContent, ManyEmptyElementsAreCountedFirst) {
  std::string bytes;
  while (bytes.size() < kContentBytesMax) bytes += std::string_view("\x22\x00", 2);
  const auto read = decode_dispatch_content(as_bytes(bytes));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().context, "dispatch content: blobs has 33554432 entries, at most 2000");
}

TEST(DispatchContent, ItsSizeIsBounded) {
  DispatchContent content = documented_content();
  const std::size_t others = encode_dispatch_content(content)->size() - content.workflow.size();
  // The length of the workflow itself takes three more bytes.
  content.workflow = SharedBytes::adopt(std::string(kContentBytesMax - others - 3, 'w'));
  const auto largest = encode_dispatch_content(content);
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->size(), kContentBytesMax);
  EXPECT_EQ(decode_dispatch_content(largest->view()), content);
  content.workflow = SharedBytes::adopt(std::string(kContentBytesMax - others - 2, 'w'));
  EXPECT_EQ(encode_dispatch_content(content).error().to_string(),
            "TooLarge: dispatch content: 67108865 bytes, at most 67108864");
  EXPECT_EQ(decode_dispatch_content(std::vector<std::uint8_t>(kContentBytesMax + 1)).error().code,
            ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace hyperscale::wire
