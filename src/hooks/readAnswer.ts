import { HOOK_OUTPUT_FIELDS, type SyncHookJSONOutput, SyncHookJSONOutputSchema } from '../schemas/hookOutputs.ts';
import { jsonValue } from '../schemas/jsonValue.ts';
import type { EventRow } from './events/eventRow.ts';
import { failed, type HookBlock, type HookOutcome, type HookPrinted, type HookReply } from './outcome.ts';

const NO_REASON = 'Blocked by hook';

type Facts = Pick<EventRow, 'name' | 'permissions'>;

/** What standard output turned out to be. */
export type ReadOutput =
  | { readonly type: 'nothing' }
  | { readonly type: 'plain'; readonly text: string }
  | { readonly type: 'answer'; readonly answer: SyncHookJSONOutput }
  | { readonly type: 'invalid'; readonly message: string };

/** Reads a command's output: exit 2 blocks, other codes count only where nothing valid was printed. */
export function readAnswer(printed: HookPrinted, row: Facts): HookOutcome {
  const read = readOutput(printed.stdout, row);
  const code = printed.exitCode ?? 0;
  if (code === 2) return { type: 'said', reply: blockedByExit(read, printed, row), printed };
  if (read.type === 'answer') return { type: 'said', reply: replyOf(read.answer, row), printed };
  if (read.type === 'invalid') return failed('answer', read.message, printed);
  if (code !== 0) return failed('answer', failedWith(code, printed.stderr), printed);
  const plain = read.type === 'plain' ? { plain: read.text } : {};
  return { type: 'said', reply: { ...plain, specific: {} }, printed };
}

/** Text is an answer when it starts with `{` and ends with `}`; a byte-order mark and CRLF do not matter. */
export function readOutput(stdout: string, row: Facts): ReadOutput {
  const text = stdout.replace(/^\uFEFF/, '').trim();
  if (text === '') return { type: 'nothing' };
  if (!text.startsWith('{') || !text.endsWith('}')) return { type: 'plain', text };
  const value = jsonValue(text);
  if (value !== undefined) return checkAnswer(value, row);
  if (isJsonLog(text)) return { type: 'plain', text };
  return { type: 'invalid', message: 'it printed JSON that cannot be parsed' };
}

/** Checks a value that claims to be an answer to this event. */
export function checkAnswer(value: unknown, row: Facts): ReadOutput {
  const checked = SyncHookJSONOutputSchema.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const place = issue?.path.join('.') || 'the answer';
    return { type: 'invalid', message: `it printed an answer that is not valid: ${place}: ${issue?.message}` };
  }
  const answered = checked.data.hookSpecificOutput?.hookEventName;
  if (answered === undefined || answered === row.name) return { type: 'answer', answer: checked.data };
  const message = `it printed an answer for ${answered} (hookSpecificOutput.hookEventName) to ${row.name}`;
  return { type: 'invalid', message };
}

/** Several lines of JSON, none with a field of ours: a tool's log. With one, it is a broken answer. */
function isJsonLog(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const values = lines.map((line) => jsonValue(line));
  return lines.length > 1 && values.every((value) => value !== undefined && !hasOutputField(value));
}

function hasOutputField(value: unknown): boolean {
  return typeof value === 'object' && value !== null && HOOK_OUTPUT_FIELDS.some((field) => Object.hasOwn(value, field));
}

/** A valid answer in our own terms. */
export function replyOf(answer: SyncHookJSONOutput, row: Facts): HookReply {
  const { hookEventName: _, ...specific } = answer.hookSpecificOutput ?? { hookEventName: row.name };
  const { permissionDecision, permissionDecisionReason, additionalContext, updatedInput, ...rest } =
    specific as SpecificFields;
  const { updatedToolOutput, updatedMCPToolOutput, ...others } = rest;
  const output = updatedToolOutput ?? updatedMCPToolOutput;
  const decision = permissionDecision ?? (answer.decision === 'approve' && row.permissions.length > 0 ? 'allow' : null);
  const block = blockOf(answer, permissionDecision, permissionDecisionReason);
  const reason = permissionDecisionReason ?? answer.reason ?? '';
  return {
    ...(block && { block }),
    ...(answer.continue === false && { prevent: answer.stopReason ?? '' }),
    ...(additionalContext && { context: additionalContext }),
    ...(answer.systemMessage && { systemMessage: answer.systemMessage }),
    ...(decision && decision !== 'deny' && { permission: { decision, reason } }),
    ...(updatedInput && { updatedInput }),
    ...(output !== undefined && { updatedToolOutput: { value: output } }),
    specific: others,
  };
}

/** The fields that several variants of `hookSpecificOutput` share. */
interface SpecificFields extends Record<string, unknown> {
  readonly permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer';
  readonly permissionDecisionReason?: string;
  readonly additionalContext?: string;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}

function blockOf(answer: SyncHookJSONOutput, permission?: string, permissionReason?: string): HookBlock | undefined {
  if (permission === 'deny') return { by: 'decision', reason: permissionReason || answer.reason || NO_REASON };
  // a block holds even beside a `permissionDecision` that allows or asks
  if (answer.decision !== 'block') return undefined;
  return { by: 'decision', reason: answer.reason || NO_REASON };
}

/** Exit 2 blocks whatever was printed: a blocking answer's reason is used, else stderr; the rest of it still counts. */
function blockedByExit(read: ReadOutput, printed: HookPrinted, row: Facts): HookReply {
  // as printed, with its last newline: that is what PostToolBatch hooks read as the call's response
  const byExit: HookBlock = { by: 'exit', reason: printed.stderr.trim() === '' ? 'No stderr output' : printed.stderr };
  if (read.type !== 'answer') return { block: byExit, specific: {} };
  const { permission: _, specific, ...reply } = replyOf(read.answer, row);
  const block = reply.block && reply.block.reason !== NO_REASON ? reply.block : byExit;
  return { ...reply, specific: withoutAllowance(specific), block };
}

/** A PermissionRequest hook that exits with 2 allows nothing, whatever it printed. */
function withoutAllowance({ decision, ...others }: HookReply['specific']): HookReply['specific'] {
  return behaviorOf(decision) === 'allow' || decision === undefined ? others : { ...others, decision };
}

/** Of a PermissionRequest hook's decision. */
export function behaviorOf(decision: unknown): unknown {
  return typeof decision === 'object' && decision !== null && 'behavior' in decision ? decision.behavior : undefined;
}

function failedWith(code: number, stderr: string): string {
  const [first] = stderr.trim().split(/\r?\n/);
  return `Failed with non-blocking status code: ${first || `Exit code ${code}`}`;
}
