import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';
import { KEYS, openScreen } from '../support/screen.ts';
import { streamingModel } from '../support/streamingModel.ts';

/** Sets the size of a terminal to each line of its input; the number is Linux's TIOCSWINSZ. */
const SET_SIZE = `open(my $tty, "+<", $ARGV[0]) or die;
  while (<STDIN>) { my ($columns, $rows) = split; ioctl($tty, 0x5414, pack("S4", $rows, $columns, 0, 0)) or die }`;

/** A session whose answer the test sends piece by piece, on a terminal that it can resize. */
async function streaming() {
  const stack = new AsyncDisposableStack();
  const project = stack.use(await testProject());
  const model = stack.use(await streamingModel());
  const session = stack.use(
    openScreen(project, {
      shell: 'tty > tty.txt; exec CMD',
      // the emulator is xterm.js
      env: { ANTHROPIC_BASE_URL: model.url, TERM_PROGRAM: 'vscode' },
    }),
  );
  await session.sees('/help');
  // a process that is ready: starting one would take longer than a terminal does
  const size = spawn('perl', ['-e', SET_SIZE, project.read('tty.txt').trim()], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  stack.defer(async () => {
    size.stdin.end();
    await once(size, 'close');
  });
  session.type(`go${KEYS.enter}`);
  await session.sees('esc to interrupt');
  let sent = 0;
  return {
    session,
    model,
    /** Sends paragraphs; the last one stays unfinished. */
    send: async (count: number) => {
      for (let n = 0; n < count; n++) await model.send(`paragraph ${++sent} has a few words of text\n\n`);
      await model.send('and an unfinished');
      await session.sees(`paragraph ${sent} has a few`);
      await model.send(` part ${sent}.\n\n`);
      await session.sees(`unfinished part ${sent}.`);
    },
    resize: async (columns: number, rows: number) => {
      // what is on its way to a terminal while it changes is broken by any program: begin after the frame of a new second
      const second = () => /thinking · (\d+)s/.exec(session.screen())?.[1];
      const last = second();
      if (last !== undefined) await expect.poll(second, { timeout: 3_000, interval: 5 }).not.toBe(last);
      const before = session.raw().length;
      // as a terminal does it: first its own lines, then the program is notified
      session.emulator.resize(columns, rows);
      size.stdin.write(`${columns} ${rows}\n`);
      await expect.poll(() => session.raw().length).toBeGreaterThan(before);
    },
    /** How often each paragraph is there, in the order of the screen. */
    paragraphs: () => [...session.all().matchAll(/paragraph (\d+) has/g)].map(([, n]) => Number(n)),
    sent: () => sent,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0;

describe('a terminal that is resized while an answer streams', { timeout: 30_000 }, () => {
  it('from 100 to 40 columns and back loses and repeats no line', async () => {
    await using its = await streaming();
    for (const columns of [40, 100, 40, 100, 60, 40, 120]) {
      await its.send(3);
      await its.resize(columns, 30);
      await its.send(2);
      const expected = Array.from({ length: its.sent() }, (_, n) => n + 1);
      expect(its.paragraphs()).toEqual(expected);
      const counts = () => [/esc to interrupt/g, /^─+$/gm, /^> go$/gm].map((part) => count(its.session.all(), part));
      await expect.poll(counts).toEqual([1, 2, 1]);
    }
    await its.model.end();
    await its.session.sees('⏹');
    await its.session.sheds('esc to interrupt');
    expect(its.paragraphs()).toEqual(Array.from({ length: its.sent() }, (_, n) => n + 1));
  });

  it('to 5 rows and back stays usable and loses no line', async () => {
    await using its = await streaming();
    await its.send(4);
    await its.resize(100, 5);
    await its.send(4);
    its.session.type('still typing');
    await its.session.sees('still typing');
    expect(its.session.screen().split('\n').length).toBeLessThanOrEqual(5);
    await its.resize(100, 30);
    await its.send(4);
    expect(its.paragraphs()).toEqual(Array.from({ length: its.sent() }, (_, n) => n + 1));
    await its.model.end();
    await its.session.sees('⏹');
    expect(its.session.screen()).toContain('still typing');
  });
});
