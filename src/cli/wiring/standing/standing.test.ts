import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { HOSTS } from '../../../hosts/all.ts';
import type { Worker } from '../store/openedStore.ts';
import { decideOwnWorker } from './ownLease.ts';
import { touchesGuarded } from './refuseAgents.ts';
import { type Agent, decideStanding } from './standing.ts';
import { type Supervisor, supervisorKind } from './supervisors.ts';

const supervisor = (more: Partial<Supervisor> = {}): Supervisor => ({
  kind: 'worker',
  pid: 10,
  startedAt: '5',
  words: [],
  folder: '/project',
  home: '/home/me/.stopgate',
  agentEnv: {},
  ...more,
});
const agent = (more: Partial<Agent> = {}): Agent => ({
  type: 'agent',
  how: '',
  envWorker: null,
  hasMarks: false,
  supervisors: [supervisor()],
  ancestors: [{ pid: 10, startedAt: '5', words: [] }],
  ...more,
});

describe('supervisorKind', () => {
  it.each([
    ['node /x/bin/stopgate.js worker run --agent claude', 'worker'],
    ['node --require /a.cjs /x/bin/stopgate.js worker run', 'worker'],
    ['/usr/bin/node /usr/local/bin/stopgate --debug worker run', 'worker'],
    ['node /x/bin/stopgate.js worker list', null],
    ['node /x/bin/stopgate.js launch --time-budget 5m -- fix it', 'launch'],
    ['node /x/bin/stopgate.js -p fix-it', 'prompt'],
    ['node /x/bin/stopgate.js --model x --print', 'prompt'],
    ['node /x/bin/stopgate.js fleet up -- -p x', null],
    ['node /x/bin/stopgate.js task list', null],
    ['node /x/bin/stopgate.js receipt verify x.json', null],
    ['node /x/bin/stopgate.js --help', null],
    ['node /x/bin/stopgate.js', 'session'],
    // values of options are no commands
    ['node /x/bin/stopgate.js --add-dir hooks', 'session'],
    ['node /x/bin/stopgate.js -p x --add-dir worker', 'prompt'],
    ['node /x/bin/stopgate.js --agent worker --add-dir report', 'session'],
    ['node /x/bin/stopgate.js --allowedTools Bash worker run', 'session'],
    ['node /x/bin/stopgate.js --store=x task list', null],
    ['node /x/bin/stopgate.js --store x task list', null],
    ['node /x/bin/stopgate.js -cp worker', null],
    ['node /x/bin/stopgate.js --continue --model sonnet', 'session'],
    ['/usr/bin/node /usr/local/bin/stopgate fix-it', 'session'],
    ['node /x/bin/stopgate.js -cp fix-it', 'prompt'],
    ['claude -p x', null],
    ['bash', null],
    // they only name it
    ['timeout 10 stopgate worker run', null],
    ['xargs -n 10 stopgate worker run', null],
  ])('of %s is %s', (line, kind) => {
    expect(supervisorKind(line.split(' '))).toBe(kind);
  });
});

describe('decideStanding', () => {
  it.each([
    ['nothing', {}, [], 'person'],
    ['variables of a worker', { STOPGATE_WORKER: 'w' }, [], 'agent'],
    ['variables of a launch', { STOPGATE_LAUNCH_ID: 'l' }, [], 'agent'],
    ['ancestry alone', {}, [supervisor()], 'agent'],
    ['empty variables', { STOPGATE_WORKER: '', STOPGATE_LAUNCH_ID: '' }, [], 'person'],
    // of the worker's own process, which a coordinator starts
    ['the mark of a fleet', { STOPGATE_FLEET_MARK: 'x' }, [], 'person'],
  ])('with %s', (_what, env, supervisors, type) => {
    expect(decideStanding({ env, supervisors, ancestors: [] }).type).toBe(type);
  });

  it.each(HOSTS.flatMap(({ agentVariables = [] }) => agentVariables))('names %s of an agent by hand', (name) => {
    const facts = { env: { [name]: '1' }, supervisors: [], ancestors: [] };
    const how = `its environment has ${name}`;
    expect(decideStanding({ ...facts, hosts: true })).toMatchObject({ type: 'agent', how });
    expect(decideStanding(facts).type).toBe('person');
    expect(decideStanding({ ...facts, env: { [name]: '' }, hosts: true }).type).toBe('person');
  });

  it('leaves out whose shell started the supervisor', () => {
    const ancestors = [30, 20, 10, 5, 1].map((pid) => ({ pid, startedAt: '5', words: [] }));
    const supervisors = [supervisor({ pid: 20, kind: 'prompt' }), supervisor({ pid: 10 })];
    const standing = decideStanding({ env: {}, supervisors, ancestors });
    expect(standing.type === 'agent' && standing.ancestors.map(({ pid }) => pid)).toEqual([30, 20, 10]);
  });
});

