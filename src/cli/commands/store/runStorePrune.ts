import { describeKept, describePrune } from '../../../launch/prune/describePrune.ts';
import { type PruneReport, runPrune } from '../../../launch/prune/runPrune.ts';
import { worldGit } from '../../../stop/worldGit.ts';
import { wallNow } from '../../../system/clock.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { processWriter } from '../../../system/writer.ts';
import { progressOn } from '../../output/progress.ts';
import { visibleText } from '../../output/visibleText.ts';
import { available } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../wiring/store/taskExit.ts';
import type { WaitingWorld } from '../../wiring/store/taskWorld.ts';
import { durationMs, wholeNumber } from '../task/readFlags.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';

type PruneOptions = CommonOptions & Flags<'olderThan' | 'keep' | 'queue', 'dead' | 'unmerged' | 'dryRun'>;

/** `stopgate store prune`. */
export async function runStorePrune(options: PruneOptions, world: WaitingWorld): Promise<number> {
  const wish = wishOf(options);
  const here = thisWorld();
  const writer = processWriter(() => {});
  const progress = progressOn(writer, world.clock.now);
  await using store = await openTaskStore(options.store, world);
  const { unmerged = false, dryRun = false } = options;
  const run = runPrune({
    ...{ store, git: worldGit(here), cwd: world.cwd, stopgateHome: world.stopgateHome, now: wallNow(world.clock) },
    ...{ wish, unmerged, dryRun, actor: world.actor, isPolicy: false, signal: world.signal },
    onStep: (action, done, total) => progress.show(`${action} tasks`, done, total),
  });
  const report = available(await run.finally(() => progress.end()));
  await here.processes.endAll();
  if (report.type === 'notNoted') throw new UserError(report.reason);
  if (options.json) world.print(`${JSON.stringify(jsonOf(report))}\n`);
  else world.print(textOf(report, wish.olderThanMs));
  if (!world.signal.aborted) return TASK_EXIT.done;
  world.warn('Interrupted: what was removed until then is gone, everything else is as it was.');
  return TASK_EXIT.interrupted;
}

function wishOf({ olderThan, keep, dead, queue }: PruneOptions) {
  if (olderThan === undefined && keep === undefined)
    throw new UserError('Give what may go: --older-than 30d, or --keep 1000; --dry-run shows it first.');
  return {
    olderThanMs: durationMs('--older-than', olderThan, '12h or 30d') ?? 0,
    keep: wholeNumber('--keep', keep, { least: 0 }),
    dead,
    queue,
  };
}

function jsonOf({ type, tasks, attempts, events, files }: PruneReport) {
  return { type, tasks: tasks.map(({ id, title, state }) => ({ id, title, state })), attempts, events, files };
}

const MOST_SHOWN = 20;

function textOf(report: PruneReport, olderThanMs: number): string {
  const { type, tasks, files } = report;
  const isDry = type === 'dryRun';
  const age = olderThanMs > 0 ? ` that ended more than ${formatDuration(olderThanMs)} ago` : '';
  const isNothing = tasks.length + report.events + files.remove.length === 0;
  const head = isNothing
    ? `Nothing${age} can be removed.`
    : `${isDry ? 'Dry run, nothing was removed. Would remove' : 'Removed'} what ended${olderThanMs > 0 ? ` more than ${formatDuration(olderThanMs)} ago` : ''}: ${describePrune(report)}.`;
  const shown = tasks.slice(0, MOST_SHOWN).map(({ id, state, title }) => `  ${id}  ${state}  ${visibleText(title)}`);
  const more =
    tasks.length > MOST_SHOWN
      ? [`  … and ${(tasks.length - MOST_SHOWN).toLocaleString('en')} more (--json lists all)`]
      : [];
  const others = files.remove
    .filter(({ kind }) => kind !== 'log')
    .map(({ kind, name }) => `  ${kind} ${visibleText(name)}`);
  return `${[head, ...shown, ...more, ...others, ...describeKept(report).map(visibleText)].join('\n')}\n`;
}
