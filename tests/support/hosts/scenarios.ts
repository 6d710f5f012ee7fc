import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentNamed } from '../../../src/hosts/all.ts';
import type { TestProject } from '../project.ts';
import { taskStore } from '../taskStore.ts';
import type { DrivenHost, DriveWish } from './driveHost.ts';
import { driverOf } from './drivers/all.ts';
import type { HostReply } from './hostDriver.ts';
import type { HostName } from './hostPackages.ts';
import { drive, filesBelow, type HostCase, hostProject, initHost, toldModel } from './hostProject.ts';
import type { HostRequest } from './model/hostModel.ts';

/*
 * What every agent's real program is shown to do or not to do, with our hooks in it: each scenario returns facts, and the test
 * of a host asserts them. None waits for time to pass.
 */

export type { HostCase };

const REFUSED = /the checks will run again|No file has changed since your last stop/;

const refusalsIn = ({ turns }: DrivenHost): number =>
  turns.filter((turn) => turn.some(({ role, text }) => role !== 'assistant' && REFUSED.test(text))).length;

export interface StopFacts {
  readonly refusals: number;
  /** Requests to the model, side requests aside. */
  readonly requests: number;
  readonly passes: boolean;
  readonly run: DrivenHost;
}

const stopFacts = (run: DrivenHost, done: string): StopFacts => ({
  refusals: refusalsIn(run),
  requests: run.turns.length,
  passes: existsSync(done),
  run,
});

const TWO_STOPS: readonly HostReply[] = [
  { shell: 'echo 1 > work.txt' },
  { text: 'I am done.' },
  { shell: 'echo 2 > done.txt' },
  { text: 'Now it is done.' },
];

/** Stops twice: something else done, done. `init` is all that was set up, also for these other hosts. */
export async function refusedStop(host: HostCase, others: readonly HostName[] = []): Promise<StopFacts> {
  await using project = await hostProject(host);
  for (const name of [...others, host.name]) await initHost({ ...host, name }, project);
  return stopFacts(await drive(host, project, { script: TWO_STOPS }), path.join(project.dir, 'done.txt'));
}

/** The same under `stopgate launch`, in a folder with hooks of `init`. */
export async function launchedStop(host: HostCase, script: DriveWish['script'] = TWO_STOPS): Promise<StopFacts> {
  await using project = await hostProject(host);
  patientGate(project);
  await initHost(host, project);
  const { allowed = [] } = driverOf(host.name);
  const stopgate = ['launch', '--agent', host.name, '--time-budget', '20m', '--', 'Please do it', ...allowed];
  return stopFacts(await drive(host, project, { script, stopgate }), path.join(project.dir, 'done.txt'));
}

/** Changes nothing after its first refusal: the gate gives up. */
export async function stalledStop(host: HostCase): Promise<StopFacts> {
  await using project = await hostProject(host);
  await initHost(host, project);
  const script = (n: number): HostReply => (n === 0 ? { shell: 'echo 1 > work.txt' } : { text: `Answer ${n}.` });
  return stopFacts(await drive(host, project, { script }), path.join(project.dir, 'done.txt'));
}

/** One that gives up after more stops than an agent makes here. */
function patientGate(project: TestProject): void {
  const checks = [{ name: 'done-file', command: 'ls done.txt' }];
  project.write('stopgate.config.json', JSON.stringify({ checks, stallAfter: 50 }));
}

/** Refused as often as the agent asks, without a tool call between, up to 10 times. */
export async function manyRefusals(host: HostCase): Promise<StopFacts> {
  await using project = await hostProject(host);
  patientGate(project);
  await initHost(host, project);
  return stopFacts(await drive(host, project, { script: tenStops }), path.join(project.dir, 'done.txt'));
}

/** Stops ten times with nothing done; its answers differ, because an agent may take equal ones for a loop. */
export function tenStops(n: number): HostReply {
  if (n === 0) return { shell: 'echo 1 > work.txt' };
  if (n === 11) return { shell: 'echo 1 > done.txt' };
  return answerNumber(n);
}

const answerNumber = (n: number): HostReply => ({ text: `${'abcdefghijklm'[n]} ${n * 7919} is what I have to say.` });

export interface ResumedFacts {
  /** Whether the second run saw both prompts and the first answer. */
  readonly resumed: boolean;
  /** Whether both runs named the same session. */
  readonly isSame: boolean;
  /** Whether the file was written in spite of the deadline. */
  readonly written: boolean;
  readonly toldWhy: boolean;
  /** Whether a commit still ran. */
  readonly committed: boolean;
  readonly run: DrivenHost;
}

/** What `guardedGate` left: a session to continue. */
interface Ended {
  readonly project: TestProject;
  readonly words: Awaited<ReturnType<typeof wordsOf>>;
  readonly first: DrivenHost;
}

