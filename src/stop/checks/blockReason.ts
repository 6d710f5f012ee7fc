import type { SessionChecks } from '../../schemas/sessionChecks.ts';
import type { ChecksDecision } from './decideChecks.ts';
import { failingPart, isFailureLine, shownLine } from './failingPart.ts';
import { added, addedItems, hashOf, normalLine, type OutputLine, outputLines } from './outputLines.ts';
import type { AdvisedCheck, CheckResult, FailedCheck } from './types.ts';

/** Claude Code gives the model every reason twice, so the output is cut short; the agent can run the check itself. */
const LONGEST_REASON = 3_000;
const SHORTEST_ROOM = 500;

export interface BlockFacts {
  /** Other sessions in the same folder. */
  readonly others?: number;
  /** What the session did to its own definition of done. */
  readonly changed?: readonly string[];
}

export interface Block {
  /** For the agent. */
  readonly reason: string;
  /** What the agent has been sent by now. */
  readonly sent: SessionChecks['sent'];
}

/**
 * The text for an agent whose stop is blocked. A failure is sent in full once in a session; later only what is new in it, since
 * the model still has the rest. Failing lines that do not fit are sent at a later stop.
 */
export function blockReason(
  { failures, session }: Extract<ChecksDecision, { type: 'block' }>,
  results: readonly CheckResult[],
  { others = 0, changed = [] }: BlockFacts = {},
): Block {
  const advised = results.filter((result): result is AdvisedCheck => result.type === 'advised');
  const shown = [...failures, ...advised].map((failure) => ({ failure, ...freshPart(failure, session.sent) }));
  const full = shown.filter(({ fresh }) => fresh !== null);
  const room = Math.max(SHORTEST_ROOM, Math.floor((LONGEST_REASON - 500) / Math.max(1, full.length)));
  const written = shown.map((one) => ({ ...one, text: one.fresh && failureText(one.failure, one.fresh, room) }));
  const texts = (isAdvice: boolean) =>
    written
      .filter(({ failure }) => (failure.type === 'advised') === isAdvice)
      .flatMap(({ failure, text, fewer }) => text ?? (isAdvice ? [] : [sameText(failure, fewer)]));
  const advice = texts(true);
  const parts = [
    headOf(failures.length, results.length, session),
    ...texts(false),
    ...fixedText(results, session),
    ...acceptedText(results),
    ...(advice.length === 0 ? [] : ['Advice, which does not keep you from stopping:', ...advice]),
    ...(changed.length === 0 ? [] : [frozenHint(changed)]),
    ...(others === 0 ? [] : [othersHint(others)]),
    session.unchanged > 0
      ? 'No file has changed since your last stop. If you cannot fix this, explain why and stop again.'
      : 'Fix the failures, then stop; the checks will run again.',
  ];
  return {
    reason: parts.join('\n\n'),
    sent: Object.fromEntries(written.map((one) => [one.failure.check.name, sentKeys(one)])),
  };
}

type Shown = FailedCheck | AdvisedCheck;

function headOf(failed: number, all: number, { attempts, unchanged }: SessionChecks): string {
  const head = `Not done yet: ${failed} of ${count(all, 'check')} failed.`;
  if (attempts < 2) return head;
  const what = unchanged > 0 ? 'nothing changed' : 'the work changed';
  return `${head} Attempt ${attempts}; ${what} since attempt ${attempts - 1}.`;
}

const MOST_KEYS = 2_000;

interface Fresh {
  /** What of it is to be sent: lines of output, maybe none; null when it is all known. */
  readonly fresh: readonly string[] | null;
  readonly fewer: number;
  /** Of the check's end and its lines of output. */
  readonly keys: readonly string[];
  /** Lines that report a failure and that the agent has not been sent, with their keys. */
  readonly unsent: readonly (readonly [line: string, key: string])[];
}

