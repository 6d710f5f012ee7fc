import { afterAll, describe, expect, it } from 'vitest';
import { HOSTS } from '../../../src/hosts/all.ts';
import { wirableHosts } from '../../../src/hosts/findHosts.ts';
import { HOST_ABILITIES, type HostAbility } from '../../../src/hosts/host.ts';
import { ALL_HOSTS } from './allHosts.ts';
import type { HostReply } from './hostDriver.ts';
import type { HostName } from './hostPackages.ts';
import { keepResult, RECORDS_HOSTS } from './hostResults.ts';
import { type HostAge, installHost } from './installHost.ts';
import * as scenarios from './scenarios.ts';

/** What differs between agents, as executed. */
export interface HostFacts {
  /** How often a stop without a tool call is refused, of 10. */
  readonly mostRefusals: number;
  /** Files that decide about a stop, the definition of done included. */
  readonly guarded: number;
  /** The answer of a provider that limits the account, and how its attempt is released. */
  readonly limit: NonNullable<HostReply['error']>;
  /** Settings of a person, by path; `~/` is the home. */
  readonly settings: Readonly<Record<string, string>>;
}

const AGES: readonly HostAge[] = ALL_HOSTS ? ['newest', 'older'] : ['newest'];

/**
 * What every run shows of these agents only: each start of a program takes one to three seconds of a processor. Qwen was made from
 * Gemini, and Claude Code has tests of its own (`tests/claudeCode`).
 */
const EVERYDAY = {
  /** That the gate gives up is ours to decide; `tests/claudeCode/checks` has it. */
  stall: [],
  /** How many refusals in a row it heeds depends on its version, which is pinned; `tests/hosts/copilot` has what a cap leads to. */
  cap: [],
  /** A launch of Copilot CLI goes on in its session, in `tests/hosts/copilot`. */
  resume: ['codex', 'pi'],
  /** Gemini's launch that is held counts and is told the same; a start of opencode takes three seconds. */
  countdown: ['codex', 'copilot', 'pi'],
  /** Files that `init` made and not only edited. */
  removalOfFiles: ['codex', 'pi'],
  worker: ['codex', 'pi'],
} as const satisfies Readonly<Record<string, readonly HostName[]>>;

const isShown = (what: keyof typeof EVERYDAY, { name }: scenarios.HostCase) =>
  ALL_HOSTS || (EVERYDAY[what] as readonly HostName[]).includes(name);

/** Puts an agent's real programs through all scenarios, and holds its row to what they did. */
export async function describeHost(name: HostName, facts: HostFacts): Promise<void> {
  const hosts = await Promise.all(AGES.map(async (age) => ({ name, age, host: await installHost(name, age) })));
  const done = new Map<HostAge, Executed>();
  for (const { host } of hosts)
    if (host.type === 'missing') process.stdout.write(`tests/hosts/${name} is skipped: ${host.reason}\n`);
  describe.each(hosts)('$name $host.version', { timeout: 120_000 }, ({ age, host }) => {
    const executed: Executed = {};
    done.set(age, executed);
    const test = (what: string, run: () => Promise<void>) => it.skipIf(host.type === 'missing')(what, run);
    testStops({ name, age }, facts, { test, executed });
    testTools({ name, age }, facts, { test, executed });
    testWorker({ name, age }, facts, { test, executed });
    test('can what its row says, no more and no less', async () => {
      const row = wirableHosts().find(({ wiring }) => wiring.flag === name)?.wiring.abilities;
      const says = Object.fromEntries(HOST_ABILITIES.map((ability) => [ability, row && (row[ability]?.can ?? true)]));
      const isOpen = (ability: HostAbility) => !ALL_HOSTS && executed[ability] === undefined;
      expect(executed).toEqual(
        Object.fromEntries(Object.entries(says).filter(([ability]) => !isOpen(ability as HostAbility))),
      );
    });
  });
  afterAll(() => {
    const can = done.get('newest');
    const didTheSame = (age: HostAge) => JSON.stringify(sorted(done.get(age))) === JSON.stringify(sorted(can));
    const versions = hosts.flatMap(({ age, host }) =>
      host.type === 'installed' && didTheSame(age) ? [host.version] : [],
    );
    if (RECORDS_HOSTS && isWhole(can)) keepResult({ host: name, versions, can });
  });
}

const sorted = (executed: Executed = {}) => HOST_ABILITIES.map((ability) => executed[ability]);

type Executed = Partial<Record<HostAbility, boolean>>;

