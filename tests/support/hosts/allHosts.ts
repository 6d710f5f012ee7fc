/**
 * What is shown of other agents' programs again and again, or of them alone: the versions are pinned, so that it changes only when
 * a version does.
 */
export const ALL_HOSTS = process.env.STOPGATE_ALL_HOSTS === '1';

/** The cases of every run; all of them with the switch, which is said. */
export function everyday<Case>(
  file: string,
  cases: readonly Case[],
  isEveryday: (one: Case) => boolean,
): readonly Case[] {
  const chosen = ALL_HOSTS ? cases : cases.filter(isEveryday);
  if (chosen.length < cases.length)
    process.stdout.write(`${file}: ${chosen.length} of ${cases.length} cases (all with STOPGATE_ALL_HOSTS=1).\n`);
  return chosen;
}
