// Raw TCP and UDP in workflow files: what is declared, what functions send, what they get.
#include "script_world.h"

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using testing::HasSubstr;

class ScriptRawTest : public ScriptWorld {
 protected:
  std::string open_raw(const std::string& body) {
    return open(
        "import { Workflow, check, http, step, tcp, udp } from 'hyperscale';\nexport class Shop extends Workflow {\n" +
        body + "\n}\n");
  }
  const plan::Request& sent() { return host_.calls.back().second.what->request; }
};

// proves part: HOOK-CLIENT-1 (the result types and clients of TCP and UDP)
TEST_F(ScriptRawTest, ADeclaredRequestRunsNatively) {
  ASSERT_EQ(
      open_raw(
          "ping = step(tcp('TCP://t:1', { send: 'PING\\r\\n', until: '\\r\\n', expect: 'PONG', timeout: '2s' }));\n"
          "some = step('ping', tcp('tls://t:2', { send: new Uint8Array([1, 2]).subarray(1), read: 5 }));\n"
          "ask = step(udp('udp://t:3', { send: new ArrayBuffer(2), expect: { bodyContains: 'x' } }));"),
      "");
  const auto& hooks = shop().hooks;
  ASSERT_EQ(hooks.size(), 3U);
  EXPECT_FALSE(hooks[0].scripted);
  EXPECT_EQ(hooks[0].result_type, "tcp");
  EXPECT_EQ(hooks[0].request->request.url, "tcp://t:1");
  EXPECT_EQ(hooks[0].request->request.body, "PING\r\n");
  EXPECT_EQ(hooks[0].request->request.until, "\r\n");
  EXPECT_EQ(hooks[0].request->expect.body_contains, "PONG");
  EXPECT_EQ(hooks[0].request->timeout, 2s);
  EXPECT_EQ(hooks[1].request->request.body, "\x02");
  EXPECT_EQ(hooks[1].request->request.read_bytes, 5U);
  EXPECT_EQ(hooks[2].result_type, "udp");
  EXPECT_EQ(hooks[2].request->request.body, std::string(2, '\0'));
  EXPECT_EQ(hooks[2].request->expect.body_contains, "x");
  EXPECT_TRUE(shop().is_test);
}

// proves part: HOOK-CLIENT-1 (the result types and clients of TCP and UDP)
TEST_F(ScriptRawTest, AFunctionSendsBytesAndGetsBytes) {
  ASSERT_EQ(
      open_raw("ask = step(udp, async ({ client }) => {\n"
               "  const answer = await client.udp('udp://t:3', { send: new Uint8Array([0, 255]), name: 'asked' });\n"
               "  if (!answer.ok || answer.status !== undefined || answer.bytes.length !== 3) throw new Error('bad');\n"
               "  if (answer.bytes[2] !== 254 || answer.body.slice(0, 2) !== 'ab') throw new Error('bytes');\n"
               "  return answer; });\n"
               "good = check('ask', ({ ask }) => ask.text() === ask.body && ask.duration === 12);"),
      "");
  const UserSlot ada = user();
  EXPECT_EQ(begin(ada, "ask"), "waiting");
  EXPECT_EQ(sent().body, std::string("\0\xff", 2));
  EXPECT_EQ(sent().method, "UDP");
  EXPECT_EQ(host_.calls.back().second.what->label, "asked");
  EXPECT_THAT(answer(0, "ab\xfe"), HasSubstr("response"));
  EXPECT_EQ(begin(ada, "good"), "true");
}

TEST_F(ScriptRawTest, NoAnswerIsAnError) {
  ASSERT_EQ(
      open_raw(
          "ping = step(tcp, async ({ client }) => {\n"
          "  const answer = await client.tcp('tcp://t:1', { send: 'x' });\n"
          "  if (answer.ok || answer.error !== 'gone' || answer.body !== '' || answer.bytes.length !== 0) throw 1;\n"
          "  return answer; });"),
      "");
  const UserSlot ada = user();
  EXPECT_EQ(begin(ada, "ping"), "waiting");
  EXPECT_THAT(shown(runtime_->settle_error(host_.calls.back().first, "gone")), HasSubstr("response"));
}

TEST_F(ScriptRawTest, ANativeAnswerIsReadAsRaw) {
  ASSERT_EQ(
      open_raw("ping = step(tcp('tcp://t:1', { send: 'x' }));\n"
               "good = check('ping', ({ ping }) => ping.ok && ping.bytes[0] === 43 && ping.status === undefined);"),
      "");
  const UserSlot ada = user();
  ScriptResponse stored;
  stored.body = "+PONG";
  runtime_->store(ada, hook("ping"), std::move(stored));
  EXPECT_EQ(begin(ada, "good"), "true");
}

TEST_F(ScriptRawTest, AStepReturnsTheProtocolItDeclares) {
  ASSERT_EQ(open_raw("ping = step(tcp, ({ client }) => client.http.get('http://t/'));"), "");
  const UserSlot ada = user();
  EXPECT_EQ(begin(ada, "ping"), "waiting");
  EXPECT_THAT(answer(200), HasSubstr("declared as step(tcp, ...), but it returned the response of another protocol"));
}

TEST_F(ScriptRawTest, MistakesAreFoundBeforeTheRun) {
  EXPECT_THAT(open_raw("a = step(tcp('http://t/', { send: 'x' }))"),
              HasSubstr("tcp() takes a URL first, tcp://host:port or"));
  EXPECT_THAT(open_raw("a = step(udp('udp://t:1', {}))"), HasSubstr("udp() needs { send }"));
  EXPECT_THAT(open_raw("a = step(tcp('tcp://t:1', { send: '' }))"),
              HasSubstr("must be a text or bytes, and not empty"));
  EXPECT_THAT(open_raw("a = step(tcp('tcp://t:1', { send: 'x', untill: 'y' }))"), HasSubstr("did you mean \"until\"?"));
  EXPECT_THAT(open_raw("a = step(udp('udp://t:1', { send: 'x', read: 3 }))"),
              HasSubstr("read: is for tcp:// and tls://"));
  EXPECT_THAT(open_raw("a = step(tcp('tcp://t', { send: 'x' }))"), HasSubstr("the URL has no port"));
  EXPECT_THAT(open_raw("a = step(http.get('tcp://t:1'))"), HasSubstr("the scheme \"tcp\" is for raw bytes"));
}

TEST_F(ScriptRawTest, MistakesInACallThrow) {
  ASSERT_EQ(open_raw("a = step(tcp, ({ client }) => client.tcp('udp://t:1', { send: 'x' }));\n"
                     "b = step(tcp, ({ client }) => client.tcp('tcp://t:1', { send: 'x', until: 'y', read: 2 }));\n"
                     "c = step(http, ({ client }) => client.http.get('udp://t:1'));"),
            "");
  const UserSlot ada = user();
  EXPECT_THAT(begin(ada, "a"), HasSubstr("tcp() takes a URL first"));
  EXPECT_THAT(begin(ada, "b"), HasSubstr("read: contradicts until"));
  EXPECT_THAT(begin(ada, "c"), HasSubstr("the scheme \"udp\" is for raw bytes"));
  EXPECT_TRUE(host_.calls.empty());
}

}  // namespace
}  // namespace hyperscale::workflow
