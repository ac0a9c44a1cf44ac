#include "script_world.h"

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

using testing::HasSubstr;

class BuiltinsTest : public ScriptWorld {
 protected:
  // The texts that an expression logs.
  std::string value(const std::string& expression) {
    if (const std::string errors = open_shop("a = step(async () => { console.log(" + expression + ") })");
        !errors.empty())
      return errors;
    const std::string ended = begin(user(), "a");
    return ended == "plain" ? host_.log.substr(0, host_.log.size() - 1) : ended;
  }
};

TEST_F(BuiltinsTest, ConsoleShowsValuesAsPeopleReadThem) {
  EXPECT_EQ(value("'a', 1, null, undefined, true, 5n, [1, 'x', { y: [] }], new Map([[1, 2]]), new Set(['s']), () => 1, "
                  "new Error('e'), new Date(0)"),
            "a 1 null undefined true 5n [1, \"x\", { y: [] }] Map {1 => 2} Set {\"s\"} [function (anonymous)] Error: e "
            "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(value("(() => { const o = {}; o.self = o; return o })()"), "{ self: [circular] }");
}

TEST_F(BuiltinsTest, UrlsAreTakenApart) {
  EXPECT_EQ(value("(() => { const u = new URL('HTTP://User:pa%20ss@Example.com:80/a/./b/../c d?x=1&y=ä#f'); return "
                  "[u.href, u.protocol, u.username, u.password, u.host, u.port, "
                  "u.pathname, u.search, u.hash, u.origin, u.searchParams.get('y')].join(' | ') })()"),
            "http://User:pa%20ss@example.com/a/c%20d?x=1&y=%C3%A4#f | http: | User | pa%20ss | example.com |  | "
            "/a/c%20d | ?x=1&y=%C3%A4 | #f | http://example.com | ä");
  EXPECT_EQ(value("['../x', '/y?q', '?z', '#h', '//other/p', 'https://n/', 'e/f'].map((r) => new URL(r, "
                  "'http://h:8080/a/b/c?d#e').href).join(' ')"),
            "http://h:8080/a/x http://h:8080/y?q http://h:8080/a/b/c?z http://h:8080/a/b/c?d#h http://other/p "
            "https://n/ http://h:8080/a/b/e/f");
  EXPECT_EQ(value("(() => { const u = new URL('https://[::1]:9/'); u.searchParams.append('a b', 'c&d'); u.pathname = "
                  "'p q'; u.hash = 'z'; u.port = 443; return u + '' })()"),
            "https://[::1]/p%20q?a+b=c%26d#z");
  EXPECT_EQ(value("['nonsense', 'http://', 'http://a b/', 'http://h:99999/', 'http://1.2.3.999'].map((t) => "
                  "URL.canParse(t)).join()"),
            "false,false,false,false,false");
  EXPECT_THAT(value("new URL('x')"), HasSubstr("\"x\" is not a URL"));
}

TEST_F(BuiltinsTest, SearchParamsKeepOrderAndRepeats) {
  EXPECT_EQ(
      value("(() => { const p = new URLSearchParams('?a=1&b=%20x+y&a=2&&c'); p.append('d', 'ü~'); p.set('b', 'z'); "
            "p.delete('c'); return [p.getAll('a'), p.get('b'), p.has('c'), p.size, p, [...p.keys()]].join(' ') })()"),
      "1,2 z false 4 a=1&b=z&a=2&d=%C3%BC%7E a,b,a,d");
  EXPECT_EQ(value("new URLSearchParams({ x: 1, y: 'a b' }) + ' ' + new URLSearchParams([['k', 'v']])"),
            "x=1&y=a+b k=v");
}

TEST_F(BuiltinsTest, TextAndBase64RoundTrip) {
  EXPECT_EQ(value("new TextEncoder().encode('é😀').join() + ' ' + new TextDecoder().decode(new Uint8Array([0xc3, 0xa9, "
                  "0xff, 0x41]))"),
            "195,169,240,159,152,128 é\xEF\xBF\xBD"
            "A");
  EXPECT_EQ(value("new TextDecoder().decode(new Uint8Array([65, 66, 67, 68]).subarray(1, 3))"), "BC");
  EXPECT_EQ(value("['', 'a', 'ab', 'abc', '\\xff\\0'].map((t) => btoa(t)).join() + ' ' + ['YQ==', 'YWI', "
                  "'YWJj'].map((t) => atob(t)).join()"),
            ",YQ==,YWI=,YWJj,/wA= a,ab,abc");
  EXPECT_THAT(value("btoa('€')"), HasSubstr("TextEncoder"));
  EXPECT_THAT(value("atob('*')"), HasSubstr("base64"));
}

TEST_F(BuiltinsTest, HashesAreThoseOfTheStandards) {
  EXPECT_EQ(value("crypto.md5('abc')"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(value("crypto.sha1('abc')"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(value("crypto.hash('sha256', new TextEncoder().encode('abc'))"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(value("crypto.sha512('', 'base64').slice(0, 20)"), "z4PhNX7vuL3xVChQ1m2A");
  EXPECT_EQ(value("crypto.hmac('sha256', 'key', 'The quick brown fox jumps over the lazy dog')"),
            "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
  EXPECT_EQ(value("crypto.hmac('md5', 'k', '', 'base64url').length"), "22");
  EXPECT_THAT(value("crypto.hash('sha3', 'x')"), HasSubstr("there is no hash \"sha3\""));
  EXPECT_EQ(value("/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()), "
                  "crypto.randomUUID() !== crypto.randomUUID()"),
            "true true");
}

TEST_F(BuiltinsTest, ValuesAreClonedDeeply) {
  EXPECT_EQ(value("(() => { const a = { d: new Date(5), m: new Map([[1, { x: 1 }]]), b: new Uint8Array([1, 2]), l: [1, "
                  "[2]] }; a.self = a; const c = structuredClone(a);\n"
                  "c.m.get(1).x = 2; c.l[1][0] = 9; return [c.self === c, c !== a, a.m.get(1).x, a.l[1][0], "
                  "c.d.getTime(), c.b[1]].join() })()"),
            "true,true,1,2,5,2");
  EXPECT_THAT(value("structuredClone({ f() {} })"), HasSubstr("cannot be cloned"));
}

TEST_F(BuiltinsTest, AMultipartFormIsSentWithItsBoundary) {
  ASSERT_EQ(
      open_shop("a = step(http, ({ client }) => client.http.post('http://t/', { data: multipart().field('na\"me', "
                "'välue').file('f', new Uint8Array([0, 255]), { filename: 'x.bin', type: 'a/b' }) }))"),
      "");
  begin(user(), "a");
  const plan::Request& sent = host_.calls.at(0).second.what->request;
  ASSERT_EQ(sent.headers.size(), 1U);
  const std::string boundary = sent.headers[0].value.substr(sent.headers[0].value.find('=') + 1);
  EXPECT_EQ(sent.body,
            "--" + boundary + "\r\nContent-Disposition: form-data; name=\"na%22me\"\r\n\r\nvälue\r\n--" + boundary +
                "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.bin\"\r\nContent-Type: a/b\r\n\r\n" +
                std::string("\0\xff", 2) + "\r\n--" + boundary + "--\r\n");
}

TEST_F(BuiltinsTest, BodiesAreEncodedByKind) {
  ASSERT_EQ(
      open_shop("a = step(http, ({ client }) => { for (const o of [{ form: { a: 'b c', d: [1, 2] } }, { data: { x: 1 } "
                "}, { data: 'text' }, { data: new URLSearchParams({ q: 1 }) }, { json: 5, headers: { 'Content-Type': "
                "'x/y' } }]) client.http.post('http://t/', o); return client.http.get('http://t/') })"),
      "");
  begin(user(), "a");
  std::string seen;
  for (const auto& [call, request] : host_.calls)
    seen += (request.what->request.headers.empty() ? "-" : request.what->request.headers[0].value) + " " +
            request.what->request.body + "\n";
  EXPECT_EQ(seen,
            "application/x-www-form-urlencoded a=b+c&d=1&d=2\napplication/json {\"x\":1}\ntext/plain; charset=utf-8 "
            "text\napplication/x-www-form-urlencoded q=1\nx/y 5\n- \n");
}

}  // namespace
}  // namespace hyperscale::workflow
