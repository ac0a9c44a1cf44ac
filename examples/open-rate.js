// 500 iterations a second, whether the server keeps up or not: latency counts from when a request should have started.
import { Workflow, env, http, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Search extends Workflow {
  static rate = 500;
  static vus = 200; // the most that may be busy at once
  static duration = '5s';
  static thresholds = ['p99 < 200ms', 'dropped < 1%', 'errors < 1%'];

  search = step(http.get(`${target}/delay/1ms-5ms`, { params: { q: 'shoes' } }));
}
