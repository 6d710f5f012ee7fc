import http from 'node:http';

/** Answers every http hook with `{}` over connections that are kept, and counts them. */
export async function startHookServer() {
  let calls = 0;
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      calls++;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 });
      response.end('{}');
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
    calls: () => calls,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
