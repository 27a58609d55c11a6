// Asks for each argument: a user or "user@/path". "+1" moves the client's clock on by a second.
// Prints what the client answers.
import { readFileSync } from 'node:fs';

let now = performance.now();
performance.now = () => now;
const { Weir } = await import('./weir-client.mjs');

const [port, whenAway, timeout, ...words] = process.argv.slice(2);
const weir = new Weir({
  url: `http://127.0.0.1:${port}`,
  token: readFileSync('token', 'utf8'),
  whenAway,
  timeout: Number(timeout) * 1000,
});
for (const word of words) {
  if (word.startsWith('+')) {
    now += Number(word) * 1000;
    continue;
  }
  const [user, path] = word.split('@');
  const answer = await weir.check({ userId: user, endpoint: path ?? '/api/posts', method: 'GET' });
  console.log(answer.allowed ? 'admitted' : `refused ${answer.retryAfter}`);
}
