// Runs inside the sandbox, before a command that may reach some hosts: the sandbox has a network of its own with nothing
// in it, and the way out is a unix socket on which Stopgate's proxy listens. Programs know proxies by a port, so this
// passes what arrives at that port on to the socket, then runs the command and ends as it ends.
//
// It holds nothing that the command does not have as well: what may be reached is decided at the other end.
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
  // as a shell has it
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (require('node:os').constants.signals[signal] ?? 0)));
};

// without its port the command still runs, and has no network
server.on('error', run);
server.listen(Number(port), '127.0.0.1', run);
