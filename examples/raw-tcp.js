// Raw TCP: a line protocol in the style of Redis. Run `hyperscale target --tcp 6399`, or aim it at a Redis:
//   hyperscale run raw-tcp.js --env TCP=tcp://127.0.0.1:6379
import { Workflow, check, env, fail, step, tcp } from 'hyperscale';

const server = env('TCP', 'tcp://127.0.0.1:6399');

export class RawTcp extends Workflow {
  static vus = 4;
  static duration = '1s';
  static thresholds = ['errors < 1%'];

  // Sent natively: the answer ends with the first line feed.
  ping = step(tcp(server, { send: 'PING\r\n', until: '\r\n', expect: 'PONG' }));

  // From a function: bytes both ways, and another connection when the first is busy.
  both = step(tcp, 'ping', async ({ client }) => {
    const line = { until: '\r\n', timeout: '2s' };
    const [first, second] = await Promise.all([
      client.tcp(server, { send: new TextEncoder().encode('PING\r\n'), name: 'as bytes', ...line }),
      client.tcp(server, { send: 'PING\r\n', ...line }),
    ]);
    if (first.ok && first.bytes[0] !== '+'.charCodeAt(0)) fail(`not a plain answer: ${first.body}`);
    return second;
  });

  plain = check('ping', ({ ping }) => ping.body === '+PONG\r\n');
}
