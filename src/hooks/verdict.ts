import type { ConfiguredHook } from './configuredHook.ts';
import type { EventRow } from './events/eventRow.ts';
import type { FiredEvent } from './kind.ts';
import { EMPTY_REPLY, type HookBlock, type HookOutcome, type HookReply } from './outcome.ts';
import type { HookPermission, HookVerdict } from './types.ts';

/** One hook and how it ended. */
export interface HookEnd {
  readonly hook: ConfiguredHook;
  readonly outcome: HookOutcome;
}

/** The event that was fired, as far as a verdict depends on it. */
export type VerdictFacts = Pick<FiredEvent, 'row' | 'title' | 'input'>;

/** The effects of one hook's reply on this event, worded. Shown when it ends, and folded with the others. */
export interface Effects
  extends Pick<HookReply, 'systemMessage' | 'permission' | 'updatedInput' | 'updatedToolOutput' | 'specific'> {
  /** "Not yet", for the model. */
  readonly block?: string;
  /** "End now". */
  readonly prevented?: string;
  /** A block that has no effect on this event: its text for the person, or null. */
  readonly refusedBlock?: string | null;
  readonly contexts: readonly string[];
  /** The context among them that the hook added as such, without its heading. */
  readonly added?: string;
}

/**
 * The verdict of all hooks. The order in which they ended decides the order of texts and, as in the protocol, which
 * `updatedInput` is the last; never whether something is blocked, prevented or allowed.
 */
export function foldVerdict(ends: readonly HookEnd[], facts: VerdictFacts): HookVerdict {
  const all = ends.map((end) => effectsOf(end, facts));
  const blocks = all.flatMap(({ block }) => (block === undefined ? [] : [block]));
  const permission = foldPermission(all, blocks, facts.row);
  // a deferred call is deferred as it is: changes and contexts are dropped
  const deferred = permission?.decision === 'defer';
  const updatedInput = deferred ? undefined : all.findLast((one) => one.updatedInput)?.updatedInput;
  const output = all.findLast((one) => one.updatedToolOutput)?.updatedToolOutput;
  return {
    blocks,
    prevented: all.find((one) => one.prevented !== undefined)?.prevented ?? null,
    contexts: deferred ? [] : allContexts(all, facts),
    permission,
    ...(updatedInput && { updatedInput }),
    ...(output && { updatedToolOutput: output.value }),
    specific: blocks.length > 0 && facts.row.blockVoidsSpecific ? {} : foldSpecific(all, facts.row),
  };
}

/** Measured: on some events what several hooks added is one text. */
function allContexts(all: readonly Effects[], { row, title }: VerdictFacts): readonly string[] {
  if (!row.joinsContexts) return all.flatMap(({ contexts }) => contexts);
  const added = all.flatMap((one) => one.added ?? []);
  const headed = new Set(added.map((text) => addedContext(text, row, title)));
  const others = all.flatMap(({ contexts }) => contexts).filter((text) => !headed.has(text));
  return added.length === 0 ? others : [...others, addedContext(added.join('\n'), row, title)];
}

const STRENGTH: readonly HookPermission['decision'][] = ['deny', 'defer', 'ask', 'allow'];

function foldPermission(all: readonly Effects[], blocks: readonly string[], row: EventRow): HookPermission | null {
  if (row.permissions.length === 0) return null;
  if (blocks.length > 0) return { decision: 'deny', reason: blocks.join('\n') };
  const given = all.flatMap(({ permission }) => (permission ? [permission] : []));
  return given.toSorted((a, b) => STRENGTH.indexOf(a.decision) - STRENGTH.indexOf(b.decision))[0] ?? null;
}

function foldSpecific(all: readonly Effects[], row: EventRow): Readonly<Record<string, unknown>> {
  const folded: Record<string, unknown> = {};
  for (const { specific } of all) {
    for (const [field, value] of Object.entries(specific)) {
      const merge = Object.hasOwn(row.specific, field) ? row.specific[field] : undefined;
      if (merge && value !== undefined) {
        folded[field] = Object.hasOwn(folded, field) ? merge(folded[field], value) : value;
      }
    }
  }
  return folded;
}

export function effectsOf({ hook, outcome }: HookEnd, facts: VerdictFacts): Effects {
  const { row, title } = facts;
  const reply = replyOrFailure(hook, outcome, row);
  return {
    ...blockEffects(reply, hook, facts),
    contexts: contextsOf(reply, row, title),
    ...(reply.context !== undefined && row.givesContext && { added: reply.context }),
    ...(reply.systemMessage !== undefined && row.systemMessage === 'person' && { systemMessage: reply.systemMessage }),
    ...(reply.permission && row.permissions.includes(reply.permission.decision) && { permission: reply.permission }),
    ...(reply.updatedInput && row.updates === 'input' && { updatedInput: reply.updatedInput }),
    ...(reply.updatedToolOutput && row.updates === 'output' && { updatedToolOutput: reply.updatedToolOutput }),
    specific: specificOf(reply, row),
  };
}

