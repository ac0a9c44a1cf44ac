// The published test data of the URL Standard, and the rules of the URL, Encoding, Infra and Web IDL standards that the
// data does not have.
#include "script_world.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

namespace hyperscale::workflow {
namespace {

class WebStandardsTest : public ScriptWorld {
 protected:
  // What a function logs, one line each.
  std::string logged(const std::string& body, std::map<std::string, std::string> files = {}) {
    std::string imports;
    for (const auto& [name, text] : files)
      imports += "import " + name.substr(0, name.find('.')) + " from './" + name + "';\n";
    RuntimeOptions options;
    options.limits.cpu_per_resume = 30s;
    if (const std::string errors =
            open("import { Workflow, step } from 'hyperscale';\n" + imports +
                     "const caught = (f) => { try { return f(); } catch (e) { return e.name; } };\n"
                     "export class Shop extends Workflow { a = step(() => {\n" +
                     body + "\n}) }\n",
                 std::move(files), std::move(options));
        !errors.empty())
      return errors;
    const std::string ended = begin(user(), "a");
    return ended == "plain" ? host_.log : ended;
  }

  static std::optional<std::string> published(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(HYPERSCALE_SOURCE_DIR) / "../shared/data/wpt" / name;
    std::ifstream file(path);
    if (!file) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
};

TEST_F(WebStandardsTest, PublishedUrlCasesPass) {
  const auto cases = published("urltestdata.json");
  const auto more = published("urltestdata-javascript-only.json");
  if (!cases || !more) GTEST_SKIP() << "../shared/data/wpt is not there: the published URL cases were not run";
  const std::string seen = logged(R"(
    let count = 0;
    for (const c of [...cases, ...more]) {
      if (typeof c === 'string') continue;
      ++count;
      const url = URL.parse(c.input, c.base ?? undefined);
      const wrong = [];
      if (URL.canParse(c.input, c.base ?? undefined) !== !c.failure) wrong.push('canParse');
      if (c.failure ? url !== null : url === null) wrong.push(url === null ? 'refused' : `gave ${url.href}`);
      else if (url !== null) {
        for (const part of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'searchParams'])
          if (c[part] !== undefined && String(url[part]) !== c[part]) wrong.push(`${part} ${url[part]}, not ${c[part]}`);
        if (new URL(url.href).href !== url.href) wrong.push('its text is another URL');
      }
      if (wrong.length > 0) console.log(JSON.stringify(c.input), JSON.stringify(c.base), wrong.join('; '));
    }
    console.log(count > 850 ? 'all tried' : `only ${count} cases`);)",
                                  {{"cases.json", *cases}, {"more.json", *more}});
  EXPECT_EQ(seen, "all tried\n");
}

TEST_F(WebStandardsTest, PublishedSetterCasesPass) {
  const auto cases = published("setters_tests.json");
  if (!cases) GTEST_SKIP() << "../shared/data/wpt is not there: the published setter cases were not run";
  const std::string seen = logged(R"(
    let count = 0;
    for (const [part, list] of Object.entries(cases)) {
      if (part === 'comment') continue;
      for (const c of list) {
        ++count;
        const url = new URL(c.href);
        url[part] = c.new_value;
        for (const [name, value] of Object.entries(c.expected))
          if (url[name] !== value) console.log(part, JSON.stringify(c.href), JSON.stringify(c.new_value), name, url[name], 'not', value);
      }
    }
    console.log(count > 250 ? 'all tried' : `only ${count} cases`);)",
                                  {{"cases.json", *cases}});
  EXPECT_EQ(seen, "all tried\n");
}

// Without the published data.
TEST_F(WebStandardsTest, HostsAreNormalised) {
  EXPECT_EQ(
      logged(R"(
    for (const text of ['http://0x7f.1/', 'http://2130706433/', 'http://[0:0::0:1]/', 'http://[::FFFF:1.2.3.4]/', 'http://B\u00fccher.Example/',
        'http://fa\u00df.de', 'http://%65xample/', 'http://1.2.3.4.5/', 'http://256.1.1.1/', 'http://[::1', 'http://a b/', 'http://\ufffd/', 'http:///x', 'http://h:99999/'])
      console.log(caught(() => new URL(text).href));)"),
      "http://127.0.0.1/\nhttp://127.0.0.1/\nhttp://[::1]/\nhttp://[::ffff:102:304]/\nhttp://xn--bcher-kva.example/\n"
      "http://xn--fa-hia.de/\nhttp://example/\nTypeError\nTypeError\nTypeError\nTypeError\nTypeError\nhttp://x/"
      "\nTypeError\n");
}

