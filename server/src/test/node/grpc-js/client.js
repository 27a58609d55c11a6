// Asks both services once over grpc-js, and prints what they answer as JSON.
// Arguments: port, folder of the protos, token.
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');

const [port, protos, token] = process.argv.slice(2);
const options = { includeDirs: [protos], longs: Number, enums: String, defaults: true };
const load = (file) => grpc.loadPackageDefinition(protoLoader.loadSync(file, options));
const address = `127.0.0.1:${port}`;
const metadata = new grpc.Metadata();
metadata.set('authorization', `Bearer ${token}`);

function call(client, method, request) {
  return new Promise((resolve) => {
    const deadline = Date.now() + 30000;
    client[method](request, metadata, { deadline }, (error, response) =>
      resolve(error ? { code: grpc.status[error.code], details: error.details } : response));
  });
}

async function main() {
  const envoy = load('envoy/service/ratelimit/v3/rls.proto').envoy.service.ratelimit.v3;
  const client = new envoy.RateLimitService(address, grpc.credentials.createInsecure());
  const request = {
    domain: 'shop',
    descriptors: [{ entries: [{ key: 'user', value: 'al' }], hitsAddend: { value: 2 } }],
  };
  const answers = [];
  for (let i = 0; i < 2; i++) {
    answers.push(await call(client, 'ShouldRateLimit', request));
  }
  answers.push(await call(client, 'ShouldRateLimit', {}));
  client.close();
  console.log(JSON.stringify(answers));
}

main();
