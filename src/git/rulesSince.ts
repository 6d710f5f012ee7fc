import type { Git, GitEnd, GitFailure } from './git.ts';
import type { WorkTree } from './workTree.ts';

/** The .gitignore files that differ between an earlier commit and HEAD. None when the earlier one is gone. */
export async function rulesSince(
  git: Git,
  { topLevel, head }: WorkTree,
  since: string | undefined,
): Promise<string[] | GitFailure> {
  if (since === undefined || head === undefined || since === head) return [];
  const rules: string[] = [];
  const args = ['diff-tree', '-r', '--name-only', '--no-renames', '--end-of-options', since, head];
  const onLine = (line: string) => void (/(^|\/)\.gitignore"?$/.test(line) && rules.push(line));
  const end = await git.run({ folder: topLevel, args, onLine });
  // a commit that a rebase left behind may have been collected
  return end.type === 'failed' && /bad object|unknown revision|invalid object/i.test(end.stderr)
    ? []
    : failedOr(end, rules);
}

const failedOr = <Value>(end: GitEnd, value: Value) => (end.type === 'failed' ? end : value);
