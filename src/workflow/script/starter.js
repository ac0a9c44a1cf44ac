/// <reference path="./hyperscale.d.ts" />
// A load test. Look at what it will do, then run it:
//
//   hyperscale target --listen 127.0.0.1:8080       something to load, in another terminal
//   hyperscale check FILE
//   hyperscale run FILE

import { Workflow, step, http } from 'hyperscale';

const target = 'http://127.0.0.1:8080';

export class Shop extends Workflow {
  static vus = 20;          // virtual users, each doing all steps over and over
  static duration = '10s';
  static thresholds = ['p95 < 500ms', 'errors < 1%']; // the exit code is 99 when one fails

  // Steps that wait for nothing begin together.
  home = step(http.get(`${target}/`));
  search = step(http.get(`${target}/delay/5ms`, { params: { q: 'shoes' } }));

  // This one begins when both have been answered.
  order = step(['home', 'search'], http.post(`${target}/echo`, { json: { item: 7, count: 1 }, expect: 200 }));
}
