// An application behind a gateway: tells which handler a request reached, and with which headers.
// Prints its port.
const express = require('express');

const app = express();
app.disable('x-powered-by');
app.enable('case sensitive routing'); // as the rules of Weir are
const handler = (name) => (request, response) =>
  response.json({ handler: name, headers: request.rawHeaders });
app.get('/item/:id', handler('item'));
app.use('/search', handler('search'));
app.get('/static/:file', handler('static'));
app.get('/:page/:part', handler('page'));
app.use(handler('other'));
app.use((failure, request, response, next) =>
  response.status(failure.status || 500).json({ handler: 'failed' }));

const server = app.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Ends with whoever started it.
process.stdin.resume().on('end', () => process.exit());