/**
 * Continues a session, by the words of `launch` where it continues sessions itself. It is near its deadline then, and tries an
 * edit and a commit.
 */
async function resumedLate(host: HostCase, { project, words, first }: Ended): Promise<ResumedFacts> {
  const run = await drive(host, project, {
    script: [
      { write: { file: 'late.txt', text: 'late\n' } },
      { shell: 'git add -A && git commit -q -m landed' },
      { text: 'Second answer.' },
    ],
    words: words.second(first),
    env: { STOPGATE_BUDGET_END: String(Math.floor(Date.now() / 1000) + 100) },
  });
  const seen = run.turns[0]?.map(({ text }) => text).join('\n') ?? '';
  const [before, after] = [words.sessionOf(first), words.sessionOf(run)];
  const log = execFileSync('git', ['log', '--format=%s'], { cwd: project.dir, encoding: 'utf8' });
  return {
    resumed: /First prompt.*Now it is done\..*Second prompt/s.test(seen),
    isSame: before !== undefined && before === after,
    written: existsSync(path.join(project.dir, 'late.txt')),
    toldWhy: toldModel(run).includes('of the time budget is left'),
    committed: log.startsWith('landed\n'),
    run,
  };
}

async function wordsOf({ name }: HostCase, home: string) {
  const driver = driverOf(name);
  const { continueWords, command } = await agentNamed(name).load();
  const [one, two] = ['First prompt', 'Second prompt'] as const;
  if (continueWords === undefined)
    return {
      first: driver.args({ prompt: one, trusted: true }),
      second: ({ sessionId }: DrivenHost) => driver.args({ prompt: two, resume: sessionId, trusted: true }),
      sessionOf: ({ sessionId }: DrivenHost) => sessionId,
    };
  const own = [one, ...(driver.allowed ?? [])];
  const argsOf = (words: readonly string[]) => command({ agent: name, words, env: { HOME: home } });
  const { args, sessionIn } = argsOf(own);
  const sessionOf = ({ stdout }: DrivenHost) => stdout.split('\n').flatMap((line) => sessionIn?.(line) ?? [])[0];
  const second = (run: DrivenHost) => argsOf(continueWords(sessionOf(run) ?? 'none', two, own)).args;
  return { first: args, second, sessionOf };
}

export interface ClockFacts {
  /** The output tokens in the report of the launch; null when it names none. */
  readonly tokens: number | null;
  /** The lines about the time left that the model got, one for each of its two tool calls. */
  readonly told: readonly string[];
  readonly run: DrivenHost;
}

/** With a limit every agent's spending is read. */
const LIMIT = ['--token-budget', '100000', '--no-checks'];

/** Two tool calls, the second of which fails, under `stopgate launch --time-budget 20m`. */
export async function countdown(host: HostCase): Promise<ClockFacts> {
  await using project = await hostProject(host);
  const { allowed = [], failing } = driverOf(host.name);
  const run = await drive(host, project, {
    script: [{ shell: 'echo one' }, failing ? { tools: [failing] } : { shell: 'exit 3' }, { text: 'All done.' }],
    stopgate: ['launch', '--agent', host.name, '--time-budget', '20m', ...LIMIT, '--', 'Please do it', ...allowed],
  });
  const [, tokens] = /spent +(?:about )?(\d+) output tokens/.exec(run.stderr) ?? [];
  const told = toldModel(run).match(/BUDGET: (?:20m00s|19m\d\ds) remaining/g) ?? [];
  return { told, tokens: tokens === undefined ? null : Number(tokens), run };
}

export interface GuardFacts extends StopFacts {
  /** The number of files that were tried. */
  readonly guarded: number;
  /** The files that an agent changed although they decide when it may stop. */
  readonly changed: readonly string[];
  /** The number of calls of which the model was told that they are denied. */
  readonly denials: number;
  /** The names of the variables that a command of the agent's shell tool has. */
  readonly variables: readonly string[];
  /** Of a second run in the same session. */
  readonly late: ResumedFacts | undefined;
}

/**
 * Edits the definition of done with its tool for that, and its own hooks with its shell; then works, stops so often in a row, and
 * does what is wanted. In one run, and the second continues it: starting some of these programs takes seconds of a processor.
 */