const isWhole = (can: Executed | undefined): can is Record<HostAbility, boolean> =>
  can !== undefined && HOST_ABILITIES.every((ability) => can[ability] !== undefined);

interface Testing {
  readonly test: (what: string, run: () => Promise<void>) => void;
  readonly executed: Executed;
}

/** How often it stops in a row, with every refusal heeded. */
const IN_ROW = 10;

/** In the run that everything else about the gate is shown in. */
const SHORT_ROW = 2;

function testStops(host: scenarios.HostCase, facts: HostFacts, { test, executed }: Testing): void {
  const resumes = isShown('resume', host);
  const late = resumes ? '; resumed near its deadline, it is refused an edit and not a commit' : '';

  test(`does not change its own gate, and is refused ${SHORT_ROW} stops until the check passes${late}`, async () => {
    const { guarded, changed, denials, variables, run, ...rest } = await scenarios.guardedGate(host, {
      inRow: SHORT_ROW,
      resumes,
    });
    const { late, ...stops } = rest;
    const { refusals, requests, passes } = stops;
    executed['veto a stop'] = refusals === SHORT_ROW;
    expect({ guarded, changed, denials }, run.stderr + run.stdout).toEqual({
      ...{ guarded: facts.guarded, changed: [], denials: facts.guarded },
    });
    expect({ code: run.code, refusals, requests, passes }, run.stderr + run.stdout).toEqual({
      ...{ code: 0, refusals: SHORT_ROW, requests: facts.guarded + SHORT_ROW + 3, passes: true },
    });
    // a process that outlives its agent is known by nothing else than the variable that its row names
    const { agentVariables = [] } = HOSTS.find(({ wiring }) => wiring?.flag === host.name) ?? {};
    expect(agentVariables.filter((variable) => variables.includes(variable))).not.toEqual([]);
    if (late) expectLate(late, executed);
  });

  if (isShown('stall', host))
    test('may stop when it changes nothing', async () => {
      const { refusals, passes, run } = await scenarios.stalledStop(host);
      expect({ code: run.code, refusals, passes }, run.stderr).toEqual({ code: 0, refusals: 2, passes: false });
    });

  if (isShown('cap', host))
    test(`is refused ${facts.mostRefusals} of ${IN_ROW} stops in a row`, async () => {
      const { refusals, run } = await scenarios.manyRefusals(host);
      executed['block without a cap'] = refusals === IN_ROW;
      expect({ code: run.code, refusals }, run.stderr).toEqual({ code: 0, refusals: facts.mostRefusals });
    });
}

function expectLate({ run, ...late }: scenarios.ResumedFacts, executed: Executed): void {
  executed['resume a session'] = late.resumed;
  executed['see tool calls'] = late.toldWhy;
  executed['refuse tool calls'] = !late.written && late.toldWhy;
  expect(late, run.stderr + run.stdout).toEqual({
    ...{ resumed: true, isSame: true, written: false, toldWhy: true, committed: true },
  });
}

function testTools(host: scenarios.HostCase, facts: HostFacts, { test, executed }: Testing): void {
  if (isShown('countdown', host))
    test('is told the time after each tool call of a launch, which counts its tokens and shows its words', async () => {
      const { told, tokens, run } = await scenarios.countdown(host);
      executed['be told the time'] = told.length === 2;
      executed['report spend'] = tokens === 60;
      expect({ code: run.code, told: told.length, tokens, stdout: run.stdout }, run.stderr).toEqual({
        ...{ code: 0, told: 2, tokens: 60, stdout: 'All done.\n' },
      });
    });

  test('has its settings back to the byte', async () => {
    for (const settings of isShown('removalOfFiles', host) ? [{}, facts.settings] : [facts.settings]) {
      const { before, after, wired } = await scenarios.removal(host, settings);
      expect(wired).toBe(true);
      expect(after).toEqual(before);
    }
  });
}

function testWorker(host: scenarios.HostCase, facts: HostFacts, { test, executed }: Testing): void {
  if (!isShown('worker', host)) return;
  test('takes a second task without a second start, and at a limit pauses its account and blames no task', async () => {
    const { states, attempts, starts, paused, run } = await scenarios.secondTask(host, 2, facts.limit);
    executed['wait in a hook'] = starts === 1 && states.filter((state) => state === 'done').length === 2;
    expect({ states, attempts, starts, paused }, run.stderr + run.stdout).toEqual({
      ...{ states: ['done', 'done', 'queued'], attempts: ['rate_limited'] },
      ...{ starts: 1, paused: ['rate_limit, worker w'] },
    });
  });
}