function freshPart(failure: Shown, sent: SessionChecks['sent']): Fresh {
  const { check, how, output, accepted } = failure;
  const lines = outputLines(output, check.folder);
  const ending = hashOf(normalLine(how, [check.folder]));
  const keys = [ending, ...lines.flatMap(({ key }) => key ?? [])].slice(0, MOST_KEYS);
  const seen = Object.hasOwn(sent, check.name) ? sent[check.name] : undefined;
  if (seen !== undefined && added(seen, keys).length === 0)
    return { fresh: null, fewer: seen.length - keys.length, keys, unsent: [] };
  const old = accepted?.by === 'lines' ? accepted.items : [];
  const hidden = seen ?? old;
  const fresh = hidden.length === 0 ? output.split('\n') : newLines(lines, hidden, new Set(old));
  const keyed = lines.flatMap(({ text, key }) => (key === null ? [] : [[shownLine(text), key] as const]));
  const isNew = addedItems(hidden, keyed, ([, key]) => key);
  return { fresh, fewer: 0, keys, unsent: isNew.filter(([line]) => isFailureLine(line)) };
}

/** The keys without those of failing lines that the text has no room for. Other lines were left out on purpose. */
function sentKeys({ keys, unsent, text }: Fresh & { readonly text: string | null }): readonly string[] {
  const shown = Map.groupBy((text ?? '').split('\n'), (line) => line);
  const missing = unsent.flatMap(([line, key]) => (shown.get(line)?.pop() === undefined ? [key] : []));
  return added(missing, keys);
}

/** Lines of context around a new one. */
const BEFORE = 2;
const AFTER = 2;

/** The lines that are not hidden, with some around them, but none that was accepted: the agent should not fix those. */
function newLines(
  lines: readonly OutputLine[],
  hidden: readonly string[],
  accepted: ReadonlySet<string>,
): readonly string[] {
  const keyed = lines.flatMap(({ key }, at) => (key === null ? [] : [{ key, at }]));
  const fresh = addedItems(hidden, keyed, ({ key }) => key).map(({ at }) => at);
  const isNew = new Set(fresh);
  const isNear = new Set(
    fresh.flatMap((at) => Array.from({ length: BEFORE + 1 + AFTER }, (_, step) => at - BEFORE + step)),
  );
  const shown = lines.filter(
    ({ key }, at) => isNew.has(at) || (isNear.has(at) && !(key !== null && accepted.has(key))),
  );
  return shown.map(({ text }) => text);
}

const sameText = ({ check }: Shown, fewer: number) =>
  fewer === 0
    ? `Still failing: ${check.name} (same output as before).`
    : `Still failing: ${check.name} (nothing new in its output, and ${count(fewer, 'line')} fewer).`;

/** One failed check with the part of its output that reports the failure. */
export function failureText(failure: Shown, fresh: readonly string[], room: number): string {
  const { check, how, output } = failure;
  const title =
    check.name === check.commandText ? `\`${check.commandText}\`` : `${check.name} (\`${check.commandText}\`)`;
  const part = failingPart(fresh.join('\n'), check.lines);
  const tests = newTests(failure);
  if (part === '') return `${title} ${how}, with no ${output.trim() === '' ? 'output' : 'new output'}.${tests}`;
  const shown = part.length > room ? `[… cut]\n${part.slice(-room)}` : part;
  return `${title} ${how}:${tests}\n${shown}`;
}

/** The names of failing tests that were not accepted. */
function newTests({ accepted, found }: Shown): string {
  if (accepted?.by !== 'tests' || typeof found !== 'object') return '';
  const names = added(accepted.items, found.items);
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return names.length === 0 ? '' : ` ${names.slice(0, 10).join(', ')}${more}`;
}

function fixedText(results: readonly CheckResult[], { sent }: SessionChecks): readonly string[] {
  const failing = new Set(
    results.flatMap(({ type, check }) => (type === 'failed' || type === 'advised' ? [check.name] : [])),
  );
  const fixed = Object.keys(sent).filter((name) => !failing.has(name));
  return fixed.length === 0 ? [] : [`No longer failing: ${fixed.join(', ')}.`];
}

function acceptedText(results: readonly CheckResult[]): readonly string[] {
  const accepted = results.flatMap((result) =>
    result.type === 'accepted' ? [`${result.check.name} (${result.words})`] : [],
  );
  return accepted.length === 0 ? [] : [`Accepted, so not yours to fix: ${accepted.join('; ')}.`];
}

const frozenHint = (changed: readonly string[]) =>
  `Note: ${changed.join('; ')}. Only the versions from the start of this session count; a person can accept others.`;

/** Whose change it was is unknown when this session's tools may have changed files too. */
const othersHint = (others: number) =>
  `${count(others, 'other session')} worked in this folder at the same time. If you did not cause a failure, say so and stop again without changing files.`;

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