TEST_F(WebStandardsTest, SettersRefuseWhatDoesNotFit) {
  EXPECT_EQ(logged(R"(
    const url = new URL('http://u@h:8080/p?q#f');
    url.protocol = 'foo'; url.host = ''; url.port = '99999'; url.hostname = 'a:b'; url.port = '12x';
    console.log(url.href);
    console.log(caught(() => { url.href = 'http:///'; }), url.href);
    url.port = ''; url.search = ''; url.hash = ''; url.username = 'a:b'; url.pathname = '/a/../b';
    console.log(url.href);)"),
            "http://u@h:12/p?q#f\nTypeError http://u@h:12/p?q#f\nhttp://a%3Ab@h/b\n");
}

TEST_F(WebStandardsTest, SearchParamsFollowTheirUrl) {
  EXPECT_EQ(logged(R"(
    const url = new URL('http://h/?a=1&b=2&a=3#f');
    const params = url.searchParams;
    params.delete('a', '3');
    console.log(url.href, params.has('a', '1'), params.has('a', '3'), url.searchParams === params);
    url.search = '?x=%20y';
    console.log(params.get('x'), params.size);
    params.append('\u00fc', '~*');
    console.log(url.search);
    url.href = 'http://other/?q';
    console.log(String(params), params.get('q') === '');
    params.delete('q');
    console.log(url.href);)"),
            "http://h/?a=1&b=2#f true false true\n y 1\n?x=+y&%C3%BC=%7E*\nq= true\nhttp://other/\n");
}

TEST_F(WebStandardsTest, SearchParamsTakeWhatTheStandardTakes) {
  EXPECT_EQ(logged(R"(
    const show = (init) => console.log(caught(() => String(new URLSearchParams(init))));
    [undefined, null, '?a=1&&b', '??a', [['a', 'b'], new Set(['c', 'd'])], new Map([['x', 1]]), { a: 1, b: null }, { '\ud800': 1, '\udc00': 2 },
      new URLSearchParams('z=%'), 'a=%f0%9f%98%80%ff', '\ufeffa=%EF%BB%BFb', [['a']], ['ab'], 5, { [Symbol('s')]: 1 }].forEach(show);
    const params = new URLSearchParams('c=1&a=2&\ud83d\ude00=3&\ufb01=4&a=1');
    params.sort();
    console.log([...params.keys()].map((key) => key.codePointAt(0).toString(16)).join(), params.getAll('a').join());
    const seen = [];
    const live = new URLSearchParams('a=1&b=2&c=3');
    for (const [name] of live) { seen.push(name); if (name === 'a') live.delete('a'); if (name === 'c') live.append('d', ''); }
    console.log(seen.join());
    live.forEach(function (value, name, all) { seen.push(this.tag + name + value + (all === live)); }, { tag: '!' });
    console.log(seen.slice(3).join(), caught(() => live.append('x')), caught(() => live.forEach(1)), live.get('none'));)"),
            "\nnull=\na=1&b=\n%3Fa=\na=b&c=d\nx=1\na=1&b=null\n%EF%BF%BD=2\nz=%25\na=%F0%9F%98%80%EF%BF%BD\n%EF%BB%BFa="
            "%EF%BB%BFb\n"
            "TypeError\nTypeError\n5=\nTypeError\n61,61,63,1f600,fb01 2,1\na,c,d\n!b2true,!c3true,!dtrue TypeError "
            "TypeError null\n");
}

