import type { HookVerdict } from '../../hooks/types.ts';
import type { ToolUseBlock } from '../../models/types.ts';
import { systemReminder } from '../../session/makeMessages.ts';
import type { AssistantMessage, UserMessage } from '../../session/messages.ts';
import { ownValue } from '../../system/ownValue.ts';
import type { Emitting, QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import type { Terminal } from '../terminal.ts';
import type { Turn } from '../turn.ts';
import { runToolCall } from './runToolCall.ts';
import { batchOrder, type PreparedCall, sideBySide } from './toolBatches.ts';
import { refusedEnd, type ToolCallEnd } from './toolCallEnd.ts';

/** The outcome of one answer's calls, in call order. */
export interface ToolRound {
  /** One result for every call, whatever happened: a history with an unpaired call is refused. */
  readonly results: UserMessage[];
  readonly ends: ToolCallEnd[];
}

type RunningBatch = AsyncGenerator<QueryEvent, ToolCallEnd | ToolCallEnd[]>;

/** Runs calls that may run in parallel, and emits their events as they happen. None starts when the round is over. */
export function runBatch(
  turn: Turn,
  state: State,
  round: ToolRound,
  batch: readonly PreparedCall[],
): RunningBatch | ToolCallEnd[] {
  const over = endOfRound(turn, round);
  if (over && over.reason !== 'tool_deferred') return batch.map(({ call }) => notRun(turn, call));
  // by far the usual case
  if (batch.length === 1 && batch[0]) return runToolCall(turn, state, batch[0]);
  const calls = batch.map(async function* (prepared): AsyncGenerator<QueryEvent, ToolCallEnd> {
    // a call that had to wait for others may find its turn over
    return turn.signal.aborted ? notRun(turn, prepared.call) : yield* runToolCall(turn, state, prepared);
  });
  return sideBySide(calls, batchOrder(batch, turn.config));
}

/** Adds the ends of a batch to its round, and returns the results that the model gets. */
export function addEnds(turn: Turn, round: ToolRound, ends: readonly ToolCallEnd[]): UserMessage[] {
  round.ends.push(...ends);
  const results = ends
    .filter(({ deferred }) => !deferred)
    .map(({ result, output }) => turn.record(turn.make.toolResult(result, output)));
  round.results.push(...results);
  return results;
}

/** The result of a call that was not run because the round is over. */
function notRun(turn: Turn, call: ToolUseBlock): ToolCallEnd {
  const content = turn.signal.aborted ? 'Not run: interrupted by the user.' : 'Not run: a hook ended the turn.';
  return { ...refusedEnd(call, content), output: undefined };
}

/** How the calls of a round end the turn, before PostToolBatch hooks run; undefined when they do not. */
export function endOfRound(turn: Turn, { ends }: ToolRound): Terminal | undefined {
  if (turn.signal.aborted) return { reason: 'aborted_tools' };
  const interrupting = ends.find(({ interrupts }) => interrupts);
  if (interrupting) return { reason: 'aborted_tools', denial: String(interrupting.result.content) };
  const prevented = ends.find((callEnd) => callEnd.prevented !== null)?.prevented;
  if (prevented !== undefined && prevented !== null) return { reason: 'hook_stopped', stopReason: prevented };
  const deferred = ends.find((callEnd) => callEnd.deferred)?.call;
  return deferred && { reason: 'tool_deferred', call: { id: deferred.id, name: deferred.name, input: deferred.input } };
}

/** Runs the PostToolBatch hooks, once per round. */
export function runBatchHooks(turn: Turn, { toolUseContext: context }: State, round: ToolRound): Emitting<HookVerdict> {
  const input = () => ({
    tool_calls: round.ends.map(({ call, result }) => ({
      tool_name: call.name,
      tool_input: call.input,
      tool_use_id: call.id,
      tool_response: result.content,
    })),
  });
  return runHooks(turn, { event: 'PostToolBatch', context, input });
}

/** What hooks added to the calls, and what else the model must read after the round: one hidden message. */
export function contextMessage(
  turn: Turn,
  round: ToolRound,
  { contexts: ofBatch, reminders }: { readonly contexts: readonly string[]; readonly reminders: readonly string[] },
): UserMessage | undefined {
  // most rounds add nothing
  const isPlain = isEmpty(ofBatch) && isEmpty(reminders);
  if (isPlain && round.ends.every(({ contexts, around }) => isEmpty(contexts) && !around)) return undefined;
  const around = round.ends.flatMap((end) => end.around ?? []).map((text) => [text]);
  const ofHooks = [...round.ends.flatMap(({ contexts }) => contexts), ...ofBatch];
  const texts = [ofHooks, ...around, reminders].filter((list) => list.length > 0);
  const blocks = texts.map((list) => ({ type: 'text', text: systemReminder(list.join('\n')) }) as const);
  return turn.make.user(blocks, { isMeta: true });
}

const isEmpty = (list: readonly string[]) => list.length === 0;

const VERBS: Readonly<Record<string, readonly [verb: string, one: string, many: string]>> = {
  Bash: ['ran', 'command', 'commands'],
  Read: ['read', 'file', 'files'],
  Write: ['wrote', 'file', 'files'],
  Edit: ['made', 'edit', 'edits'],
  Glob: ['listed files', 'time', 'times'],
  Grep: ['searched', 'time', 'times'],
  Agent: ['ran', 'subagent', 'subagents'],
};

/** What a round of calls did, in a few words: `ran 2 commands, read 1 file`. Empty when none was started. */
export function toolUseSummary(ends: readonly SummedCall[]): string {
  const counts = new Map<string, number>();
  for (const { call, refused } of ends) if (!refused) counts.set(call.name, (counts.get(call.name) ?? 0) + 1);
  return [...counts].map(([name, count]) => phrase(name, count)).join(', ');
}

interface SummedCall extends Pick<ToolCallEnd, 'refused'> {
  readonly call: Pick<ToolUseBlock, 'name'>;
}

function phrase(name: string, count: number): string {
  const [verb, one, many] = ownValue(VERBS, name) ?? [`used ${name}`, 'time', 'times'];
  return `${verb} ${count} ${count === 1 ? one : many}`;
}

/** Measured: after this many rounds of tools without text, and again after as many. */
const SILENT_ROUNDS = 5;

const REMINDER =
  "The user hasn't heard from you in a while. As you continue, keep them updated when there's something to tell — a finding, a change of plan.";

/** Counts rounds whose answer had no text, of which the model is reminded at times. No person waits to hear from a subagent. */
export function countSilence(
  { silentRounds, toolUseContext }: Pick<State, 'silentRounds' | 'toolUseContext'>,
  { message }: AssistantMessage,
) {
  if (toolUseContext.agentId !== undefined) return { silentRounds: 0, reminders: [] };
  const speaks = message.content.some((block) => block.type === 'text' && block.text.trim() !== '');
  const rounds = speaks ? 0 : silentRounds + 1;
  return rounds < SILENT_ROUNDS ? { silentRounds: rounds, reminders: [] } : { silentRounds: 0, reminders: [REMINDER] };
}
