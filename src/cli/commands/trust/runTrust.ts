import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { TrustedFile, TrustRecord } from '../../../schemas/trust.ts';
import { trustStore } from '../../../session/trust/trustStore.ts';
import { SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { pageFor } from '../../output/page.ts';
import { visibleText } from '../../output/visibleText.ts';
import { hookJson } from '../hooks/hookLines.ts';
import { type Difference, differenceSince, isCurrent, isSame } from './difference.ts';
import { approveContent, type FolderContent, gatherContent } from './folderContent.ts';
import { differenceText, effectsText } from './trustText.ts';

export interface TrustOptions {
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
}

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
  const folders = [];
  for (const record of records) {
    const { folder, trustedAt } = record;
    folders.push({ folder, trustedAt, exists: existsSync(folder), state: await stateOf(record, world) });
  }
  if (json) writer.out(`${JSON.stringify(folders)}\n`);
  else if (folders.length === 0) writer.out('No folder is trusted.\n');
  for (const { folder, trustedAt, state } of json ? [] : folders) {
    writer.out(`${formatTime(trustedAt)}  ${visibleText(folder)}${STATES[state]}\n`);
  }
}

/** Whether the folder is as it was approved. */
type TrustState = 'current' | 'changed' | 'pathOnly' | 'gone';

const STATES: Readonly<Record<TrustState, string>> = {
  current: '  (current)',
  changed: '  (changed: run `stopgate trust` there)',
  pathOnly: '  (trusted before contents were recorded: run `stopgate trust` there)',
  gone: '  (no longer exists)',
};

async function stateOf({ folder, content }: TrustRecord, world: World): Promise<TrustState> {
  if (!existsSync(folder)) return 'gone';
  if (content === undefined) return 'pathOnly';
  const inFolder = { ...world, cwd: folder };
  return isCurrent(await gatherContent(inFolder), inFolder) ? 'current' : 'changed';
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
  const removed = await trustStore(world.stopgateHome).forget(folder);
  if (json) writer.out(`${JSON.stringify({ folder, removed })}\n`);
  else writer.out(removed ? `${folder} is no longer trusted.\n` : `${folder} was not trusted; nothing changed.\n`);
}

async function addTrust(wanted: string, writer: Writer, world: World, options: TrustOptions): Promise<number> {
  const folder = await realFolder(wanted);
  const inFolder = { ...world, cwd: folder };
  const store = trustStore(world.stopgateHome);
  const record = store.read(folder);
  const now = await gatherContent(inFolder);
  const approved = record?.content;
  const difference = approved && differenceSince(approved, now, { folder, texts: store.texts(folder) });
  const already = difference !== undefined && isSame(difference);
  if (!options.json) {
    const page = pageFor(writer, inFolder);
    const whole = difference === undefined || already;
    if (record !== null && approved === undefined) writer.out(`${OLD}\n\n`);
    writer.out(`${whole ? effectsText(folder, now, page) : differenceText(folder, difference, page)}\n\n`);
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
  if (options.json) writer.out(`${JSON.stringify(trustJson(folder, already, { now, difference }))}\n`);
  else
    writer.out(already ? 'Already trusted, and unchanged.\n' : `Trusted; recorded in ${world.stopgateHome}/trust.\n`);
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
async function whyRefused({ yes, json }: TrustOptions, folder: string): Promise<number | null> {
  if (yes) return null;
  if (json || !process.stdin.isTTY || !process.stdout.isTTY) {
    await drained();
    throw new UserError(`${folder} is not trusted: no terminal to ask at; review what trust enables, then pass --yes.`);
  }
  const answer = await askToTrust();
  if (answer === 'yes') return null;
  return answer === 'no' ? 1 : (SIGNAL_EXIT.SIGINT ?? 1);
}

/** Only an explicit yes counts; Ctrl-C, Ctrl-D and a closed terminal do not. */
async function askToTrust(): Promise<'yes' | 'no' | 'interrupted'> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const closed = once(reader, 'close').then(() => '');
  try {
    const answer = await Promise.race([reader.question('Trust this folder as it is now? [y/N] '), closed]);
    return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
  } catch {
    // readline rejects an interrupted question and leaves its line open
    process.stdout.write('\n');
    return 'interrupted';
  } finally {
    reader.close();
  }
}

function trustJson(
  folder: string,
  already: boolean,
  { now, difference }: { readonly now: FolderContent; readonly difference: Difference | undefined },
) {
  const { effects, content } = now;
  const hooks = effects.hooks.map(({ hook, stillNot }) => ({ ...hookJson(hook), stillNot }));
  const files = Object.values(content.files).map(({ stamp: _, ...file }: TrustedFile & { stamp?: unknown }) => file);
  return { folder, trusted: true, already, switchesOn: { ...effects, hooks, files }, difference: difference ?? null };
}
