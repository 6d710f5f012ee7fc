import { evidenceOf } from '../session/evidence/evidenceOf.ts';
import { askStop, beginSession } from '../stop/ask.ts';
import { readDefinition } from '../stop/checks/readConfig.ts';
import type { GateEnding } from '../stop/ending.ts';
import type { Payload } from '../stop/payload.ts';
import type { StopWorld } from '../stop/world.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';
import { whyHomeUnsafe } from '../system/stopgateHome.ts';
import type { GateSession } from './gateSession.ts';
import type { StopRequest, ToolCall } from './types.ts';
import type { Answered } from './verdict.ts';

// What a gate loads after it was created.

/** Checks with `"baseline": "session"` run now, and what fails after this time is not accepted. */
const BEGIN_MS = 5 * 60_000;
/** Each check has a timeout of its own; no host waits for this one. */
const ASK_MS = 24 * 3_600_000;

/** Freezes the definition of done; returns notes for people. */
export async function beginGate({ sessionId, cwd, world }: GateSession): Promise<readonly string[]> {
  const unsafe = whyHomeUnsafe(world.env);
  if (unsafe !== null) throw new Error(unsafe);
  await requireValid(world);
  await using processes = spawnProcesses({ env: world.env, clock: world.clock });
  const payload = { session_id: sessionId, cwd, hook_event_name: 'SessionStart', source: 'startup' };
  return await beginSession(payload, { ...world, processes, deadlineAt: world.clock.now() + BEGIN_MS });
}

/** What the program itself gives must be right; a file of the folder that is not is an ending. */
async function requireValid({ definition }: GateSession['world']): Promise<void> {
  if (definition === undefined) return;
  const read = await readDefinition(definition.file, definition);
  if (read.type !== 'broken') return;
  const [, problem = read.message] =
    /^[^\n]*?createGate\(\):[\d:]+ (.*); no check was run\.$/s.exec(read.message) ?? [];
  throw new TypeError(`createGate: ${problem.replace(/\.$/, '')}.`);
}

export interface GateState {
  readonly attempts: number;
  readonly calls: readonly ToolCall[];
  readonly tokensOver: boolean;
}

/** "May it stop?", as a host's hook asks it. */
export async function askGate(
  { sessionId, cwd, world }: GateSession,
  stop: StopRequest,
  state: GateState,
): Promise<Answered> {
  let ending: GateEnding | null = null;
  const asked: StopWorld = {
    ...world,
    onEnding: (one) => {
      ending = one;
    },
    tokensOver: state.tokensOver,
    deadlineAt: world.clock.now() + ASK_MS,
    signal: stop.signal ?? new AbortController().signal,
  };
  const payload: Payload = {
    ...stop.event,
    ...{ session_id: sessionId, cwd, hook_event_name: 'Stop', stop_hook_active: state.attempts > 0 },
    ...(stop.answer !== undefined && { last_assistant_message: stop.answer }),
    ...(stop.background && { background_tasks: stop.background }),
    ...(stop.endedBy !== undefined && { stop_reason: stop.endedBy }),
    ...(state.calls.length > 0 && { evidence: evidenceOfCalls(state.calls) }),
  };
  const answer = await askStop(payload, asked);
  if (answer.type === 'block') await answer.delivered?.();
  return { answer, ending: ending ?? answer.ending ?? null };
}

/** As a transcript would have them. The exit code of a command is unknown, unless the loop knows that it did not fail. */
function evidenceOfCalls(calls: readonly ToolCall[]) {
  const lines = calls.flatMap(({ name, input, failed = name === 'Bash' }, index) => {
    const id = String(index);
    return [
      { type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: failed }] } },
    ];
  });
  return evidenceOf(lines);
}
