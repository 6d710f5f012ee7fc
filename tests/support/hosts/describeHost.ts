import { afterAll, describe, expect, it } from 'vitest';
import { HOSTS } from '../../../src/hosts/all.ts';
import { wirableHosts } from '../../../src/hosts/findHosts.ts';
import { HOST_ABILITIES, type HostAbility } from '../../../src/hosts/host.ts';
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

const AGES: readonly HostAge[] = process.env.STOPGATE_ALL_HOSTS === '1' ? ['newest', 'older'] : ['newest'];

/** Puts an agent's real programs through all scenarios, and holds its row to what they did. */
export async function describeHost(name: HostName, facts: HostFacts): Promise<void> {
  const hosts = await Promise.all(AGES.map(async (age) => ({ name, age, host: await installHost(name, age) })));
  const done = new Map<HostAge, Executed>();
  for (const { host } of hosts)
    if (host.type === 'missing') process.stdout.write(`tests/hosts/${name} is skipped: ${host.reason}\n`);
  describe.each(hosts)('$name $host.version', { timeout: 60_000 }, ({ age, host }) => {
    const executed: Executed = {};
    done.set(age, executed);
    const test = (what: string, run: () => Promise<void>) => it.skipIf(host.type === 'missing')(what, run);
    testStops({ name, age }, facts, { test, executed });
    testTools({ name, age }, facts, { test, executed });
    testWorker({ name, age }, facts, { test, executed });
    test('can what its row says, no more and no less', async () => {
      const row = wirableHosts().find(({ wiring }) => wiring.flag === name)?.wiring.abilities;
      const says = Object.fromEntries(HOST_ABILITIES.map((ability) => [ability, row && (row[ability]?.can ?? true)]));
      expect(executed).toEqual(says);
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

function testStops(host: scenarios.HostCase, facts: HostFacts, { test, executed }: Testing): void {
  test('does not change its own gate, and is refused its stop until the check passes', async () => {
    const { guarded, changed, denials, run, ...stops } = await scenarios.guardedGate(host);
    const { refusals, requests, passes } = stops;
    executed['veto a stop'] = refusals === 2;
    expect({ guarded, changed, denials }, run.stderr + run.stdout).toEqual({
      ...{ guarded: facts.guarded, changed: [], denials: facts.guarded },
    });
    expect({ code: run.code, refusals, requests, passes }, run.stderr + run.stdout).toEqual({
      ...{ code: 0, refusals: 2, requests: facts.guarded + 6, passes: true },
    });
  });

  // a process that outlives its agent is known by nothing else than the variable
  test('may stop when it changes nothing, and gives its commands a variable that its row names', async () => {
    const { refusals, passes, variables, run } = await scenarios.stalledStop(host);
    expect({ code: run.code, refusals, passes }, run.stderr).toEqual({ code: 0, refusals: 2, passes: false });
    const { agentVariables = [] } = HOSTS.find(({ wiring }) => wiring?.flag === host.name) ?? {};
    expect(agentVariables.filter((variable) => variables.includes(variable))).not.toEqual([]);
  });

  test(`is refused ${facts.mostRefusals} of 10 stops in a row`, async () => {
    const { refusals, run } = await scenarios.manyRefusals(host);
    executed['block without a cap'] = refusals === 10;
    expect({ code: run.code, refusals }, run.stderr).toEqual({ code: 0, refusals: facts.mostRefusals });
  });

  test('goes on with its session by the words of a launch', async () => {
    const { resumed, isSame, run } = await scenarios.resumed(host);
    executed['resume a session'] = resumed;
    expect({ resumed, isSame }, run.stderr + run.stdout).toEqual({ resumed: true, isSame: true });
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

  test('is refused an edit near the deadline, and not a commit', async () => {
    const { written, toldWhy, committed, run } = await scenarios.refusedTool(host);
    executed['see tool calls'] = toldWhy;
    executed['refuse tool calls'] = !written && toldWhy;
    expect({ written, toldWhy, committed }, run.stderr + run.stdout).toEqual({
      ...{ written: false, toldWhy: true, committed: true },
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
  test('takes a second task without a second start', async () => {
    const { states, starts, run } = await scenarios.secondTask(host);
    executed['wait in a hook'] = starts === 1 && states.every((state) => state === 'done');
    expect({ states, starts }, run.stderr + run.stdout).toEqual({ states: ['done', 'done'], starts: 1 });
  });

  test('pauses its account at a limit, and does not blame the task', async () => {
    const { states, attempts, paused, run } = await scenarios.refusedAccount(host, facts.limit);
    expect({ states, attempts, paused }, run.stderr + run.stdout).toEqual({
      ...{ states: ['queued'], attempts: ['rate_limited'], paused: ['rate_limit, worker w'] },
    });
  });
}
