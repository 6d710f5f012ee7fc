import type { ConfiguredHook } from './configuredHook.ts';
import type { EventRow } from './events/eventRow.ts';
import { type HookBlock, type HookOutcome, type HookSays, SAYS_NOTHING } from './outcome.ts';
import type { HookPermission, HookVerdict } from './types.ts';

/** One hook and how it ended. */
export interface HookEnd {
  readonly hook: ConfiguredHook;
  readonly outcome: HookOutcome;
}

/** The event that was fired, as far as a verdict depends on it. */
export interface VerdictFacts {
  readonly row: EventRow;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What one hook's words come to on this event, worded. Shown as it comes, and folded with the others at the end. */
export interface Effects {
  /** "Not yet", for the model. */
  readonly block?: string;
  /** "End now". */
  readonly prevented?: string;
  /** A block that this event cannot honour; for a person, null where not even that. */
  readonly refusedBlock?: string | null;
  readonly contexts: readonly string[];
  readonly systemMessage?: string;
  readonly permission?: HookPermission;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedToolOutput?: { readonly value: unknown };
  readonly specific: Readonly<Record<string, unknown>>;
}

/**
 * What all hooks said together. Who finished first decides the order of texts, and, as the protocol has it, whose
 * `updatedInput` is the last; it never decides whether something is blocked, prevented or allowed.
 */
export function foldVerdict(ends: readonly HookEnd[], facts: VerdictFacts): HookVerdict {
  const all = ends.map((end) => effectsOf(end, facts));
  const blocks = all.flatMap(({ block }) => (block === undefined ? [] : [block]));
  const permission = foldPermission(all, blocks, facts.row);
  // a deferred call is put off whole: what would change it or explain it is not used
  const deferred = permission?.decision === 'defer';
  const updatedInput = deferred ? undefined : all.findLast((one) => one.updatedInput)?.updatedInput;
  const output = all.findLast((one) => one.updatedToolOutput)?.updatedToolOutput;
  return {
    blocks,
    prevented: all.find((one) => one.prevented !== undefined)?.prevented ?? null,
    contexts: deferred ? [] : all.flatMap((one) => one.contexts),
    permission,
    ...(updatedInput && { updatedInput }),
    ...(output && { updatedToolOutput: output.value }),
    specific: blocks.length > 0 && facts.row.blockVoidsSpecific ? {} : foldSpecific(all, facts.row),
  };
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
  const says = heard(hook, outcome, row);
  return {
    ...blockEffects(says, hook, facts),
    contexts: contextsOf(says, row, title),
    ...(says.systemMessage !== undefined && row.systemMessage === 'person' && { systemMessage: says.systemMessage }),
    ...(says.permission && row.permissions.includes(says.permission.decision) && { permission: says.permission }),
    ...(says.updatedInput && row.updates === 'input' && { updatedInput: says.updatedInput }),
    ...(says.updatedToolOutput && row.updates === 'output' && { updatedToolOutput: says.updatedToolOutput }),
    specific: specificOf(says, row),
  };
}

/** What the hook said, or what its failure says for it. */
function heard(hook: ConfiguredHook, outcome: HookOutcome, row: EventRow): HookSays {
  if (outcome.type === 'said') return exitedBadly(hook, outcome, row) ?? outcome.says;
  if (outcome.type !== 'failed') return SAYS_NOTHING;
  const because = whyFailureBlocks(hook, outcome.failure, row);
  if (because === null) return SAYS_NOTHING;
  const details = outcome.failure === 'answer' ? outcome.printed.stderr.trim() || outcome.message : outcome.message;
  return blockedBy(hook, because, details, row);
}

/** Measured: where a failure blocks, an exit code other than 0 and 2 is one, whatever was printed, a yes included. */
function exitedBadly(hook: ConfiguredHook, { says, printed }: Said, row: EventRow): HookSays | null {
  const code = printed?.exitCode ?? 0;
  if (code === 0 || code === 2 || says.block !== undefined) return null;
  if (hook.settings.onFailure !== 'block' && hook.settings.onError !== 'block') return null;
  const because = whyFailureBlocks(hook, 'answer', row);
  return because === null ? null : blockedBy(hook, because, printed?.stderr.trim() || `it exited with ${code}`, row);
}

function blockedBy(hook: ConfiguredHook, because: string, details: string, row: EventRow): HookSays {
  const reason = `failed; blocking because ${because}\n${details}`;
  const denial = { behavior: 'deny', message: `[${hook.label}]: ${reason}` };
  return { block: { by: 'exit', reason }, specific: 'decision' in row.specific ? { decision: denial } : {} };
}

function whyFailureBlocks({ settings, source }: ConfiguredHook, failure: string, row: EventRow): string | null {
  if (settings.onError === 'block') return 'onError is "block"';
  if (settings.onError === 'allow') return null;
  if (settings.onFailure === 'block' && row.honoursOnFailure) return 'onFailure is "block"';
  if (row.blockingFailures.some((one) => one === failure)) return `${row.name} needs an answer`;
  if (failure === 'timeout' && source === 'library' && row.callbackTimeoutBlocks) return `${row.name} needs an answer`;
  return null;
}

type Said = Extract<HookOutcome, { type: 'said' }>;
type BlockEffects = Pick<Effects, 'block' | 'prevented' | 'refusedBlock'>;

function blockEffects(says: HookSays, hook: ConfiguredHook, facts: VerdictFacts): BlockEffects {
  const { row } = facts;
  const prevented = says.prevent !== undefined && row.prevents ? { prevented: row.preventText(says.prevent) } : {};
  const { block } = says;
  if (block === undefined || (block.by === 'judge' && row.onJudgedNo === 'ignored')) return prevented;
  const reason = block.by === 'decision' ? block.reason : `[${hook.label}]: ${block.reason}`;
  const text = row.blockText({ title: facts.title, label: hook.label, reason });
  return { ...honoured(block, { reason, text }, facts), ...prevented };
}

function honoured(block: HookBlock, words: { reason: string; text: string }, facts: VerdictFacts): BlockEffects {
  const { row, input } = facts;
  if (!row.canBlock(input) || row.onBlock === 'ignored') return { refusedBlock: null };
  if (row.onBlock === 'tellsPerson') return { refusedBlock: words.reason };
  if (row.onBlock === 'ends') return { prevented: words.reason };
  const ends = block.by === 'judge' && row.onJudgedNo === 'endsUnlessGoOn' && block.goOn !== true;
  return { block: words.text, ...(ends && { prevented: row.preventText(block.reason) }) };
}

function contextsOf(says: HookSays, row: EventRow, title: string): readonly string[] {
  const contexts: string[] = [];
  if (says.plain !== undefined && row.plainStdout === 'context') contexts.push(`${title} hook success: ${says.plain}`);
  const about = row.contextNamesMatch ? title : row.name;
  if (says.context !== undefined && row.givesContext)
    contexts.push(`${about} hook additional context: ${says.context}`);
  if (says.systemMessage !== undefined && row.systemMessage === 'model') contexts.push(says.systemMessage);
  return contexts;
}

function specificOf(says: HookSays, row: EventRow): Readonly<Record<string, unknown>> {
  const read = PRINTED[row.plainStdout];
  return says.plain === undefined || read === undefined ? says.specific : { ...says.specific, ...read(says.plain) };
}

/** What plain output is read as, on events where it is a field of the answer. */
const PRINTED: { readonly [Use in EventRow['plainStdout']]?: (plain: string) => Readonly<Record<string, unknown>> } = {
  worktreePath: (plain) => {
    const last = plain.split(/\r?\n/).findLast((line) => line.trim() !== '');
    return { worktreePath: last?.trim() };
  },
  instructions: (plain) => ({ instructions: plain.trim() }),
};
