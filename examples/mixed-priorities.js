// Shoppers get most of the cores, crawlers few; the report runs when the shoppers are done.
import { Workflow, env, http, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Shoppers extends Workflow {
  static vus = 40;
  static duration = '3s';
  static priority = 'high';
  home = step(http.get(`${target}/`));
  order = step(['home'], http.post(`${target}/echo`, { json: { item: 7 } }));
}

export class Crawlers extends Workflow {
  static vus = 5;
  static duration = '3s';
  static priority = 'low';
  static thinkTime = '20ms';
  page = step(http.get(`${target}/size/16KiB`));
}

export class Report extends Workflow {
  static depends = ['Shoppers'];
  static vus = 1;
  static iterations = 20;
  list = step(http.get(`${target}/delay/2ms`));
}
