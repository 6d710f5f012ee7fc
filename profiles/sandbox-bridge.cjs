// Runs inside the sandbox, around a command that may reach some hosts: the sandbox's own network is empty, and the way out
// is a unix socket on which Stopgate's proxy listens. Programs know proxies by a port, so this forwards that port to the
// socket, runs the command and exits like it. The proxy decides which hosts are allowed.
const { spawn } = require('node:child_process');
const net = require('node:net');

const [socket, port, file, ...args] = process.argv.slice(2);

const server = net.createServer((client) => {
  const proxy = net.connect(socket);
  for (const one of [client, proxy]) one.on('error', () => one.destroy());
  client.pipe(proxy).pipe(client);
});

const run = () => {
  const child = spawn(file, args, { stdio: 'inherit' });
  child.on('error', (error) => {
    process.stderr.write(`${file}: ${error.message}\n`);
    process.exit(127);
  });
  // as a shell does
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (require('node:os').constants.signals[signal] ?? 0)));
};

// without the port the command still runs, but has no network
server.on('error', run);
server.listen(Number(port), '127.0.0.1', run);
