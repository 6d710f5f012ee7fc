import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { agentCommand } from './agentCommand.ts';
import { agentNamed, HOSTS, hostNamed, hostOf, printed } from './all.ts';
import type { Host, HostAgent } from './host.ts';
import { asPrinted, unwired } from './plainAgent.ts';

/*
 * What a new host takes: one folder with a row like `dummy`, and one word in the list of `all.ts`. The folder would be
 * `hosts/dummy`, with `dummyAgent` in a file that `load` imports.
 */

const dummyAgent: HostAgent = {
  title: 'Dummy',
  command: ({ words }) => ({
    name: 'dummy',
    file: 'dummy-agent',
    args: ['run', ...words],
    agent: dummyAgent,
    spend: { in: 'nowhere' },
    form: asPrinted,
  }),
  taskWords: (prompt, words) => [prompt, ...words],
  wire: async ({ world }) => unwired(world),
  whyChecksAreOff: async () => null,
  secrets: 'otherAgent',
  accountTrouble: () => null,
  reportsFailures: false,
  exitCodeSettles: true,
  printsAnswer: false,
  isOwn: false,
  readsPermissions: false,
};

const dummy: Host = {
  name: 'dummy',
  title: 'Dummy',
  recognizes: ({ dummy_version: version }) => version !== undefined,
  speak: ({ type }) => ({ dummy: type }),
  demand: async () => 'proof',
  agent: { flag: 'dummy', runsHooks: true, needsPrompt: true, load: async () => dummyAgent },
};

const WITH_DUMMY = [dummy, ...HOSTS];
const EVENT = { hook_event_name: 'Stop', session_id: 's', dummy_version: '1' };

describe('a host that is only a row in the list', () => {
  const host = hostOf(EVENT, undefined, WITH_DUMMY);

  it('is recognized, in events and in records', () => {
    expect(host).toBe(dummy);
    expect(hostNamed('dummy', WITH_DUMMY)).toBe(dummy);
    expect(hostOf({ hook_event_name: 'Stop', session_id: 's' }, undefined, WITH_DUMMY).name).toBe('claudeCode');
  });

  it('gets answers in its own form', () => {
    expect(printed(host, { type: 'block', reason: 'r', notes: [] })).toBe('{"dummy":"block"}\n');
  });

  it('decides what its session has to prove', async () => {
    const world = { env: {}, stopgateHome: '/nowhere', clock: systemClock, asker: host, hostPid: null };
    expect(await host.demand(EVENT, world)).toBe('proof');
  });

  it('is started with --agent', async () => {
    expect(agentNamed('dummy', WITH_DUMMY)).toMatchObject({ flag: 'dummy', runsHooks: true });
    const command = await agentCommand({ agent: 'dummy', words: ['fix it'], env: {} }, WITH_DUMMY);
    expect(command).toMatchObject({ name: 'dummy', file: 'dummy-agent', args: ['run', 'fix it'], agent: dummyAgent });
  });

  it('is any command without its row', async () => {
    const command = await agentCommand({ agent: 'dummy', words: ['fix it'], env: {} });
    expect(command).toMatchObject({ file: 'dummy', args: ['fix it'], agent: { title: 'The command' } });
  });
});

describe('the rest of the code', () => {
  const SRC = path.join(import.meta.dirname, '..');
  const NAMED = /'claude'|claudeCode|isClaude|wiredBy/;
  /** Lines that may name a host, and why. */
  const ALLOWED: readonly (readonly [file: RegExp, line: RegExp])[] = [
    // the default of --agent
    [/^cli\/commands\/(?:fleet|launch|worker)\//, /\.option\('--agent <agent>', `[^`]*`, 'claude'\)|agent: 'claude'/],
    // these two commands edit the settings file of Claude Code; a launch wires any host through its row
    [/^cli\/commands\/(?:init|remove)\//, /from '[./]*hosts\/claudeCode\//],
    // names of settings and variables of Claude Code
    [/./, /\/claudeCodeNames\.ts'/],
    [/./, /^\s*(?:\/\*\*|\*|\/\/)/],
  ];

  it('names no host', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(path.sep).join('/'))
      .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name) && !/^(?:hosts|testing)\//.test(name));
    const found = files.flatMap((file) => {
      const lines = readFileSync(path.join(SRC, file), 'utf8').split('\n');
      const isAllowed = (line: string) => ALLOWED.some(([at, allowed]) => at.test(file) && allowed.test(line));
      return lines.filter((line) => NAMED.test(line) && !isAllowed(line)).map((line) => `${file}: ${line.trim()}`);
    });
    expect(found).toEqual([]);
  });
});
