import { describe, expect, it } from 'vitest';
import { testHook, testRequest } from '../../tests/support/testHooks.ts';
import { sizeOf } from '../../tests/support/testSize.ts';
import { configureHooks } from './configure/configureHooks.ts';
import { problemText } from './configure/finding.ts';
import { eventFacts } from './events/eventTable.ts';
import { firedEvent } from './firedEvent.ts';
import { attachmentsOf } from './hookStream.ts';
import { findJudgment } from './kinds/judge.ts';
import { readAnswer } from './readAnswer.ts';
import { selectHooks } from './select.ts';
import { capOutcome } from './spill.ts';
import { HOOK_EVENTS } from './types.ts';
import { effectsOf, foldVerdict } from './verdict.ts';

// Settings and hook output come from outside. Whatever they are: no throw, no hang, and every refusal has a reason.

/** Numbers that look random and are the same in every run (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  return { below, pick, chance: (share: number) => next() < share };
}
type Random = ReturnType<typeof randomFrom>;

const WORDS = [
  '',
  'x',
  'Stop',
  'Bash',
  'command',
  '(',
  '*',
  '^B.*h$',
  '\u0000',
  '\uFEFF',
  '💥',
  `\${cwd}`,
  '__proto__',
  'a'.repeat(300),
  '-1',
  '{"ok":true}',
];
const KEYS = [
  'type',
  'command',
  'args',
  'shell',
  'async',
  'timeout',
  'if',
  'once',
  'url',
  'headers',
  'body',
  'method',
  'prompt',
  'tools',
  'server',
  'tool',
  'input',
  'matcher',
  'hooks',
  'pattern',
  'source',
  'event',
  'onFailure',
  'onError',
  'constructor',
  'toString',
  '__proto__',
  'length',
];
const TYPES = ['command', 'bash', 'http', 'prompt', 'agent', 'mcp_tool', 'comand', 'function', ''];

function anyValue(random: Random, depth: number): unknown {
  const leaf = [
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    undefined,
    random.pick(WORDS),
    random.pick(TYPES),
    [],
    {},
  ];
  if (depth === 0 || random.chance(0.4)) return random.pick(leaf);
  const size = random.below(4);
  if (random.chance(0.4)) return Array.from({ length: size }, () => anyValue(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, () => [random.pick(KEYS), anyValue(random, depth - 1)]));
}

function anyEntry(random: Random): unknown {
  if (random.chance(0.1)) return anyValue(random, 2);
  const entry: Record<string, unknown> = {
    type: random.pick(TYPES),
    command: 'x',
    url: 'http://127.0.0.1/',
    prompt: 'p',
    server: 's',
    tool: 't',
  };
  for (let n = random.below(3); n > 0; n--) entry[random.pick(KEYS)] = anyValue(random, 2);
  return entry;
}

function anySettings(random: Random): unknown {
  if (random.chance(0.1)) return anyValue(random, 4);
  if (random.chance(0.2))
    return Array.from({ length: random.below(4) }, () => ({
      event: random.pick([...HOOK_EVENTS, 'stop', 5]),
      ...(anyEntry(random) as object),
    }));
  const names = [...HOOK_EVENTS, 'Stopp', 'stop', '__proto__', 'constructor', ''];
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [
      random.pick(names),
      random.chance(0.1)
        ? anyValue(random, 2)
        : Array.from({ length: random.below(4) }, () =>
            random.chance(0.5)
              ? anyEntry(random)
              : { matcher: anyValue(random, 1), hooks: [anyEntry(random), anyEntry(random)] },
          ),
    ]),
  );
}

describe('settings of any shape', () => {
  it('are read without a throw, and what does not run is named', () => {
    const random = randomFrom(20261015);
    for (let n = 0; n < sizeOf({ small: 1_000, full: 4_000 }); n++) {
      const value = anySettings(random);
      const text = JSON.stringify({ hooks: value }, null, random.below(3));
      const { hooks, problems } = configureHooks([{ source: 'user', file: 'f.json', value, text }]);
      for (const problem of problems) {
        expect(problem.path).toMatch(/^hooks/);
        expect(problem.message.length).toBeGreaterThan(3);
        expect(problemText(problem)).toContain('f.json');
      }
      for (const hook of hooks) {
        const { event } = hook;
        const input = { tool_name: random.pick(WORDS), tool_input: anyValue(random, 1), source: random.pick(WORDS) };
        const facts = {
          row: eventFacts(event),
          input,
          matchesRule: () => 'unclear' as const,
          lastText: () => random.pick(WORDS),
          spent: () => false,
          canRun: () => true,
        };
        for (const one of selectHooks([hook], facts)) if (!one.matched) expect(one.why.length).toBeGreaterThan(10);
      }
    }
  });

  it('lose no entry without a word', () => {
    const random = randomFrom(7);
    for (let n = 0; n < sizeOf({ small: 500, full: 2_000 }); n++) {
      const entries = Array.from({ length: 5 }, () => anyEntry(random));
      const { hooks, problems } = configureHooks([
        { source: 'user', file: 'f.json', value: { Stop: [{ hooks: entries }] } },
      ]);
      const disabled = new Set(
        problems
          .filter((one) => one.effect === 'disabled')
          .map((one) => /^hooks\.Stop\[0\]\.hooks\[\d\]/.exec(one.path)?.[0]),
      );
      expect(hooks.length + disabled.size).toBe(5);
    }
  });
});

const OUTPUT_KEYS = [
  'continue',
  'stopReason',
  'decision',
  'reason',
  'systemMessage',
  'suppressOutput',
  'hookSpecificOutput',
  'async',
  'terminalSequence',
  '__proto__',
];
const SPECIFIC_KEYS = [
  'additionalContext',
  'permissionDecision',
  'permissionDecisionReason',
  'updatedInput',
  'updatedToolOutput',
  'watchPaths',
  'decision',
  'retry',
  'worktreePath',
  'action',
  'content',
];

function anyOutput(random: Random): string {
  const output: Record<string, unknown> = {};
  for (let n = random.below(4); n > 0; n--)
    output[random.pick(OUTPUT_KEYS)] = random.chance(0.5)
      ? random.pick(['block', 'approve', false, true, 'why'])
      : anyValue(random, 2);
  if (random.chance(0.5)) {
    const specific: Record<string, unknown> = { hookEventName: random.pick(HOOK_EVENTS) };
    for (let n = random.below(4); n > 0; n--)
      specific[random.pick(SPECIFIC_KEYS)] = random.chance(0.5)
        ? random.pick(['allow', 'deny', 'ask', 'text', ['/a'], { behavior: 'deny' }])
        : anyValue(random, 2);
    output.hookSpecificOutput = specific;
  }
  const text = JSON.stringify(output);
  const mangle = [
    (t: string) => t,
    (t: string) => t.slice(0, -1),
    (t: string) => `${t}\n${t}`,
    (t: string) => `\uFEFF${t}\r\n`,
    (t: string) => `log\n${t}`,
    (t: string) => t.replace('"', ''),
    () => random.pick(WORDS).repeat(random.below(50)),
  ];
  return (random.chance(0.6) ? text : random.pick(mangle)(text)) as string;
}

describe('hook output of any shape', () => {
  it('results in an outcome, a verdict and something to show, on every event and exit code', () => {
    const random = randomFrom(42);
    const hooks = [
      testHook({ type: 'command', command: 'x' }),
      testHook({ type: 'command', command: 'y', onError: 'block' }),
      testHook({ type: 'command', command: 'z', onFailure: 'block' }),
    ];
    for (let n = 0; n < sizeOf({ small: 1_500, full: 6_000 }); n++) {
      const name = random.pick(HOOK_EVENTS);
      const event = firedEvent(testRequest(name, { tool_name: 'Bash', source: random.pick(WORDS) }));
      const ends = hooks.map((hook) => {
        const printed = {
          stdout: anyOutput(random),
          stderr: random.pick(WORDS),
          exitCode: random.pick([0, 0, 0, 1, 2, 2, 3, 127, 255]),
          durationMs: 1,
        };
        const outcome = capOutcome(readAnswer(printed, event.row), () => '/spilled');
        if (outcome.type === 'failed') expect(outcome.message.length).toBeGreaterThan(5);
        if (printed.exitCode === 2) expect(outcome.type === 'said' && outcome.reply.block?.reason).toBeTruthy();
        return { hook, outcome };
      });
      const verdict = foldVerdict(ends, event);
      const reversed = foldVerdict(ends.toReversed(), event);
      // who finished first decides neither whether it is blocked, nor prevented, nor allowed
      expect([...reversed.blocks].sort()).toEqual([...verdict.blocks].sort());
      expect(reversed.prevented === null).toBe(verdict.prevented === null);
      expect(reversed.permission?.decision).toBe(verdict.permission?.decision);
      expect([...reversed.contexts].sort()).toEqual([...verdict.contexts].sort());
      for (const end of ends) expect(attachmentsOf(end, event, effectsOf(end, event)).length).toBeGreaterThan(0);
    }
  });

  it('is searched for a judgment in bounded time', () => {
    const random = randomFrom(99);
    const startedAt = Date.now();
    for (let n = 0; n < sizeOf({ small: 500, full: 2_000 }); n++)
      findJudgment(anyOutput(random) + random.pick(['{', '"', '\\', '{"ok":']).repeat(random.below(500)));
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });
});