/** The hook's reply, or the block that its failure causes. */
function replyOrFailure(hook: ConfiguredHook, outcome: HookOutcome, row: EventRow): HookReply {
  if (outcome.type === 'said') {
    return exitedBadly(hook, outcome, row) ?? brokenAnswer(hook, outcome, row) ?? outcome.reply;
  }
  if (outcome.type !== 'failed') return EMPTY_REPLY;
  const because = whyFailureBlocks(hook, outcome.failure, row);
  if (because === null) return EMPTY_REPLY;
  const details = outcome.failure === 'answer' ? outcome.printed.stderr.trim() || outcome.message : outcome.message;
  return blockedBy(hook, because, details, row);
}

/** Measured: where a failure blocks, an exit code other than 0 and 2 is one, whatever was printed. */
function exitedBadly(hook: ConfiguredHook, { reply, printed }: Said, row: EventRow): HookReply | null {
  const code = printed?.exitCode ?? 0;
  if (code === 0 || code === 2 || reply.block !== undefined) return null;
  if (hook.settings.onFailure !== 'block' && hook.settings.onError !== 'block') return null;
  const because = whyFailureBlocks(hook, 'answer', row);
  return because === null ? null : blockedBy(hook, because, printed?.stderr.trim() || `it exited with ${code}`, row);
}

/** As in the protocol, text that only begins like JSON is plain text; a hook that must answer has cut its answer off. */
function brokenAnswer(hook: ConfiguredHook, { reply, printed }: Said, row: EventRow): HookReply | null {
  const { plain } = reply;
  if (hook.settings.onError !== 'block' || plain === undefined || reply.block !== undefined) return null;
  if (!plain.startsWith('{') || plain.endsWith('}')) return null;
  const details = printed.stderr.trim() || 'it printed JSON that cannot be parsed';
  return blockedBy(hook, 'onError is "block"', details, row);
}

function blockedBy(hook: ConfiguredHook, because: string, details: string, row: EventRow): HookReply {
  const reason = `failed; blocking because ${because}\n${details}`;
  const denial = { behavior: 'deny', message: `[${hook.label}]: ${reason}` };
  return { block: { by: 'exit', reason }, specific: 'decision' in row.specific ? { decision: denial } : {} };
}

export function whyFailureBlocks({ settings, source }: ConfiguredHook, failure: string, row: EventRow): string | null {
  if (settings.onError === 'block') return 'onError is "block"';
  if (settings.onError === 'allow') return null;
  if (settings.onFailure === 'block' && row.honorsOnFailure) return 'onFailure is "block"';
  if (row.blockingFailures.some((one) => one === failure)) return `${row.name} needs an answer`;
  if (failure === 'timeout' && source === 'library' && row.callbackTimeoutBlocks) return `${row.name} needs an answer`;
  return null;
}

type Said = Extract<HookOutcome, { type: 'said' }>;
type BlockEffects = Pick<Effects, 'block' | 'prevented' | 'refusedBlock'>;

function blockEffects(reply: HookReply, hook: ConfiguredHook, facts: VerdictFacts): BlockEffects {
  const { row } = facts;
  const prevented = reply.prevent !== undefined && row.prevents ? { prevented: row.preventText(reply.prevent) } : {};
  const { block } = reply;
  if (block === undefined || (block.by === 'judge' && row.onJudgedNo === 'ignored')) return prevented;
  const reason = block.by === 'decision' ? block.reason : `[${hook.label}]: ${block.reason}`;
  const text = row.blockText({ title: facts.title, label: hook.label, reason });
  return { ...honored(block, { reason, text }, facts), ...prevented };
}

function honored(
  block: HookBlock,
  { reason, text }: { reason: string; text: string },
  facts: VerdictFacts,
): BlockEffects {
  const { row, input } = facts;
  if (!row.canBlock(input) || row.onBlock === 'ignored') return { refusedBlock: null };
  if (row.onBlock === 'showsPerson') return { refusedBlock: reason };
  if (row.onBlock === 'ends') return { prevented: reason };
  const ends = block.by === 'judge' && row.onJudgedNo === 'endsUnlessContinued' && block.continues !== true;
  return { block: text, ...(ends && { prevented: row.preventText(block.reason) }) };
}

function contextsOf(reply: HookReply, row: EventRow, title: string): readonly string[] {
  const contexts: string[] = [];
  if (reply.plain !== undefined && row.plainStdout === 'context')
    contexts.push(`${title} hook success: ${reply.plain}`);
  if (reply.context !== undefined && row.givesContext) contexts.push(addedContext(reply.context, row, title));
  if (reply.systemMessage !== undefined && row.systemMessage === 'model') contexts.push(reply.systemMessage);
  return contexts;
}

const addedContext = (text: string, row: EventRow, title: string) =>
  `${row.contextNamesMatch ? title : row.name} hook additional context: ${text}`;

function specificOf(reply: HookReply, row: EventRow): Readonly<Record<string, unknown>> {
  const read = PRINTED[row.plainStdout];
  return reply.plain === undefined || read === undefined ? reply.specific : { ...reply.specific, ...read(reply.plain) };
}

/** How plain output is read on events where it is a field of the answer. */
const PRINTED: { readonly [Use in EventRow['plainStdout']]?: (plain: string) => Readonly<Record<string, unknown>> } = {
  worktreePath: (plain) => {
    const last = plain.split(/\r?\n/).findLast((line) => line.trim() !== '');
    return { worktreePath: last?.trim() };
  },
  instructions: (plain) => ({ instructions: plain.trim() }),
};
