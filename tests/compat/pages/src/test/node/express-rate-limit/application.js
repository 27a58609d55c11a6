// Puts the limiter of each row of a page on a path of its own: /0, /1 … Answers with the status that
// the query asks for. Prints its port.
const express = require('express');
const { rateLimit } = require('express-rate-limit');
const rows = require('./rows.json');

const app = express();
app.set('trust proxy', 1);
rows.forEach((code, number) => {
  const limiter = new Function('rateLimit', `return ${code}`)(rateLimit);
  app.use(`/${number}`, limiter);
});
app.use((request, response) => response.status(Number(request.query.status ?? 200)).end());

const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Ends with whoever started it.
process.stdin.resume().on('end', () => process.exit());