TEST_F(WebStandardsTest, BytesAreDecodedAcrossPieces) {
  EXPECT_EQ(logged(R"(
    const bytes = (...list) => new Uint8Array(list);
    const codes = (text) => Array.from(text, (c) => c.codePointAt(0).toString(16)).join('.');
    const pieces = (decoder, ...chunks) => chunks.map((chunk, i) => codes(decoder.decode(chunk, { stream: i + 1 < chunks.length }))).join('|');
    console.log(pieces(new TextDecoder(), bytes(0xf0), bytes(0x9f), bytes(0x98, 0x80, 0xe2), bytes(0x82), bytes()));
    console.log(pieces(new TextDecoder(), bytes(0xef), bytes(0xbb, 0xbf), bytes(0xef, 0xbb, 0xbf)));
    console.log(pieces(new TextDecoder('utf-8', { ignoreBOM: true }), bytes(0xef, 0xbb, 0xbf, 65)));
    for (const list of [[0xe2, 0x82, 65], [0xf0, 0x90, 0x80], [0xe0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90], [0xc0, 0x80], [0xff, 0xfe], [0, 65]])
      console.log(codes(new TextDecoder().decode(bytes(...list))));
    const strict = new TextDecoder(' UTF8\n', { fatal: true });
    console.log(caught(() => strict.decode(bytes(0xe2, 0x82))), codes(strict.decode(bytes(0xe2), { stream: true })), codes(strict.decode(bytes(0x82, 0xac))),
      caught(() => strict.decode(bytes(0xff), { stream: true })), strict.encoding, strict.fatal, strict.ignoreBOM);
    const buffer = new Uint8Array([65, 66, 67, 68]).buffer;
    console.log(new TextDecoder().decode(buffer), new TextDecoder().decode(new DataView(buffer, 1, 2)), new TextDecoder().decode(new Uint16Array(buffer, 2, 1)));
    console.log(caught(() => new TextDecoder('x')), caught(() => new TextDecoder().decode('text')), caught(() => TextDecoder()), codes(new TextDecoder().decode()));)"),
            "||1f600||fffd\n||feff\nfeff.41\nfffd.41\nfffd\nfffd.fffd\nfffd.fffd.fffd\nfffd.fffd\nfffd.fffd\nfffd."
            "fffd\n0.41\n"
            "TypeError  20ac TypeError utf-8 true false\nABCD BC CD\nRangeError TypeError TypeError \n");
}

TEST_F(WebStandardsTest, TextIsEncodedAsFarAsItFits) {
  EXPECT_EQ(logged(R"(
    const room = new Uint8Array(6);
    const fits = (text, size) => { const { read, written } = new TextEncoder().encodeInto(text, room.subarray(0, size)); return `${read}/${written}`; };
    console.log(fits('\u00e9\ud83d\ude00x', 6), room.join(), fits('\u00e9\ud83d\ude00x', 5), fits('\ud800', 3), room.slice(0, 3).join(), fits('', 0));
    console.log(caught(() => new TextEncoder().encodeInto('a', [])), new TextEncoder().encode(undefined).length, new TextEncoder().encode('\ud800').join());)"),
            "3/6 195,169,240,159,152,128 1/2 1/3 239,191,189 0/0\nTypeError 0 239,191,189\n");
}

TEST_F(WebStandardsTest, Base64IsForgivingByTheRules) {
  EXPECT_EQ(logged(R"(
    for (const text of ['', ' ', 'YQ==', ' Y\tQ\n=\f=\r', 'YQ', 'YWI=', 'YWI', 'YR==', '=', '==', '===', '====', 'Y', 'YQ=', 'YQ===', 'YW=I', 'YWJj=', 'Y\u00a0Q=', 'YQ\v=='])
      console.log(JSON.stringify(caught(() => atob(text))));
    console.log(atob(null).length, caught(() => btoa('\u0100')), btoa('\xff\xfe'), btoa(null), caught(() => btoa()));
    try { atob('='); } catch (e) { console.log(e instanceof DOMException, e instanceof Error, e.code, DOMException.INVALID_CHARACTER_ERR); })"),
            "\"\"\n\"\"\n\"a\"\n\"a\"\n\"a\"\n\"ab\"\n\"ab\"\n\"a\"\n"
            "\"InvalidCharacterError\"\n\"InvalidCharacterError\"\n\"InvalidCharacterError\"\n\"InvalidCharacterError\""
            "\n\"InvalidCharacterError\"\n"
            "\"InvalidCharacterError\"\n\"InvalidCharacterError\"\n\"InvalidCharacterError\"\n\"InvalidCharacterError\""
            "\n\"InvalidCharacterError\"\n\"InvalidCharacterError\"\n"
            "3 InvalidCharacterError //4= bnVsbA== TypeError\ntrue true 5 5\n");
}

}  // namespace
}  // namespace hyperscale::workflow
