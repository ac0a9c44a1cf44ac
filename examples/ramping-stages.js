// Up to 30 users, a plateau, and down again.
import { Workflow, env, http, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Ramp extends Workflow {
  static stages = [
    { duration: '2s', target: 30 },
    { duration: '2s', target: 30 },
    { duration: '1s', target: 0 },
  ];

  home = step(http.get(`${target}/delay/5ms`));
}
