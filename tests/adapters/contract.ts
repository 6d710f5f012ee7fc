import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AdapterOptions } from '../../src/adapters/askVerdict.ts';
import { createGate } from '../../src/gate/createGate.ts';
import type { Gate, GateOptions, Verdict } from '../../src/gate/types.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { IS_LONG } from '../support/testSize.ts';

/** What the scripted model does: work, then words or a call of the tool `look`. */
export interface Reply {
  readonly work?: () => void;
  readonly text?: string;
  readonly tool?: 'look';
}

/** A message that the model was sent. */
export interface Sent {
  readonly role: 'user' | 'assistant' | 'other';
  readonly text: string;
}

export interface LoopRun {
  readonly gate: Gate;
  readonly replies: readonly Reply[];
  readonly adapter?: AdapterOptions;
  readonly signal?: AbortSignal;
  readonly stream?: boolean;
}

interface LoopResult {
  /** Of each request, all messages. */
  readonly requests: readonly (readonly Sent[])[];
  readonly answer: string;
  /** With `stream`: the text in the order in which it came. */
  readonly streamed: string;
}

export interface Loop {
  readonly run: (run: LoopRun) => Promise<LoopResult>;
  /** What a caller gets to see when the gate has `onFailure: 'throw'`. Default: the run rejects. */
  readonly failure?: (run: LoopRun) => Promise<unknown>;
  /** Its result after an abort: `rejects` or `resolves`. */
  readonly abort: 'rejects' | 'resolves';
}

/** The replies in order, the last one again and again. */
export function script(replies: readonly Reply[]): () => Reply {
  let at = 0;
  return () => {
    const reply = replies[Math.min(at++, replies.length - 1)] ?? { text: '' };
    reply.work?.();
    return reply;
  };
}

export async function project() {
  const folder = await tempFolder();
  const cwd = path.join(folder.path, 'project');
  mkdirSync(cwd);
  execFileSync('git', ['init', '-q'], { cwd });
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'start'], {
    cwd,
  });
  const verdicts: Verdict[] = [];
  const gates: Gate[] = [];
  const env = { PATH: process.env.PATH, HOME: folder.path };
  const checks = [{ name: 'done', command: 'grep -q yes answer.txt || { echo answer is $(cat answer.txt); exit 1; }' }];
  return {
    cwd,
    verdicts,
    warnings: [] as string[],
    adapter: { onVerdict: (verdict: Verdict) => void verdicts.push(verdict) },
    gate: (options: Partial<GateOptions> = {}) => {
      const gate = createGate({ cwd, checks, stopgateHome: path.join(folder.path, 'home'), env, ...options });
      gates.push(gate);
      return gate;
    },
    answers: (word: string, text = word): Reply => ({
      work: () => writeFileSync(path.join(cwd, 'answer.txt'), word),
      text,
    }),
    [Symbol.asyncDispose]: async () => {
      // what a gate freezes is written there, also when it was never asked
      await Promise.allSettled(gates.map((gate) => gate.begin()));
      await folder[Symbol.asyncDispose]();
    },
  };
}

const ending = (verdict: Verdict | undefined) => (verdict?.type === 'stop' ? verdict.ending.type : verdict?.type);

/** A gate that cannot answer. */
export function broken(gate: Gate): Gate {
  const boom = () => Promise.reject(new Error('boom'));
  return {
    sessionId: gate.sessionId,
    cwd: gate.cwd,
    begin: () => gate.begin(),
    mayStop: boom,
    verdict: null,
    noVerdict: (error) => gate.noVerdict(error),
    timeLeft: () => null,
    tokensLeft: () => null,
    countdown: () => null,
    mayRun: (call) => gate.mayRun(call),
  };
}

/**
 * How much of the contract every run shows. `decisive`: without the endings, which are the gate's in every adapter. `held`: for another
 * way into the same adapter, that it is held until the check passes. `npm run test:long` has the rest, for another way too: how a run
 * ends, aborts and fails.
 */
type Everyday = 'full' | 'decisive' | 'held';

/**
 * What every adapter promises, in the framework itself. `brief`: for another way into the same adapter. `alwaysStreams`: a run
 * that does not is the same.
 */
