// usage: node bridge.mjs SOCKET PORT WORDS, the program's as JSON in Base64: in plain sight they would be those of this process
// Inside a network namespace: connections to PORT go to SOCKET, whose server is outside. Ends with the program.
import { spawn } from 'node:child_process';
import net from 'node:net';

const [socket, port, words] = process.argv.slice(2);
const [program, ...args] = JSON.parse(Buffer.from(words, 'base64').toString());
const server = net.createServer((client) => {
  const model = net.connect(socket);
  const drop = () => {
    client.destroy();
    model.destroy();
  };
  client.on('error', drop).on('close', drop).pipe(model);
  model.on('error', drop).on('close', drop).pipe(client);
});
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  // a signal's number as a shell reports it is not known here; its name is on stderr
  child.on('exit', (code, signal) => {
    if (signal) process.stderr.write(`ended by ${signal}\n`);
    process.exit(code ?? 128);
  });
});
