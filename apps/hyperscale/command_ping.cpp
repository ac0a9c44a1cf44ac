#include "apps/hyperscale/ping/ping_command.h"
#include "apps/hyperscale/run/run_arguments.h"
#include "apps/hyperscale/try/try_command.h"
#include "command.h"

#include <array>
#include <map>
#include <memory>

namespace hyperscale::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  hyperscale ping http https://localhost:8443/
  hyperscale ping tcp localhost:5432
  hyperscale ping smtp example.com            the mail exchangers of a domain, by preference
  hyperscale ping ftp ftp.example.com --count 5 --json

Exit codes: 0 answered as expected, 1 not, 2 wrong usage.)";

struct Service {
  const char* name;
  const char* target;
  const char* help;
  const char* footer;
};

constexpr std::array<Service, 3> kServices = {{
    {"tcp", "HOST:PORT; write an IPv6 address in brackets", "Open one TCP connection", R"(Example:
  hyperscale ping tcp localhost:5432 --count 10)"},
    {"smtp", "HOST or HOST:PORT [25]", "Read the greeting of a mail server",
     R"(Asks for the MX records of HOST and connects to the exchangers by preference; without MX records to HOST itself.

Example:
  hyperscale ping smtp example.com --dns-server 192.0.2.53)"},
    {"ftp", "HOST or HOST:PORT [21]", "Read the greeting of an FTP server",
     R"(Tries the IPv4 addresses of HOST first, then the IPv6 ones.

Example:
  hyperscale ping ftp ftp.example.com -6 --timeout 2s)"},
}};

Run add_service(Command ping, const Service& service) {
  Command command = ping.add_subcommand(service.name, service.help);
  auto options = std::make_shared<PingOptions>();
  command->add_option("TARGET", options->target, service.target);
  command->add_option("--count", options->count, "Number of pings; shows min, median and max [1]")->type_name("N");
  command->add_option("--timeout", options->timeout, "Time limit of one ping [5s]")->type_name("TIME");
  command->add_flag("-4", options->ipv4, "Only IPv4");
  command->add_flag("-6", options->ipv6, "Only IPv6");
  command->add_option("--dns-server", options->dns_server, "Name server to ask instead of the system's")
      ->type_name("ADDRESS[:PORT]");
  command->add_flag("--json", options->json, "Print one line of JSON instead of the table");
  command->footer(service.footer);
  return [options, name = service.name] { return ping_command(name, *options); };
}

}  // namespace

Run add_ping_command(Command program) {
  Command command = program.add_subcommand("ping", "Connect to a server and show the time of each phase");
  command->require_subcommand(1);
  command->footer(kFooter);
  Command http = command->add_subcommand("http", "Send one HTTP request, as `hyperscale try` does");
  auto options = std::make_shared<intake::RunOptions>();
  add_request_arguments(http, *options);
  std::map<std::string, Run> kinds;
  kinds["http"] = [options] { return try_command(*options, "ping"); };
  for (const Service& service : kServices) kinds[service.name] = add_service(command, service);
  return [command, kinds] { return kinds.at(command->chosen())(); };
}

}  // namespace hyperscale::app
