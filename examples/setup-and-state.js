// A setup runs once, before the users; a teardown once, after them. A workflow can give values to one that depends on it.
import { Workflow, action, env, http, state, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Auth extends Workflow {
  static vus = 1;
  static iterations = 3;

  // What a setup returns is part of the context of every user of this workflow.
  prepare = action(async ({ client }) => {
    const answer = await client.http.post(`${target}/echo`, { json: { shop: 'northwind' } });
    return { shop: JSON.parse(answer.json().body).shop };
  });
  login = step(http, ({ client, shop }) => client.http.post(`${target}/echo`, { json: { token: `${shop}-secret` } }));
  teardown = action({ when: 'teardown' }, ({ client }) => client.http.delete(`${target}/status/204`));

  // When the workflow has completed: from the last answer to its step.
  token = state.provide('Orders', ({ login }) => JSON.parse(login.json().body).token);
}

export class Orders extends Workflow {
  static depends = 'Auth';
  static vus = 5;
  static duration = '3s';

  credentials = state.use('Auth', ({ token = 'none' }) => `Bearer ${token}`);
  list = step(http, function ({ client }) {
    return client.http.get(`${target}/headers`, { headers: { authorization: this.credentials() } });
  });
}
