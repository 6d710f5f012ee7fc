import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { TrustedContent, TrustedFile, TrustedItem, TrustRecord } from '../../../schemas/trust.ts';
import { approvalsOf } from '../../../session/trust/approvals.ts';
import type { TrustKind } from '../../../session/trust/trustItem.ts';
import { trustStore } from '../../../session/trust/trustStore.ts';
import type { World } from '../../../system/world.ts';
import { type FolderContent, textOf } from './folderContent.ts';

/** An entry that is not as it was approved. */
export interface ItemChange {
  readonly kind: TrustKind;
  readonly id: string;
  readonly how: 'added' | 'edited' | 'removed';
  /** Null where it was not recorded, because it may contain secrets. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A file that an entry runs, and that is not as it was approved. */
export interface FileDifference {
  readonly path: string;
  readonly how: 'added' | 'edited' | 'deleted' | 'linked elsewhere' | 'made executable or not' | 'no longer run';
  /** Unified and bounded; empty where there is none to show. */
  readonly diff: string;
}

export interface Difference {
  readonly items: readonly ItemChange[];
  readonly files: readonly FileDifference[];
}

/** Whether a folder (`world.cwd`) is approved as it is. */
export function isCurrent(
  now: FolderContent,
  { cwd: folder, stopgateHome }: Pick<World, 'cwd' | 'stopgateHome'>,
): boolean {
  const record = trustStore(stopgateHome).read(folder);
  return record !== null && countingApprovals(record, now).some((content) => isAsApproved(content, now, folder));
}

/** The approvals that a folder may be as. An earlier one without checks must not hide that the latest had some. */
export function countingApprovals(record: TrustRecord, { content: now }: FolderContent): readonly TrustedContent[] {
  const all = approvalsOf(record).map(({ content }) => content);
  const [latest] = all;
  return latest !== undefined && hasChecks(latest) && !hasChecks(now) ? [latest] : all;
}

const hasChecks = ({ items }: TrustedContent) => items.some(({ kind }) => kind === 'definition');

export const isAsApproved = (content: TrustedContent, now: FolderContent, folder: string): boolean =>
  isSame(differenceSince(content, now, { folder, texts: {} }));

/** What differs from the approval that is nearest to the folder as it is; the latest of those that are as near. */
export function nearestDifference(
  approvals: readonly TrustedContent[],
  now: FolderContent,
  place: Parameters<typeof differenceSince>[2],
): Difference | undefined {
  const size = ({ items, files }: Difference) => items.length + files.length;
  const [nearest] = approvals
    .map((content) => differenceSince(content, now, place))
    .toSorted((a, b) => size(a) - size(b));
  return nearest;
}

/** What differs between an approval and the folder as it is now. */
export function differenceSince(
  before: TrustedContent,
  now: FolderContent,
  { folder, texts }: { readonly folder: string; readonly texts: Readonly<Record<string, string>> },
): Difference {
  return { items: itemChanges(before.items, now), files: fileDifferences(before, now, { folder, texts }) };
}

export const isSame = ({ items, files }: Difference): boolean => items.length + files.length === 0;

function itemChanges(before: readonly TrustedItem[], { content, approvable }: FolderContent): readonly ItemChange[] {
  const known = new Set(before.map(({ digest }) => digest));
  const still = new Set(content.items.map(({ digest }) => digest));
  const added = content.items.filter(({ digest }) => !known.has(digest));
  const removed = before.filter(({ digest }) => !still.has(digest));
  const shownOf = (item: TrustedItem) => approvable.find((one) => one.item.digest === item.digest)?.shown ?? item.text;
  const paired = new Set<TrustedItem>();
  const changes = added.map((item): ItemChange => {
    const { kind, id } = item;
    const earlier = removed.find((one) => one.kind === kind && one.id === id && !paired.has(one));
    if (earlier !== undefined) paired.add(earlier);
    const how = earlier === undefined ? 'added' : 'edited';
    return { kind: kind as TrustKind, id, how, before: earlier?.text ?? null, after: shownOf(item) };
  });
  const gone = removed.filter((item) => !paired.has(item));
  return [
    ...changes,
    ...gone.map(({ kind, id, text }): ItemChange => {
      return { kind: kind as TrustKind, id, how: 'removed', before: text, after: null };
    }),
  ];
}

interface Earlier {
  readonly folder: string;
  readonly texts: Readonly<Record<string, string>>;
}

function fileDifferences(before: TrustedContent, now: FolderContent, earlier: Earlier): readonly FileDifference[] {
  const keys = [...new Set([...Object.keys(before.files), ...Object.keys(now.content.files)])].sort();
  return keys.flatMap((key) => {
    const [was, is] = [before.files[key], now.content.files[key]];
    const how = howDifferent(was, is);
    if (how === null) return [];
    return [{ path: key.replace(/#scripts$/, ''), how, diff: diffOf(was, is, earlier) }];
  });
}

/** Null when both are the same, and for a missing file that may go on missing. */
function howDifferent(was: TrustedFile | undefined, is: TrustedFile | undefined): FileDifference['how'] | null {
  const [wasThere, isThere] = [isPresent(was), isPresent(is)];
  if (!wasThere && !isThere) return null;
  if (!wasThere) return 'added';
  if (is === undefined) return 'no longer run';
  if (!isThere) return 'deleted';
  if (was?.is === 'scripts' || is.is === 'scripts') return scriptsText(was) === scriptsText(is) ? null : 'edited';
  if (was?.is !== 'file' || is.is !== 'file') return 'edited';
  if (was.digest !== is.digest) return 'edited';
  if (was.real !== is.real) return 'linked elsewhere';
  return was.executable === is.executable ? null : 'made executable or not';
}

const isPresent = (file: TrustedFile | undefined) => file !== undefined && file.is !== 'missing';

const LONGEST_DIFF_LINES = 400;

function diffOf(was: TrustedFile | undefined, is: TrustedFile | undefined, { folder, texts }: Earlier): string {
  const before = was?.is === 'file' ? texts[was.digest] : (scriptsText(was) ?? '');
  const after = is?.is === 'file' ? textOf(path.resolve(folder, is.path)) : (scriptsText(is) ?? '');
  if (before === undefined || after === null) return '';
  const name = is?.path ?? was?.path ?? '';
  const patch = createTwoFilesPatch(`approved/${name}`, name, before, after, '', '', { context: 3 });
  const lines = patch.split('\n').slice(1);
  if (lines.length <= LONGEST_DIFF_LINES) return lines.join('\n');
  return [...lines.slice(0, LONGEST_DIFF_LINES), `… ${lines.length - LONGEST_DIFF_LINES} more lines`, ''].join('\n');
}

function scriptsText(file: TrustedFile | undefined): string | null {
  if (file?.is !== 'scripts') return null;
  const set = Object.entries(file.scripts).filter(([, text]) => text !== null);
  return `${set.map(([name, text]) => `${name}: ${text}`).join('\n')}\n`;
}
