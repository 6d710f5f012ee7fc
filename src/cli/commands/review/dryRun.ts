import { type Composition, composeGroup } from '../../../launch/land/composeGroup.ts';
import { namesOf, shortCommit } from '../../../launch/land/landing.ts';
import { landingChecks } from '../../../launch/land/landingChecks.ts';
import { landingTarget } from '../../../launch/land/landingTarget.ts';
import { gitAt } from '../../../launch/land/remotePlace.ts';
import { UserError } from '../../../system/userError.ts';
import { groupedByPlace } from './landAndReport.ts';
import type { AcceptedWork, Accepting } from './runAccept.ts';

/** Combines the work without changing the store or a branch; the checks do not run. */
export async function dryRun(
  work: readonly AcceptedWork[],
  { places, world, options, out }: Accepting,
): Promise<number> {
  const results: object[] = [];
  const lines: string[] = [];
  for (const [place, group] of groupedByPlace(work)) {
    const git = gitAt(place, places);
    const found = await landingTarget({ git, world, place }).tip();
    if (found.type !== 'tip') throw new UserError(`${found.reason}.`.replace(/\.\.$/, '.'), 1);
    const { commit: tip } = found;
    const items = group.map(({ review, commit, method }) => ({ ...review, method, reviewedCommit: commit }));
    const made = await composeGroup(items, tip, { git, world, place });
    if (made.type === 'failed') throw new UserError(made.reason, 1);
    const checks = await landingChecks(place, world);
    const what =
      checks.type === 'unusable'
        ? checks.reason
        : checks.definition === null
          ? 'no definition of done'
          : 'the definition of done';
    lines.push(...linesOf(made, place.target), `The checks would be: ${what}.`);
    results.push({ target: place.target, tip, checks: what, ...jsonOf(made) });
  }
  await world.processes.endAll();
  out.print(options.json ? `${JSON.stringify({ dryRun: true, results })}\n` : `${lines.join('\n')}\n`);
  return 0;
}

function linesOf({ combined, contained, conflicts }: Composition, target: string): readonly string[] {
  const last = combined.at(-1);
  const clean = last && `${namesOf(combined.map(({ item }) => item))} would be landed on ${target} without conflicts.`;
  return [
    ...(clean === undefined ? [] : [clean]),
    ...contained.map(({ taskId }) => `${taskId} is on ${target} already.`),
    ...conflicts.map(({ item, files, isOwn }) => {
      const other = isOwn ? target : 'the work before it';
      return `${item.taskId} conflicts with ${other} in ${files.join(', ')}.`;
    }),
  ];
}

const jsonOf = ({ combined, contained, conflicts }: Composition) => ({
  clean: combined.map(({ item, commit }) => ({ taskId: item.taskId, commit: shortCommit(commit) })),
  contained: contained.map(({ taskId }) => taskId),
  conflicts: conflicts.map(({ item, files, isOwn }) => ({ taskId: item.taskId, files, withTarget: isOwn })),
});
