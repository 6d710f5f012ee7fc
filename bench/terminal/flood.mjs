import { makePlace, stopgate } from '../lib/agents.mjs';
import { startFloodModel } from './floodModel.mjs';
import { openTerminal } from './terminalProcess.mjs';
import { typeUntil } from './typing.mjs';

/** Prints 20 KB, which the tool passes on as it is. */
const PRINT = 'head -c 15000 /dev/zero | base64';

/** What a session may be flooded with, by size: 1 is all of it. */
export const FLOODS = {
  /** 5,000 messages with 50 MB of output. */
  turns: (size) => ({ commands: Array(Math.ceil(2_500 * size)).fill(PRINT) }),
  /** A command that prints without end while it runs. */
  endless: (size) => ({
    commands: [`timeout ${Math.max(1, Math.ceil(20 * size))} yes 'a line of output that never ends'`],
  }),
  /** 5 MB in one code block. */
  answer: (size) => ({ answerBytes: Math.ceil(5_000_000 * size) }),
  idle: (size) => ({ seconds: Math.max(1, Math.ceil(20 * size)) }),
};

/** Types while a session is flooded. Returns times from key to echo, memory, and what reached the terminal. */
export async function typeIntoFlood(name, size, { limitMs = 15 * 60_000 } = {}) {
  const { seconds, ...flood } = FLOODS[name](size);
  using place = makePlace();
  await using model = await startFloodModel(flood);
  const frames = watchFrames();
  await using terminal = openTerminal([...stopgate.command, '--allowedTools', 'Bash'], {
    place,
    url: model.url,
    onText: frames.add,
  });
  await terminal.seen('/help');
  await terminal.seen('claude');
  const before = terminal.memoryMb();
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  const timer = setTimeout(over, seconds === undefined ? limitMs : seconds * 1000);
  if (seconds === undefined) {
    terminal.type('go\r');
    void terminal.printed('⏹').then(over);
  }
  const times = await typeUntil(terminal, () => isOver);
  clearTimeout(timer);
  return { times, before, after: terminal.memoryMb(), bytes: terminal.bytes(), ...frames.found(), ...model.counts() };
}

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

/** Counts frames, clears of more than the live part, and text that is printed outside of a frame. */
function watchFrames() {
  let rest = '';
  const found = { frames: 0, cleared: 0, outside: 0 };
  const text = (outside) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: modes and questions of the terminal are no text
    if (found.frames > 0 && outside.replace(/\u001b\[[?>]?[\d;]*[a-zA-Z]/g, '') !== '') found.outside++;
  };
  return {
    add: (chunk) => {
      rest += chunk;
      for (let end = rest.indexOf(END); end !== -1; end = rest.indexOf(END)) {
        const begin = rest.indexOf(BEGIN);
        text(rest.slice(0, begin));
        const frame = rest.slice(begin, end);
        if (frame.includes('\u001b[2J') || frame.includes('\u001b[3J') || frame.includes('\u001b[H')) found.cleared++;
        found.frames++;
        rest = rest.slice(end + END.length);
      }
    },
    found: () => found,
  };
}
