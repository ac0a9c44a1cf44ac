// Rows of a file are dealt out to iterations: each user logs in as somebody else.
import { Workflow, check, csv, env, http, step } from 'hyperscale';

const target = env('TARGET', 'http://127.0.0.1:8080');

export class Login extends Workflow {
  static vus = 4;
  static duration = '5s';
  static data = { person: csv('people.csv') }; // deal: 'once' gives each row once in the whole run
  static thresholds = ['checks > 99%'];

  login = step(http, ({ client, person }) => client.http.post(`${target}/echo`, { form: { user: person.name, city: person.city } }));
  arrived = check('login', ({ login, person }) => login.json().body.includes(encodeURIComponent(person.name)));
}
