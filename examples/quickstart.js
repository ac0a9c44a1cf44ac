// Twenty users who look around and order.
import { Workflow, env, http, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Shop extends Workflow {
  static vus = 20;
  static duration = '5s';
  static thresholds = ['p95 < 500ms', 'errors < 1%'];

  home = step(http.get(`${target}/`));
  search = step(http.get(`${target}/delay/2ms`, { params: { q: 'shoes' } }));
  order = step(['home', 'search'], http.post(`${target}/echo`, { json: { item: 7, count: 1 }, expect: 200 }));
}
