// A step that needs what an earlier one answered: the token of the login goes into the next request.
import { Workflow, check, env, http, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Shop extends Workflow {
  static vus = 10;
  static duration = '5s';
  static thresholds = ['checks > 99%', 'errors < 1%'];

  // A plain request: it never enters the script engine.
  home = step(http.get(`${target}/`));

  // Functions get the results of earlier steps by name, and the number of their user.
  login = step(http, async ({ client, vu }) => client.http.post(`${target}/echo`, { json: { token: `token-${vu}` } }));
  cart = step(http, ['home', 'login'], async ({ login, client }) => {
    const { token } = JSON.parse(login.json().body);
    return client.http.get(`${target}/headers`, { headers: { authorization: `Bearer ${token}` } });
  });

  isMine = check('cart', ({ cart, vu }) => cart.json().headers.authorization === `Bearer token-${vu}`);
}
