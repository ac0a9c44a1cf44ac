#include "apps/hyperscale/target/target_command.h"
#include "command.h"

#include <memory>

namespace hyperscale::app {

Run add_target_command(Command program) {
  Command command = program.add_subcommand("target", "Run a fast test server to aim load tests at");
  auto target = std::make_shared<TargetCommand>();
  command->add_option("--listen", target->listen, "Where to listen; port 0 picks a free one [127.0.0.1:0]")
      ->type_name("ADDR:PORT");
  command->add_option("--cores", target->cores, "Threads, each with its own connections [1]")->type_name("N");
  command
      ->add_option("--stall", target->stall,
                   "Stall all HTTP answers for LENGTH at the start of every PERIOD, like a GC pause")
      ->type_name("LENGTH/PERIOD");
  command->add_flag("--tls", target->self_signed, "HTTPS with a new self-signed certificate for localhost");
  command->add_option("--cert", target->cert_file, "HTTPS with this certificate (PEM)")->type_name("FILE");
  command->add_option("--key", target->key_file, "Private key of --cert (PEM)")->type_name("FILE");
  command->add_option("--unix-socket", target->unix_socket, "Also listen on this path")->type_name("PATH");
  command->add_option("--tcp", target->tcp_port, "Serve a line protocol over raw TCP on this port; 0 picks a free one")
      ->type_name("PORT");
  command->add_option("--udp", target->udp_port, "Echo datagrams on this port; 0 picks a free one")->type_name("PORT");
  command->add_flag("--json", target->json, "Print where it listens, and what it received, as JSON");
  command->footer(
      R"(Speaks HTTP/1.1 and HTTP/2 (by prior knowledge, or by ALPN over TLS). Any unknown path lists the routes, such as
/delay/200ms, /status/200,500@10, /size/64KiB, /stall/200ms/2s, /echo, /never and /count.

--tcp answers a line with a line: PING with +PONG, ECHO text, SIZE n, STRAY (two lines), CLOSE and NEVER; with --tls it
is tls://. --udp echoes each datagram; DELAY 200ms ... after that time, NEVER ... not at all. /count counts both.

Signals: SIGTERM and SIGINT finish pending answers, at most 1s.

Examples:
  hyperscale target
  hyperscale target --listen 127.0.0.1:8080 --cores 2
  hyperscale target --stall 200ms/2s
  hyperscale target --tcp 6399 --udp 5399
  hyperscale target --tls --json)");
  return [target] { return static_cast<int>(run_target(*target)); };
}

}  // namespace hyperscale::app
