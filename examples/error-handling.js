// What goes wrong: statuses that are expected, calls that are tried again, and fail() with a reason.
import { Workflow, check, env, fail, http, sleep, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Patient extends Workflow {
  static vus = 5;
  static duration = '5s';
  static thresholds = ['errors < 1%', { check: 'cameThrough', threshold: 'rate > 90%' }];

  missing = step(http.get(`${target}/status/404`, { expect: 404 })); // a 404 is what this request wants

  order = step(http, 'missing', async ({ client }) => {
    for (let attempt = 1; attempt <= 3; attempt++) {
      const answer = await client.http.get(`${target}/status/200,503@4`, { expect: [200, 503], timeout: '2s' });
      if (answer.status === 200) return answer;
      await sleep('5ms');
    }
    return fail('three attempts were in vain'); // counted as an error of this step, with its place
  });

  cameThrough = check('order', ({ order }) => order.ok);
}