export function describeLoop(
  name: string,
  isMissing: boolean,
  loop: () => Loop,
  {
    brief = false,
    alwaysStreams = false,
    everyday = 'full',
  }: { readonly brief?: boolean; readonly alwaysStreams?: boolean; readonly everyday?: Everyday } = {},
): void {
  describe.skipIf(isMissing)(name, () => {
    const isHeldOnly = !IS_LONG && everyday === 'held';
    for (const stream of alwaysStreams || isHeldOnly ? [true] : [false, true]) {
      it(`sends two answers back and accepts the third${stream ? ', streaming' : ''}`, async () => {
        await using at = await project();
        const replies: Reply[] = [{ tool: 'look' }, at.answers('no'), at.answers('maybe'), at.answers('yes')];
        const result = await loop().run({ gate: at.gate(), replies, adapter: at.adapter, stream });
        expect(at.verdicts.map(ending)).toEqual(['goOn', 'goOn', 'passed']);
        expect(at.verdicts.at(-1)).toMatchObject({ proven: true });
        expect(result.answer).toContain('yes');
        const words = result.requests.at(-1)?.filter(({ role }) => role !== 'other');
        expect(words?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
        const [, first, feedback, second, again] = words ?? [];
        expect([first?.text, second?.text]).toEqual(['no', 'maybe']);
        expect(feedback?.text).toContain('answer is no');
        expect(again?.text).toContain('answer is maybe');
        if (stream) expect(result.streamed).toMatch(/no.*maybe.*yes/s);
      });
    }

    if (isHeldOnly) return;

    it('freezes the definition before the first request', async () => {
      await using at = await project();
      const script = path.join(at.cwd, 'check.sh');
      writeFileSync(script, 'exit 1');
      const gate = at.gate({ checks: [{ name: 'own', command: 'sh check.sh' }], maxAttempts: 1 });
      const replies = [{ text: 'done', work: () => writeFileSync(script, 'exit 0') }];
      await loop().run({ gate, replies, adapter: at.adapter });
      expect(at.verdicts.map(ending)).toEqual(['goOn', 'capped']);
      expect(at.verdicts.at(-1)).toMatchObject({ proven: false });
    });

    it('an abort ends running checks and the run', async () => {
      await using at = await project();
      const abort = new AbortController();
      const started = path.join(at.cwd, 'started');
      const checks = [{ name: 'endless', command: `echo $$ > ${started}; sleep 1000` }];
      const gate = at.gate({ checks });
      const run = loop().run({ gate, replies: [at.answers('no')], adapter: at.adapter, signal: abort.signal });
      const outcome = run.then(
        () => 'resolves',
        () => 'rejects',
      );
      await expect.poll(() => existsSync(started) && readFileSync(started, 'utf8')).toMatch(/\d+\n/);
      abort.abort();
      expect(await outcome).toBe(loop().abort);
      // some loops reject at once, before the gate has answered
      await expect.poll(() => at.verdicts.map(ending)).toEqual(['skipped']);
      const pid = Number(readFileSync(started, 'utf8'));
      await expect.poll(() => isAlive(pid)).toBe(false);
    });

    it('a gate that fails with onFailure: throw fails the run', async () => {
      await using at = await project();
      const run = { gate: broken(at.gate({ onFailure: 'throw' })), replies: [at.answers('no')], adapter: at.adapter };
      const {
        failure = (failing: LoopRun) =>
          loop()
            .run(failing)
            .catch((error: unknown) => error),
      } = loop();
      expect(String(await failure(run))).toContain('boom');
      expect(at.verdicts).toEqual([]);
    });

    it('the model sees what is left of the time', async () => {
      await using at = await project();
      const gate = at.gate({ timeBudget: '20m' });
      const { requests } = await loop().run({
        gate,
        replies: [{ tool: 'look' }, at.answers('yes')],
        adapter: at.adapter,
      });
      expect(requests.at(-1)?.at(-1)).toMatchObject({ role: 'user', text: expect.stringMatching(/BUDGET: \d+m\d+s/) });
    });
    if (!brief && (IS_LONG || everyday === 'full')) describeEndings(loop);
  });
}

function describeEndings(loop: () => Loop): void {
  it('ends as stalled when nothing changes', async () => {
    await using at = await project();
    const replies = [at.answers('no')];
    await loop().run({ gate: at.gate({ stallAfter: 1 }), replies, adapter: at.adapter });
    expect(ending(at.verdicts.at(-1))).toBe('stalled');
    expect(at.verdicts.length).toBeLessThan(5);
  });

  it('ends as capped after its attempts', async () => {
    await using at = await project();
    let times = 0;
    const replies = [{ text: 'no', work: () => writeFileSync(path.join(at.cwd, 'answer.txt'), `no ${times++}`) }];
    await loop().run({ gate: at.gate({ maxAttempts: 2 }), replies, adapter: at.adapter });
    expect(at.verdicts.map(ending)).toEqual(['goOn', 'goOn', 'capped']);
  });

  it.each([
    ['goOn', ['goOn', 'goOn', 'goOn', 'error']],
    ['stop', ['error']],
  ] as const)('a gate that fails answers as onFailure says: %s', async (onFailure, endings) => {
    await using at = await project();
    await loop().run({ gate: broken(at.gate({ onFailure })), replies: [at.answers('no')], adapter: at.adapter });
    expect(at.verdicts.map(ending)).toEqual(endings);
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
