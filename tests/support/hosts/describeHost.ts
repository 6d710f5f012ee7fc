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

/** That the gate gives up is ours to decide, so one agent of each kind is enough: hooks, an extension. */
const STALLING: readonly HostName[] = ['claude', 'pi'];

/** It was made from gemini's, and is resumed by the same words; its two starts take five seconds of a processor. */
const RESUMES_AS_ANOTHER: readonly HostName[] = ['qwen'];

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

/** That an agent without a cap heeds ten in a row depends on its version, which is pinned; each refusal takes a third of a second of a processor. */
const IN_ROW_EVERYDAY = ALL_HOSTS ? IN_ROW : 3;

function testStops(host: scenarios.HostCase, facts: HostFacts, { test, executed }: Testing): void {
  const isCapped = facts.mostRefusals < IN_ROW;
  const inRow = isCapped ? 1 : IN_ROW_EVERYDAY;

  test(`does not change its own gate, and is refused its stop until the check passes: ${1 + inRow} times`, async () => {
    const { guarded, changed, denials, variables, run, ...stops } = await scenarios.guardedGate(host, inRow);
    const { refusals, requests, passes } = stops;
    executed['veto a stop'] = refusals === 1 + inRow;
    if (!isCapped && inRow === IN_ROW) executed['block without a cap'] = refusals === 1 + inRow;
    expect({ guarded, changed, denials }, run.stderr + run.stdout).toEqual({
      ...{ guarded: facts.guarded, changed: [], denials: facts.guarded },
    });
    expect({ code: run.code, refusals, requests, passes }, run.stderr + run.stdout).toEqual({
      ...{ code: 0, refusals: 1 + inRow, requests: facts.guarded + inRow + 5, passes: true },
    });
    // a process that outlives its agent is known by nothing else than the variable that its row names
    const { agentVariables = [] } = HOSTS.find(({ wiring }) => wiring?.flag === host.name) ?? {};
    expect(agentVariables.filter((variable) => variables.includes(variable))).not.toEqual([]);
  });

  if (ALL_HOSTS || STALLING.includes(host.name))
    test('may stop when it changes nothing', async () => {
      const { refusals, passes, run } = await scenarios.stalledStop(host);
      expect({ code: run.code, refusals, passes }, run.stderr).toEqual({ code: 0, refusals: 2, passes: false });
    });

  if (isCapped)
    test(`is refused ${facts.mostRefusals} of ${IN_ROW} stops in a row`, async () => {
      const { refusals, run } = await scenarios.manyRefusals(host);
      executed['block without a cap'] = refusals === IN_ROW;
      expect({ code: run.code, refusals }, run.stderr).toEqual({ code: 0, refusals: facts.mostRefusals });
    });

  if (ALL_HOSTS || !RESUMES_AS_ANOTHER.includes(host.name))
    test('goes on with its session, where it is refused an edit near the deadline, and not a commit', async () => {
      const { resumed, isSame, written, toldWhy, committed, run } = await scenarios.resumedLate(host);
      executed['resume a session'] = resumed;
      executed['see tool calls'] = toldWhy;
      executed['refuse tool calls'] = !written && toldWhy;
      expect({ resumed, isSame, written, toldWhy, committed }, run.stderr + run.stdout).toEqual({
        ...{ resumed: true, isSame: true, written: false, toldWhy: true, committed: true },
      });
    });
}

function testTools(host: scenarios.HostCase, facts: HostFacts, { test, executed }: Testing): void {
  test('is told the time after each tool call of a launch, which counts its tokens and shows its words', async () => {
    const { told, tokens, run } = await scenarios.countdown(host);
    executed['be told the time'] = told.length === 2;
    executed['report spend'] = tokens === 60;
    expect({ code: run.code, told: told.length, tokens, stdout: run.stdout }, run.stderr).toEqual({
      ...{ code: 0, told: 2, tokens: 60, stdout: 'All done.\n' },
    });
  });

  test('has its settings back to the byte', async () => {
    for (const settings of [{}, facts.settings]) {
      const { before, after, wired } = await scenarios.removal(host, settings);
      expect(wired).toBe(true);
      expect(after).toEqual(before);
    }
  });
}

function testWorker(host: scenarios.HostCase, facts: HostFacts, { test, executed }: Testing): void {
  test('takes a second task without a second start, and at a limit pauses its account and blames no task', async () => {
    const { states, attempts, starts, paused, run } = await scenarios.secondTask(host, 2, facts.limit);
    executed['wait in a hook'] = starts === 1 && states.filter((state) => state === 'done').length === 2;
    expect({ states, attempts, starts, paused }, run.stderr + run.stdout).toEqual({
      ...{ states: ['done', 'done', 'queued'], attempts: ['rate_limited'] },
      ...{ starts: 1, paused: ['rate_limit, worker w'] },
    });
  });
}
