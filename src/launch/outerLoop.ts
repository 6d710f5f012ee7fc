import type { AgentCommand } from '../hosts/host.ts';
import type { GateDecision } from '../schemas/ledger.ts';
import { askStop, beginSession } from '../stop/ask.ts';
import { demandOf } from '../stop/checks/demand.ts';
import { hookClock, hookNow } from '../stop/clock.ts';
import { landingStage } from '../stop/landing/decideLanding.ts';
import { readDecisions } from '../stop/readLedger.ts';
import { workerIdentity } from '../stop/worker/workerIdentity.ts';
import type { StopWorld } from '../stop/world.ts';
import { wallNow } from '../system/clock.ts';
import { MARKS } from '../system/marks.ts';
import type { World } from '../system/world.ts';

/*
 * Some hosts end although their stop was vetoed (a cap of their own), or never ask. Then the process that started the agent asks
 * the same gates, and starts the agent again in its own session, with their answer as the prompt.
 */

export interface OuterLoopFacts {
  readonly command: AgentCommand;
  /** The agent's environment: its marks name the launch or the worker. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly world: World;
  /** The name in the ledger of an agent that has no session of its own there. */
  readonly session: string;
  readonly trusted: boolean;
  readonly requireProof: boolean;
  /** When the answer must be there. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

export interface OuterLoop {
  /** Before the agent starts: freezes what decides about its stops. Returns notes for people. */
  begin(): Promise<readonly string[]>;
  /** Called with what the agent prints. */
  push(chunk: string): void;
  /** After it ended by itself: the words that continue it, or null when it may end. */
  again(words: readonly string[]): Promise<Again | null>;
}

export interface Again {
  /** Null when it may not stop, but has no time left in which it could work. */
  readonly words: readonly string[] | null;
  readonly notes: readonly string[];
}

/** Null for a host whose stops are decided by its hooks alone. */
export function outerLoop(facts: OuterLoopFacts): OuterLoop | null {
  const { command, world } = facts;
  const { continueWords, neverAsks = false } = command.agent;
  if (continueWords === undefined) return null;
  const startedAt = wallNow(world.clock);
  const printed = sessionPrinted(command);
  return {
    begin: async () => (neverAsks ? beginSession({ ...payloadOf(facts), source: 'startup' }, stopWorld(facts)) : []),
    push: printed.push,
    again: async (words) => {
      const session = neverAsks ? facts.session : lastVetoed(decisionsOf(facts, startedAt));
      if (session === null) return null;
      const answer = await askStop(payloadOf({ ...facts, session }), stopWorld(facts));
      if (answer.type !== 'block') return null;
      if (!hasTimeToWork(facts.env, hookNow(facts.env, world.clock)))
        return { words: null, notes: [...answer.notes, NO_TIME] };
      await answer.delivered?.();
      return { words: continueWords(printed.session(), answer.reason, words), notes: answer.notes };
    },
  };
}

const NO_TIME =
  'It ended although it may not stop, and is not started again: in the last stretch of its time it could not edit anything.';

/** In the last stretch only commits, tests and reads run: a new process would spend tokens and could repair nothing. */
export function hasTimeToWork(env: OuterLoopFacts['env'], nowMs: number): boolean {
  const clock = hookClock(env, nowMs);
  return clock === null || landingStage(clock) === 'flying';
}

/** The session whose last stop was vetoed; null when the host was not asked, or the stop was accepted. */
export function lastVetoed(decisions: readonly GateDecision[]): string | null {
  const [first] = decisions;
  const last = decisions.findLast(({ type, session }) => type === 'stop' && session === first?.session);
  return last?.ending?.type === 'blocked' ? last.session : null;
}

function decisionsOf({ env, world }: OuterLoopFacts, since: number): readonly GateDecision[] {
  const launch = env[MARKS.launch];
  const worker = workerIdentity(env)?.workerId;
  if (launch === undefined && worker === undefined) return [];
  const query = { since, ...(worker === undefined ? { launch: launch ?? '' } : { worker }) };
  return readDecisions(world.stopgateHome, query).filter(({ at }) => Date.parse(at) >= since);
}

const payloadOf = ({ session, folder }: Pick<OuterLoopFacts, 'session' | 'folder'>) => ({
  hook_event_name: 'Stop',
  session_id: session,
  cwd: folder,
});

function stopWorld(facts: OuterLoopFacts): StopWorld {
  const { command, env, folder, world, trusted, requireProof, deadlineAt, signal } = facts;
  const worker = workerIdentity(env) !== null;
  const demand = async () => demandOf({ requireProof, launched: true, worker, headless: true, mayEdit: null });
  return {
    env: { ...env, CLAUDE_PROJECT_DIR: folder },
    stopgateHome: world.stopgateHome,
    clock: world.clock,
    processes: world.processes,
    asker: { name: command.name, demand },
    hostPid: null,
    ...(trusted && { trusted }),
    deadlineAt,
    signal,
  };
}

/** The session that the output names, as it arrives. */
function sessionPrinted({ sessionIn }: AgentCommand) {
  let [line, session] = ['', null as string | null];
  return {
    push: (chunk: string) => {
      if (sessionIn === undefined) return;
      const lines = (line + chunk).split('\n');
      line = (lines.pop() ?? '').slice(-LONGEST_LINE);
      for (const one of lines) session = sessionIn(one) ?? session;
    },
    session: () => session,
  };
}

/** A session is named in a short line. */
const LONGEST_LINE = 64 * 1024;
