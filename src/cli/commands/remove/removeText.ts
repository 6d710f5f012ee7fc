import type { ReleasedSettings } from '../../../hosts/claudeCode/settings/holdSettings.ts';
import type { Page } from '../../output/page.ts';
import { changeDiff } from '../init/shownChange.ts';

/** What was taken out of one file, in a line or two. */
export function removedText(removed: ReleasedSettings, dryRun: boolean, page: Page): string {
  const diff = dryRun ? changeDiff(removed, page.paint) : '';
  return `${diff}${page.block(sentences(removed, dryRun, page).join(' '), 0)}\n`;
}

function sentences(removed: ReleasedSettings, dryRun: boolean, page: Page): readonly string[] {
  const { holders, gone, notes } = removed;
  const pids = (list: ReleasedSettings['holders']) => list.map(({ pid }) => pid).join(', ');
  return [
    whatHappened(removed, dryRun, page),
    ...(gone.length > 0 ? [`A launch that was killed (process ${pids(gone)}) had left it so.`] : []),
    ...(holders.length > 0
      ? [
          `A launch still runs (process ${pids(holders)}) and keeps its entries until it ends; --force takes them out now.`,
        ]
      : []),
    ...notes,
  ];
}

function whatHappened(
  { file, before, after, changed, ...rest }: ReleasedSettings,
  dryRun: boolean,
  page: Page,
): string {
  const name = page.place({ file });
  const is = dryRun ? 'would be' : 'is';
  if (changed && after.type === 'absent')
    return `${name} ${is} deleted: it was made by Stopgate and held nothing else.`;
  if (changed && rest.holders.length > 0) return `${name} ${is} changed: what was not a launch's is taken out.`;
  if (changed && rest.exact) return `${name} ${is} as it was before Stopgate came.`;
  if (changed) return `${name} ${is} without Stopgate's entries; what else was edited since stays.`;
  if (rest.holders.length > 0) return `${name} stays as it is.`;
  return `Nothing to remove: ${name} ${before.type === 'absent' ? 'is not there' : 'has nothing of Stopgate in it'}.`;
}
