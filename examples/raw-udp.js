// Raw UDP: one datagram out, one back. Run `hyperscale target --udp 5399`; for a DNS server see `question` below:
//   hyperscale run raw-udp.js --env UDP=udp://127.0.0.1:53 --env NAME=example.com
import { Workflow, check, env, step, udp } from 'hyperscale';

const server = env('UDP', 'udp://127.0.0.1:5399');

// A question for the A record of a name, with id 0x1234 (RFC 1035, section 4).
function question(name) {
  const labels = name.split('.').flatMap((label) => [label.length, ...new TextEncoder().encode(label)]);
  return new Uint8Array([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...labels, 0, 0, 1, 0, 1]);
}

export class RawUdp extends Workflow {
  static vus = 4;
  static duration = '1s';

  ask = step(udp(server, { send: question(env('NAME', 'host.test')), timeout: '1s' }));
  numbered = step(udp, 'ask', ({ client, iteration }) => client.udp(server, { send: `number ${iteration}`, name: 'numbered' }));

  // An answer has the id of its question; the target sends all of it back.
  sameId = check('ask', ({ ask }) => ask.bytes[0] === 0x12 && ask.bytes[1] === 0x34);
}
