// client.graphql: what is sent, what is refused before it is sent, and that its answer is judged as GraphQL.
#include "script_world.h"

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using testing::HasSubstr;

class ScriptGraphqlTest : public ScriptWorld {
 protected:
  std::string send(const std::string& options) {
    if (const std::string errors = open_shop(
            "a = step(http, ({ client }) => group('api', client).graphql('http://t/graphql', " + options + "))");
        !errors.empty())
      return errors;
    return begin(user(), "a");
  }
  const load::ScriptedRequest& sent() const { return *host_.calls.at(0).second.what; }
};

TEST_F(ScriptGraphqlTest, AQueryIsAPostOfJson) {
  EXPECT_EQ(send("{ query: 'query A($id: ID!) {\\n  hero(id: $id) { name }\\n}', variables: { id: '7' }, headers: { "
                 "'x-a': 'b' }, "
                 "name: 'hero' }"),
            "waiting");
  EXPECT_EQ(sent().request.method, "POST");
  EXPECT_EQ(sent().request.body,
            R"({"query":"query A($id:ID!){hero(id:$id){name}}","operationName":"A","variables":{"id":"7"}})");
  ASSERT_EQ(sent().request.headers.size(), 2U);
  EXPECT_EQ(sent().request.headers[0], (plan::Header{.name = "content-type", .value = "application/json"}));
  EXPECT_EQ(sent().request.headers[1].name, "x-a");
  EXPECT_EQ(sent().label, "api/hero");
  EXPECT_TRUE(sent().expect.graphql);
}

TEST_F(ScriptGraphqlTest, OtherCallsAreNotJudgedAsGraphql) {
  ASSERT_EQ(open_shop("a = step(http, ({ client }) => client.http.post('http://t/', { json: { query: '{ a }' } }))"),
            "");
  begin(user(), "a");
  EXPECT_FALSE(sent().expect.graphql);
}

TEST_F(ScriptGraphqlTest, AWrongDocumentIsNotSent) {
  EXPECT_THAT(send("{ query: '{ hero { name }' }"), HasSubstr("step \"a\": "));
  EXPECT_THAT(send("{ query: 'query A($id: ID!) { a(id: $id) }' }"), HasSubstr("id"));
  EXPECT_THAT(send("{ query: 'query A { a } query B { b }' }"), HasSubstr("operation"));
  EXPECT_THAT(send("{ qurey: '{ a }' }"), HasSubstr("graphql() has no option \"qurey\"; did you mean \"query\"?"));
  EXPECT_THAT(send("{ query: '{ a }', json: 1 }"), HasSubstr("graphql() has no option \"json\""));
  EXPECT_THAT(send("'{ a }'"), HasSubstr("graphql() takes an object of options"));
  EXPECT_THAT(send("{}"), HasSubstr("graphql() takes a URL and { query, variables, operationName }"));
  EXPECT_TRUE(host_.calls.empty());
}

}  // namespace
}  // namespace hyperscale::workflow
