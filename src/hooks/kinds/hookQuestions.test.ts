import { afterAll, describe, expect, it } from 'vitest';
import { seeAll, testHooks, testRunner, testSubject } from '../../../tests/support/testHooks.ts';
import type { HookPrompt } from '../../schemas/hookOutputs.ts';
import { systemClock } from '../../system/clock.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { executeStopHooks } from '../executeEvents.ts';
import type { RequestPrompt } from '../types.ts';
import { backgroundHooks } from './background.ts';
import { commandHook } from './command.ts';
import { withoutQuestions } from './hookQuestions.ts';

const processes = spawnProcesses();
afterAll(() => processes.endAll());
const kinds = [commandHook({ processes, background: backgroundHooks(systemClock) })];

/** Reads the event, asks, reads the answer, and blocks with it. */
const ASKS = `read -r event; echo '{"prompt":"q1","message":"Deploy?","options":[{"key":"y","label":"Yes"}]}'; read -r answer; echo "$answer" >&2; exit 2`;

async function stop(entry: object, options: { requestPrompt?: RequestPrompt; timeoutMs?: number }) {
  const configured = testHooks({ Stop: [{ type: 'command', ...entry }] });
  const runner = testRunner({ configured, kinds });
  const running = executeStopHooks(
    { stop_hook_active: false },
    { runner, subject: testSubject(), signal: new AbortController().signal, ...options },
  );
  const { events, verdict } = await seeAll(running);
  return { ...verdict, shown: JSON.stringify(events) };
}

describe('a command hook that asks the person', () => {
  it('gets the chosen answer on its stdin', async () => {
    const asked: HookPrompt[] = [];
    const requestPrompt = async (question: HookPrompt) => {
      asked.push(question);
      return 'y';
    };
    const { blocks } = await stop({ command: ASKS, asksUser: true }, { requestPrompt });
    expect(asked).toEqual([{ prompt: 'q1', message: 'Deploy?', options: [{ key: 'y', label: 'Yes' }] }]);
    expect(blocks.join()).toContain('{"prompt_response":"q1","selected":"y"}');
  });

  it.each([
    ['does not answer', async () => null],
    ['cannot be asked', () => Promise.reject(new Error('the screen is gone'))],
  ])('gets null when the person %s', async (_name, requestPrompt) => {
    const { blocks } = await stop({ command: ASKS, asksUser: true }, { requestPrompt });
    expect(blocks.join()).toContain('"selected":null');
  });

  it('finds its stdin closed where there is no person', async () => {
    const { blocks } = await stop(
      { command: `${ASKS.replace('exit 2', '[ -n "$answer" ] || echo alone >&2; exit 2')}`, asksUser: true },
      {},
    );
    expect(blocks.join()).toContain('alone');
  });

  it('may answer the event with JSON after its questions', async () => {
    const command = `${ASKS.split('; echo "$answer"')[0]}; echo '{"decision":"block","reason":"as the person said"}'`;
    const { blocks } = await stop({ command, asksUser: true }, { requestPrompt: async () => 'y' });
    expect(blocks.join()).toContain('as the person said');
  });

  it('reads to the end of its stdin as ever when it does not ask', async () => {
    const { blocks } = await stop(
      { command: 'cat > /dev/null; echo read it all >&2; exit 2' },
      { requestPrompt: async () => 'y' },
    );
    expect(blocks.join()).toContain('read it all');
  });
});

it('a caller can bound hooks that name no timeout of their own', async () => {
  const { shown } = await stop({ command: 'exec sleep 60' }, { timeoutMs: 50 });
  expect(shown).toContain('"timedOut":true');
});

it.each([
  ['{"decision":"block"}', '{"decision":"block"}'],
  ['{"prompt":"a","message":"m","options":[]}\n{}', '{}'],
  ['{"prompt":"a"}\nplain', '{"prompt":"a"}\nplain'],
])('what is left of %s', (stdout, left) => {
  expect(withoutQuestions(stdout)).toBe(left);
});
