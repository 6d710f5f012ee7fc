// An agent of a fleet under test: does what the title of its task says, in the folder it is started in.
//   quick NAME      done at once
//   hold NAME       runs until the file NAME.go is there
//   stubborn NAME   the same, and ignores every signal that can be ignored
//   crash NAME      ends with 1
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';

const prompt = process.argv.at(-1) ?? '';
const [, what = '', name = ''] = /: (\w+) (\w+)/.exec(prompt.split('\n')[0] ?? '') ?? [];
const done = () => {
  appendFileSync('done.log', `${name}\n`);
  process.exit(0);
};
if (what === 'crash') process.exit(1);
if (what === 'quick') done();
if (what === 'stubborn') for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
appendFileSync('started.log', `${name}\n`);
writeFileSync(`${name}.running`, String(process.pid));
setInterval(() => existsSync(`${name}.go`) && done(), 20);
