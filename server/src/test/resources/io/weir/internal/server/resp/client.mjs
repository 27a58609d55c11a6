// Talks to a server over RESP3 with the usual client for Node: port and token are the arguments.
import { createClient } from '@redis/client';
import assert from 'node:assert/strict';

const [port, token] = process.argv.slice(2);
const client = createClient({
  RESP: 3,
  password: token,
  name: 'worker',
  socket: { host: '127.0.0.1', port: Number(port), reconnectStrategy: false },
});
client.on('error', () => {});
await client.connect();
assert.equal(await client.ping(), 'PONG');
assert.equal(await client.clientGetName(), 'worker');
assert.equal(await client.sendCommand(['RL.REDUCE', 'node', '2', '60']), 2);
assert.equal(await client.sendCommand(['RL.REDUCE', 'node', '2', '60']), 1);
assert.deepEqual(
  await client.sendCommand(['CL.THROTTLE', 'node', '15', '30', '60']), [0, 16, 15, -1, 2]);
assert.deepEqual(
  await client.sendCommand(['WEIR.CHECK', 'alice', '/none']), [1, 2147483647, 2147483647, -1, 0]);
const many = await Promise.all(
  Array.from({ length: 160 }, () => client.sendCommand(['RL.REDUCE', 'many', '160', '3600'])));
assert.deepEqual(many, Array.from({ length: 160 }, (_, i) => 160 - i));
await assert.rejects(client.sendCommand(['GET', 'a']), /ERR unknown command 'GET'/);
await client.close();
console.log('all went well');
