// After the login two calls run in parallel; the last one waits for both.
import { Workflow, env, http, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Dashboard extends Workflow {
  static vus = 10;
  static duration = '5s';

  login = step(http.post(`${target}/echo`, { json: { user: 'ada' } }));
  users = step(['login'], http.get(`${target}/delay/3ms`));
  config = step(['login'], http.get(`${target}/size/4KiB`));
  page = step(['users', 'config'], http.get(`${target}/`));
}
