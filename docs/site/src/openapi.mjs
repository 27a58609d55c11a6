// Asks a server for its OpenAPI document:
//   node src/openapi.mjs CLASS_PATH target/static/openapi.json
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';

const [classPath, file] = process.argv.slice(2);
const data = fs.mkdtempSync(path.join(os.tmpdir(), 'weir-site-'));
const server = spawn('java', ['-cp', classPath, 'io.weir.internal.server.command.Main'], {
  cwd: data,
  env: {
    ...process.env,
    WEIR_DATA: data,
    WEIR_STORE: 'inprocess:',
    WEIR_SECRET: 'nothing is counted by this server',
    WEIR_SERVER_LISTENERS: 'http',
    WEIR_SERVER_HTTP_PORT: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const known = {};
  for await (const line of readline.createInterface({input: server.stdout})) {
    const [, name, value] = /^(admin token|http) (.*)$/.exec(line) ?? [];
    known[name] = value;
    if (known.http && known['admin token']) {
      break;
    }
  }
  const answer = await fetch(`${known.http}/v1/openapi.json`, {
    headers: {authorization: `Bearer ${known['admin token']}`},
  });
  if (!answer.ok) {
    throw new Error(`the server answers ${answer.status} for its OpenAPI document`);
  }
  fs.writeFileSync(file, await answer.text());
} finally {
  server.kill();
  await new Promise((ended) => (server.exitCode === null ? server.on('exit', ended) : ended()));
  fs.rmSync(data, {recursive: true, force: true});
}
