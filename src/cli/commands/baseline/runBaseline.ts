import path from 'node:path';
import { parseDuration } from '../../../budget/timeBudget.ts';
import type { BaselineEntry } from '../../../schemas/baseline.ts';
import { checkIdentity, readBaseline, writeBaseline } from '../../../stop/checks/baseline.ts';
import { findConfig } from '../../../stop/checks/findConfig.ts';
import { type OpenedChecks, openChecks } from '../../../stop/checks/openChecks.ts';
import { readConfigFile } from '../../../stop/checks/readConfig.ts';
import { runNow } from '../../../stop/checks/runNow.ts';
import type { Check, CheckResult } from '../../../stop/checks/types.ts';
import type { Asker } from '../../../stop/world.ts';
import { wallNow } from '../../../system/clock.ts';
import { terminalText } from '../../../system/terminalText.ts';
import { UserError } from '../../../system/userError.ts';
import { userName } from '../../../system/userName.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { printResult } from '../../output/printResult.ts';
import type { Flags } from '../task/taskOptions.ts';
import { baselineText, type CheckedNow, entryJson, type Listed, listed, listText } from './baselineText.ts';

type BaselineOptions = Flags<'check' | 'reason' | 'expires' | 'remove', 'list' | 'json'>;

/** `stopgate baseline`: a person accepts what fails now. */
export async function runBaseline(options: BaselineOptions): Promise<number> {
  const world = thisWorld();
  const file = findConfig(world.cwd);
  if (file === null)
    throw new UserError('There is no stopgate.config.json here, so there are no checks to accept failures of.');
  const folder = path.dirname(file);
  if (options.remove !== undefined) await removeEntries(options.remove, folder, world);
  if (options.list === true || options.remove !== undefined) return showList(folder, file, { world, options });
  return acceptNow(file, { world, options });
}

interface Called {
  readonly world: World;
  readonly options: BaselineOptions;
}

async function showList(folder: string, file: string, { world, options }: Called): Promise<number> {
  const now = wallNow(world.clock);
  const config = await readConfigFile(file);
  const checks = config.type === 'config' ? config.done.checks : [];
  const entries = await readBaseline(world.stopgateHome, folder);
  const rows = entries.map((entry): Listed => listed(entry, checks, now));
  const json = options.json ? { folder, accepted: rows.map((row) => entryJson(row)) } : null;
  return printResult(json, world, (page) => listText(rows, page, now));
}

async function removeEntries(name: string, folder: string, { stopgateHome }: World): Promise<void> {
  const entries = await readBaseline(stopgateHome, folder);
  const kept = entries.filter(({ check }) => check !== name);
  if (kept.length === entries.length) {
    const names = entries.map(({ check }) => check).join(', ') || 'no check';
    throw new UserError(`Nothing is accepted of a check "${name}" here, but of ${names}.`);
  }
  await writeBaseline(stopgateHome, folder, kept);
}

const LONGEST_MS = 24 * 3_600_000;

async function acceptNow(file: string, { world, options }: Called): Promise<number> {
  const now = wallNow(world.clock);
  const expiresAt = options.expires === undefined ? null : parseExpiry(options.expires, now);
  const opened = await openHere(file, world);
  const checks = chosen(opened.done.checks, options.check);
  const print = (sentence: string) => process.stderr.write(terminalText(`${sentence}\n`));
  const { results, notes } = await runNow(opened, checks, {
    ...world,
    deadlineAt: world.clock.now() + LONGEST_MS,
    signal: new AbortController().signal,
    onCheck: ({ name, state }) => state === 'running' && print(`stopgate: running ${name}`),
    onWait: print,
  });
  await world.processes.endAll();
  for (const note of notes) print(note);
  const folder = path.dirname(opened.done.file);
  const before = await readBaseline(world.stopgateHome, folder);
  const at = new Date(now).toISOString();
  const entryOf = (check: Check, failures: BaselineEntry['failures']): BaselineEntry => ({
    ...{ check: check.name, command: checkIdentity(check), reason: options.reason?.trim() || null },
    ...{ at, by: userName(), expiresAt, failures },
  });
  const checked = results.map((result) => checkedNow(result, before, entryOf));
  const ran = new Set(results.map(({ check }) => check.name));
  const kept = before.filter(({ check }) => !ran.has(check));
  await writeBaseline(world.stopgateHome, folder, [...kept, ...checked.flatMap(({ entry }) => entry ?? [])]);
  const json = options.json
    ? { folder, checks: checked.map(({ entry, ...one }) => ({ ...one, ...entryOfJson(entry) })) }
    : null;
  await printResult(json, world, (page) => baselineText(checked, page, now));
  return checked.some(({ outcome }) => outcome === 'notAccepted') ? 1 : 0;
}

const entryOfJson = (entry: BaselineEntry | null) => (entry === null ? {} : entryJson({ entry, why: null }));

async function openHere(file: string, world: World): Promise<Extract<OpenedChecks, { type: 'checks' }>> {
  const asker: Asker = { name: 'stopgate', demand: async () => 'proof' };
  const opened = await openChecks(file, {}, { ...world, asker, hostPid: null });
  if (opened.type === 'checks') return opened;
  const [note = `Stopgate: checks: ${opened.ending.reason}.`] = opened.notes;
  throw new UserError(note.replace(/^Stopgate: /, ''));
}

/** Without a name, those that can block. */
function chosen(checks: readonly Check[], name: string | undefined): readonly Check[] {
  const found = checks.filter((check) => (name === undefined ? check.severity === 'block' : check.name === name));
  if (found.length > 0) return found;
  if (name === undefined) throw new UserError('There is no check here that can block, so there is nothing to accept.');
  throw new UserError(`There is no check "${name}"; there is ${checks.map((check) => check.name).join(', ')}.`);
}

/** What a result becomes. A check that passes needs no baseline: an older one is dropped. */
function checkedNow(
  result: CheckResult,
  before: readonly BaselineEntry[],
  entryOf: (check: Check, failures: BaselineEntry['failures']) => BaselineEntry,
): CheckedNow {
  const { check } = result;
  const { name, severity } = check;
  const hadOne = before.some((entry) => entry.check === name);
  if (result.type !== 'failed')
    return { name, severity, outcome: 'passed', entry: null, words: hadOne ? 'nothing is accepted any more' : '' };
  const { found = 'it did not end by itself', how } = result;
  if (typeof found === 'string')
    return { name, severity, outcome: 'notAccepted', entry: null, words: `it ${how}, and ${found}` };
  return {
    name,
    severity,
    outcome: 'accepted',
    entry: entryOf(check, { ...found, items: [...found.items] }),
    words: '',
  };
}

/** `12h`, `14d`, `2w` from now, or the end of a day; as ISO 8601. */
function parseExpiry(text: string, now: number): string {
  const at = timeOf(text.trim(), now);
  if (Number.isNaN(at)) {
    throw new UserError(
      `--expires must be a time such as 12h, 14d or 2w, or a date such as 2027-01-31, got "${text}".`,
    );
  }
  if (at <= now) throw new UserError(`--expires must be in the future, got "${text}".`);
  return new Date(at).toISOString();
}

function timeOf(text: string, now: number): number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(`${text}T23:59:59.999`);
  const seconds = /^\d+$/.test(text) ? null : parseDuration(text);
  return seconds === null ? Number.NaN : now + seconds * 1000;
}
