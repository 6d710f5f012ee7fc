// Loaded before a command under test: kills it, as `kill -9` would, right after it printed a line with the text of KILL_AT.
const fs = require('node:fs');

const text = process.env.KILL_AT;
const write = fs.writeSync;
if (text) {
  fs.writeSync = (descriptor, data, ...more) => {
    const written = write(descriptor, data, ...more);
    if (Buffer.from(data).includes(text)) process.kill(process.pid, 'SIGKILL');
    return written;
  };
}
