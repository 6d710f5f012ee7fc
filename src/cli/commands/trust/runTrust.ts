import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TrustedFile, TrustRecord } from '../../../schemas/trust.ts';
import { approvalsOf } from '../../../session/trust/approvals.ts';
import { trustStore } from '../../../session/trust/trustStore.ts';
import { SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { askYes } from '../../output/askYes.ts';
import { type Page, pageFor } from '../../output/page.ts';
import { visibleText } from '../../output/visibleText.ts';
import { hookJson } from '../hooks/hookLines.ts';
import type { Flags } from '../task/taskOptions.ts';
import { countingApprovals, type Difference, isAsApproved, isSame, nearestDifference } from './difference.ts';
import { approveContent, type FolderContent, gatherContent } from './folderContent.ts';
import { differenceText, effectsText } from './trustText.ts';

type TrustOptions = Flags<never, 'yes' | 'list' | 'remove' | 'json' | 'showFiles'>;

/** `stopgate trust`: enables a folder's own settings permanently. */
export async function runTrust(folder: string | undefined, options: TrustOptions): Promise<number> {
  if (options.list && (options.remove || options.yes || folder !== undefined)) {
    throw new UserError('--list shows all trusted folders; use it alone or with --json.');
  }
  const world = thisWorld();
  const writer = processWriter(() => {});
  const wanted = path.resolve(world.cwd, folder ?? '.');
  let code = 0;
  if (options.list) await listTrusted(writer, world, options.json === true);
  else if (options.remove) await removeTrust(wanted, writer, world, options);
  else code = await addTrust(wanted, writer, world, options);
  await drained();
  return code;
}

async function listTrusted(writer: Writer, world: World, json: boolean): Promise<void> {
  const records = await trustStore(world.stopgateHome).list();
  const folders = await Array.fromAsync(records, (record) => listedFolder(record, world));
  if (json) writer.out(`${JSON.stringify(folders)}\n`);
  else if (folders.length === 0) writer.out('No folder is trusted.\n');
  const page = pageFor(writer, world);
  for (const one of json ? [] : folders) writer.out(listedText(one, page));
}

async function listedFolder(record: TrustRecord, world: World) {
  const { folder, trustedAt } = record;
  const exists = existsSync(folder);
  const now = exists ? await gatherContent({ ...world, cwd: folder }) : null;
  const counting = now === null ? [] : countingApprovals(record, now);
  const approvals = approvalsOf(record).map(({ trustedAt: at, content }) => ({
    ...{ trustedAt: at, entries: content.items.length, files: Object.keys(content.files).length },
    isCurrent: now !== null && counting.includes(content) && isAsApproved(content, now, folder),
  }));
  return { folder, trustedAt, exists, state: stateOf(exists, approvals), approvals };
}

type Listed = Awaited<ReturnType<typeof listedFolder>>;

/** The approvals one by one where there are several. */
function listedText({ folder, trustedAt, state, approvals }: Listed, page: Page): string {
  const several = approvals.length > 1 ? approvals : [];
  const lines = several.map(({ trustedAt: at, entries, files, isCurrent }) => {
    const counts = `${entries} ${entries === 1 ? 'entry' : 'entries'}, ${files} file${files === 1 ? '' : 's'}`;
    return `${page.block(`${formatTime(at)}  ${counts}${isCurrent ? '  (as the folder is now)' : ''}`, 4)}\n`;
  });
  const line = `${formatTime(trustedAt)}  ${visibleText(folder)}${STATES[state]}`;
  return `${page.block(line, 0)}\n${lines.join('')}`;
}

/** Whether the folder is as it was approved. */
type TrustState = 'current' | 'changed' | 'pathOnly' | 'gone';

const STATES: Readonly<Record<TrustState, string>> = {
  current: '  (current)',
  changed: '  (changed: run `stopgate trust` there)',
  pathOnly: '  (trusted before contents were recorded: run `stopgate trust` there)',
  gone: '  (no longer exists)',
};

function stateOf(exists: boolean, approvals: readonly { readonly isCurrent: boolean }[]): TrustState {
  if (!exists) return 'gone';
  if (approvals.length === 0) return 'pathOnly';
  return approvals.some(({ isCurrent }) => isCurrent) ? 'current' : 'changed';
}

/** `2026-03-01 14:05`, in local time. */
function formatTime(trustedAt: string): string {
  const at = new Date(trustedAt);
  if (Number.isNaN(at.getTime())) return 'unknown time    ';
  const two = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

async function removeTrust(wanted: string, writer: Writer, world: World, { json }: TrustOptions): Promise<void> {
  // a folder that no longer exists can still be removed from the list
  const folder = await realpath(wanted).catch(() => wanted);
  const store = trustStore(world.stopgateHome);
  const record = store.read(folder);
  const approvals = record === null ? 0 : approvalsOf(record).length;
  const removed = await store.forget(folder);
  const all = approvals > 1 ? `; ${approvals} approvals were removed` : '';
  if (json) writer.out(`${JSON.stringify({ folder, removed, approvals })}\n`);
  else
    writer.out(removed ? `${folder} is no longer trusted${all}.\n` : `${folder} was not trusted; nothing changed.\n`);
}

async function addTrust(wanted: string, writer: Writer, world: World, options: TrustOptions): Promise<number> {
  const folder = await realFolder(wanted);
  const inFolder = { ...world, cwd: folder };
  const store = trustStore(world.stopgateHome);
  const record = store.read(folder);
  const now = await gatherContent(inFolder);
  if (now.broken !== null) throw new UserError(now.broken);
  const approved = record?.content;
  const approvals = record === null ? [] : countingApprovals(record, now);
  const difference = nearestDifference(approvals, now, { folder, texts: store.texts(folder) });
  const already = difference !== undefined && isSame(difference);
  if (!options.json) {
    const page = pageFor(writer, inFolder);
    const whole = difference === undefined || already;
    if (record !== null && approved === undefined) writer.out(`${OLD}\n\n`);
    writer.out(
      `${whole ? effectsText(folder, now, page, options.showFiles ? 'contents' : 'sizes') : differenceText(folder, difference, page)}\n\n`,
    );
  }
  if (options.json && !options.yes && !already) {
    writer.out(`${JSON.stringify(trustJson(folder, { trusted: false, already }, { now, difference }))}\n`);
    writer.err(`stopgate: ${folder} is not trusted; pass --yes to approve what this lists.\n`);
    return 1;
  }
  if (!already) {
    const refused = await whyRefused(options, folder);
    if (refused !== null) {
      writer.out(
        difference === undefined ? 'Not trusted; nothing changed.\n' : 'Not approved; what changed stays off.\n',
      );
      return refused;
    }
    // exactly what was shown, whatever the files became meanwhile
    await approveContent(now, inFolder);
  }
  if (options.json)
    writer.out(`${JSON.stringify(trustJson(folder, { trusted: true, already }, { now, difference }))}\n`);
  else
    writer.out(
      already
        ? 'Already trusted, and unchanged.\n'
        : `${pageFor(writer, inFolder).block(`Trusted; recorded in ${world.stopgateHome}/trust.`, 0)}\n`,
    );
  return 0;
}

const OLD =
  'This folder was trusted before Stopgate recorded what was approved: nothing of it runs until you trust it again.';

async function realFolder(wanted: string): Promise<string> {
  const facts = await stat(wanted).catch(() => undefined);
  if (facts?.isDirectory()) return realpath(wanted);
  throw new UserError(`${wanted} ${facts ? 'is not a folder' : 'does not exist'}; name the folder to trust.`);
}

/** The exit code of a refusal, or null for consent, which needs --yes or a terminal. */
async function whyRefused({ yes }: TrustOptions, folder: string): Promise<number | null> {
  if (yes) return null;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    await drained();
    throw new UserError(`${folder} is not trusted: no terminal to ask at; review what trust enables, then pass --yes.`);
  }
  const answer = await askYes('Trust this folder as it is now?', process.stdout);
  if (answer !== 'interrupted') return answer === 'yes' ? null : 1;
  // readline leaves the line of the question open
  process.stdout.write('\n');
  return SIGNAL_EXIT.SIGINT ?? 1;
}

function trustJson(
  folder: string,
  state: { readonly trusted: boolean; readonly already: boolean },
  { now, difference }: { readonly now: FolderContent; readonly difference: Difference | undefined },
) {
  const { effects, content } = now;
  const hooks = effects.hooks.map(({ hook, stillNot }) => ({ ...hookJson(hook), stillNot }));
  const checks = effects.checks.map((check, at) => ({ ...check, files: filesOfCheck(now, at) }));
  const files = Object.values(content.files).map(withoutStamp);
  return { folder, ...state, switchesOn: { ...effects, hooks, checks, files }, difference: difference ?? null };
}

/** The files that a check runs; checks are approved in the order of the configuration. */
function filesOfCheck({ approvable, content }: FolderContent, at: number) {
  const digest = approvable.filter(({ item }) => item.kind === 'check')[at]?.item.digest;
  const keys = content.items.find((item) => item.digest === digest)?.files ?? [];
  return keys.flatMap((key) => content.files[key] ?? []).map(withoutStamp);
}

const withoutStamp = ({ stamp: _, ...file }: TrustedFile & { readonly stamp?: unknown }) => file;
