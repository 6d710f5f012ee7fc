import { HOST_FEATURES, type HostFeature } from '../../../hosts/host.ts';
import type { Questions } from './questions.ts';

/** What was said on the command line; what was not is asked, or on. */
export type FeatureFlags = { readonly [Feature in HostFeature]?: boolean };

const QUESTIONS: Readonly<Record<HostFeature, string>> = {
  checks: 'Run checks before the agent may stop, and hand waiting tasks to workers?',
  countdown: 'Tell the agent after every tool call how much time is left, when it has a deadline?',
  landing: 'Refuse tool calls that need more time than is left?',
};

export async function chooseFeatures(
  flags: FeatureFlags,
  questions: Questions | undefined,
): Promise<readonly HostFeature[] | 'interrupted'> {
  const chosen: HostFeature[] = [];
  for (const feature of HOST_FEATURES) {
    const said = flags[feature];
    const answer = said === undefined ? ((await questions?.ask(QUESTIONS[feature])) ?? 'yes') : said ? 'yes' : 'no';
    if (answer === 'interrupted') return answer;
    if (answer === 'yes') chosen.push(feature);
  }
  return chosen;
}
