// Figures of your own: what a function finds in an answer, or counts while it runs.
import { Workflow, counter, env, http, metric, step, trend } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');
const pages = counter('pages');
const waiting = trend('waiting');

export class Reader extends Workflow {
  static vus = 5;
  static duration = '5s';

  article = step(http.get(`${target}/size/2KiB`));
  more = step(http, 'article', async ({ client }) => {
    const first = await client.http.get(`${target}/delay/1ms-3ms`);
    pages.add(2);
    waiting.add(first.duration);
    return client.http.get(`${target}/`); // only the response that a step returns is measured
  });

  bytes = metric('article', ({ article }) => article.body.length);
  small = metric('article', { kind: 'rate' }, ({ article }) => article.body.length < 4096);
}