describe('touchesGuarded', () => {
  const guarded = { homes: ['/home/me/.stopgate'], folders: ['/project'], stores: ['/data/tasks.db'] };
  const touched = {
    home: '/tmp/h',
    store: { type: 'sqlite', path: '/tmp/h/x.db', isDefault: true },
    folder: null,
  } as const;

  it.each([
    ['the home of a test that it runs', {}, {}, false],
    ['its own home', { home: '/home/me/.stopgate/' }, {}, true],
    ['the store of its worker', { store: { type: 'sqlite', path: '/data/tasks.db', isDefault: false } }, {}, true],
    ['the settings of its folder', { folder: '/project/src' }, {}, true],
    ['the settings of another folder', { folder: '/projects' }, {}, false],
    ['anything when its ancestors are gone', {}, { supervisors: [] }, true],
    ['anything with its marks', {}, { hasMarks: true }, true],
    ['anything below a supervisor that cannot be read', {}, { supervisors: [supervisor({ home: null })] }, true],
  ] as const)('%s', (_what, more, who, expected) => {
    expect(touchesGuarded({ ...touched, ...more }, agent(who), guarded)).toBe(expected);
  });

  it('holds every address of a server for the one that is guarded', () => {
    const store = { type: 'postgres', url: 'postgres://127.0.0.1/x' } as const;
    const there = { ...guarded, stores: ['postgres://localhost/tasks'] };
    expect(touchesGuarded({ ...touched, store }, agent(), there)).toBe(true);
    expect(touchesGuarded({ ...touched, store }, agent(), guarded)).toBe(false);
  });
});

describe('decideOwnWorker', () => {
  const row = (more: Partial<Worker>) => ({ host: hostname(), pid: 10, pidStart: '5', ...more }) as Worker;

  // its own name in the environment is a lie
  const ofProcessWithMany = agent({
    envWorker: 'v',
    supervisors: [supervisor({ agentEnv: { STOPGATE_WORKER: 'w' } })],
  });
  const unseen = agent({ envWorker: 'w', supervisors: [supervisor({ agentEnv: null })] });

  it.each([
    ['its supervisor', agent(), 'w', row({}), true],
    ['another process', agent(), 'w', row({ pid: 11 }), false],
    ['its name, in a process of many workers', ofProcessWithMany, 'w', row({}), true],
    ['another worker of its process', ofProcessWithMany, 'v', row({}), false],
    ['another worker of its process, whose start cannot be seen', unseen, 'v', row({}), false],
    ['another process that has the number now', agent(), 'w', row({ pidStart: '6' }), false],
    ['another machine', agent(), 'w', row({ host: 'elsewhere' }), false],
    ['a name that it only claims to have', agent({ envWorker: 'w' }), 'w', row({ pid: 11 }), false],
    ['a name, where no ancestry is known', agent({ envWorker: 'w', supervisors: [] }), 'w', undefined, true],
    [
      'a claim of no worker, in a launch without ancestry',
      agent({ supervisors: [], ancestors: [] }),
      'm',
      row({ kind: 'manual' }),
      true,
    ],
    [
      'a worker’s, in a launch without ancestry',
      agent({ supervisors: [], ancestors: [] }),
      'w',
      row({ kind: 'default' }),
      false,
    ],
    ['another name', agent({ envWorker: 'w', supervisors: [] }), 'v', undefined, false],
  ])('compares a claim with %s', (_what, who, name, found, expected) => {
    expect(decideOwnWorker(who, name, found)).toBe(expected);
  });
});

describe('an agent that a person started by hand', () => {
  const facts = { env: { CLAUDECODE: '1' }, ancestors: [], supervisors: [] };
  it('counts by its variable where only people are allowed', () => {
    expect(decideStanding({ ...facts, hosts: true })).toMatchObject({ how: 'its environment has CLAUDECODE' });
    expect(decideStanding(facts)).toEqual({ type: 'person' });
  });
});