export async function guardedGate(
  host: HostCase,
  { inRow, resumes }: { readonly inRow: number; readonly resumes: boolean },
): Promise<GuardFacts> {
  await using project = await hostProject(host);
  patientGate(project);
  const files = await initHost(host, project);
  const config = path.join(project.dir, 'stopgate.config.json');
  const own = files.filter((file) => file !== config);
  const guarded = [config, ...own];
  const before = guarded.map((file) => readFileSync(file, 'utf8'));
  const words = await wordsOf(host, project.home);
  const run = await drive(host, project, {
    words: words.first,
    script: [
      { write: { file: 'stopgate.config.json', text: '{"checks":[]}\n' } },
      ...own.map((file) => ({ shell: `echo '{}' > '${file}'` })),
      { shell: 'env > env.txt' },
      ...Array.from({ length: inRow }, (_, n) => answerNumber(n)),
      { shell: 'echo 2 > done.txt' },
      { text: 'Now it is done.' },
    ],
  });
  const isChanged = (file: string, at: number) => {
    const text = readFileSync(file, 'utf8');
    return text !== before[at] && !isOwnNote(host, file, text);
  };
  const env = existsSync(path.join(project.dir, 'env.txt')) ? project.read('env.txt') : '';
  const changed = guarded.filter(isChanged);
  return {
    guarded: guarded.length,
    changed,
    late: resumes ? await resumedLate(host, { project, words, first: run }) : undefined,
    denials: toldModel(run).match(/decides when this agent may stop/g)?.length ?? 0,
    variables: env.split('\n').map((line) => line.split('=')[0] ?? ''),
    ...stopFacts(run, path.join(project.dir, 'done.txt')),
  };
}

/** The agent itself notes in this file that it trusts the folder, or which version of settings it has. */
const isOwnNote = ({ name }: HostCase, file: string, text: string) =>
  (name === 'codex' && file.endsWith('config.toml') && text.includes('\n# stopgate\n')) ||
  (name === 'qwen' && /"hooks":.*# stopgate.*"\$version": \d/s.test(text));

interface RemovalFacts {
  /** All files of the home and the project, before `init` and after `remove`. */
  readonly before: object;
  readonly after: object;
  /** Whether `init` changed anything. */
  readonly wired: boolean;
}

/** `init` and `remove` around settings of a person, as odd as given. */
export async function removal(host: HostCase, settings: Readonly<Record<string, string>> = {}) {
  await using project = await hostProject(host);
  for (const [file, text] of Object.entries(settings)) {
    const place = file.startsWith('~/') ? path.join(project.home, file.slice(2)) : path.join(project.dir, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  const all = () => ({ home: filesBelow(project.home), project: filesBelow(project.dir) });
  const before = all();
  await initHost(host, project);
  const between = all();
  const removed = await project.run(['remove', '--host', host.name, '--all']);
  if (removed.code !== 0) throw new Error(removed.stderr);
  const facts: RemovalFacts = { before, after: all(), wired: JSON.stringify(between) !== JSON.stringify(before) };
  return facts;
}

export interface WorkerFacts {
  /** The states of the tasks, in their order. */
  readonly states: readonly string[];
  /** The states of the last task's attempts. */
  readonly attempts: readonly string[];
  readonly starts: number;
  /** Accounts that are paused, with why. */
  readonly paused: readonly string[];
  readonly run: DrivenHost;
}

/** One worker: each task after the first arrives at the stop after the one before. Then its provider refuses the account. */
export async function secondTask(host: HostCase, tasks: number, error?: HostReply['error']): Promise<WorkerFacts> {
  await using project = await hostProject(host);
  await using store = await taskStore(project);
  project.write('done.txt', 'there\n');
  const ids = await store.add(...Array.from({ length: error ? tasks + 1 : tasks }, (_, n) => `task ${n}`));
  const { allowed = [] } = driverOf(host.name);
  const options = ['--agent', host.name, '--slot', 'w', '--idle-timeout', '1s'];
  const refused = ids[tasks];
  const isRefused = ({ messages }: HostRequest) => refused !== undefined && toldTask(messages)?.[1] === refused;
  const run = await drive(host, project, {
    script: (_n, request) => (error && isRefused(request) ? { error } : settled(request)),
    stopgate: ['worker', 'run', ...options, '--', ...allowed],
  });
  const shown = await Promise.all(ids.map((id) => store.show(id)));
  return {
    states: shown.map(({ task }) => task.state),
    attempts: shown.at(-1)?.attempts.map(({ state }) => state) ?? [],
    starts: run.starts,
    paused: (await store.accounts()).flatMap(({ pausedUntil, source }) => (pausedUntil === null ? [] : [source ?? ''])),
    run,
  };
}

const toldTask = (messages: HostRequest['messages']) =>
  messages.flatMap(({ text }) => [...text.matchAll(/Task (\S+), attempt \d+, epoch (\d+)/g)]).at(-1);

/** Settles the last task that it was told of, then stops. */
function settled({ messages }: HostRequest): HostReply {
  const told = toldTask(messages);
  if (!told) return { text: 'There is no task.' };
  const [, id, epoch] = told;
  const isDone = messages.some(({ role, text }) => role === 'call' && text.includes(`task complete ${id}`));
  return isDone
    ? { text: `Task ${id} is done.` }
    : { shell: `stopgate task complete ${id} --epoch ${epoch} --result x` };
}
