import type { FoundHost, HostToWire } from '../../../hosts/findHosts.ts';
import { HOST_FEATURES, type HostFeature } from '../../../hosts/host.ts';
import type { Page } from '../../output/page.ts';
import { visibleText } from '../../output/visibleText.ts';
import { isNothing } from '../trust/trustEffects.ts';
import { effectsText } from '../trust/trustText.ts';
import { CONFIG_NAME, configText } from './configFile.ts';
import type { FolderOfChecks, InitFacts } from './gatherInit.ts';
import type { ProposedCheck } from './proposeChecks.ts';
import type { Questions } from './questions.ts';

/** The features set on the command line. */
export type FeatureFlags = { readonly [Feature in HostFeature]?: boolean };

/** All decisions, made before anything is written: Ctrl-C at any question changes nothing. */
export interface InitChoice {
  readonly features: readonly HostFeature[];
  /** The checks of a new `stopgate.config.json`; empty when none is to be written. */
  readonly checks: readonly ProposedCheck[];
  readonly trusts: boolean;
}

export interface Terminal {
  /** Absent without a terminal: every answer is then the default. */
  readonly questions: Questions | undefined;
  readonly print: (text: string) => void;
  readonly page: Page;
}

export async function chooseInit(
  facts: InitFacts,
  flags: FeatureFlags,
  terminal: Terminal,
): Promise<InitChoice | 'interrupted'> {
  const features = await chooseFeatures(flags, terminal.questions);
  if (features === 'interrupted') return features;
  if (!facts.folder || !features.includes('checks')) return { features, checks: [], trusts: false };
  const writes = await wantsConfig(facts.folder, terminal);
  if (writes === 'interrupted') return writes;
  const trusts = await wantsTrust(facts.folder, terminal);
  if (trusts === 'interrupted') return trusts;
  return { features, checks: writes === 'yes' ? facts.folder.proposed : [], trusts: trusts === 'yes' };
}

/** Those whose program is on the PATH; without any, those that have settings here: an extension of an editor may bring its own. */
export function hostsHere(found: readonly FoundHost[]): readonly HostToWire[] {
  const installed = found.filter(({ program }) => program !== null);
  const here = installed.length > 0 ? installed : found.filter(({ configured }) => configured);
  return here.map(({ host }) => host);
}

/** Those on this machine; of several, after one question. Without any, the first of the list. */
export async function chooseHosts(
  found: readonly FoundHost[],
  questions: Questions | undefined,
): Promise<readonly HostToWire[] | 'interrupted'> {
  const here = hostsHere(found);
  if (here.length === 0) return found.slice(0, 1).map(({ host }) => host);
  if (here.length === 1 || !questions) return here;
  const names = here.map(({ title }) => title).join(', ');
  const answer = await questions.ask(`Add Stopgate to the ${here.length} agents on this machine: ${names}?`);
  return answer === 'interrupted' ? answer : answer === 'yes' ? here : [];
}

async function wantsConfig({ config, proposed }: FolderOfChecks, { questions, print, page }: Terminal) {
  if (config !== 'none' || proposed.length === 0) return 'no';
  if (!questions) return 'yes';
  print(`\nSuggested ${CONFIG_NAME}, from the files in this folder:\n`);
  print(`${page.quote(visibleText(configText(proposed).trimEnd()), '  │ ')}\n`);
  return questions.ask('Write it?');
}

/** A question only when trust would enable more than the checks, which were already chosen. */
async function wantsTrust({ path, trusted, waiting }: FolderOfChecks, { questions, print, page }: Terminal) {
  if (trusted) return 'no';
  if (isNothing(waiting.effects)) return 'yes';
  print(`\n${effectsText(path, waiting, page)}\n\n`);
  return questions ? questions.ask('Checks run only in a trusted folder. Trust this folder?') : 'yes';
}

const QUESTIONS: Readonly<Record<HostFeature, string>> = {
  checks: 'Run checks before the agent may stop, and give waiting tasks to workers?',
  countdown: 'Show the agent the time left after every tool call, when it has a deadline?',
  landing: 'Deny tool calls that need more time than is left?',
};

async function chooseFeatures(
  flags: FeatureFlags,
  questions: Questions | undefined,
): Promise<readonly HostFeature[] | 'interrupted'> {
  const chosen: HostFeature[] = [];
  for (const feature of HOST_FEATURES) {
    const flag = flags[feature];
    const answer = flag === undefined ? ((await questions?.ask(QUESTIONS[feature])) ?? 'yes') : flag ? 'yes' : 'no';
    if (answer === 'interrupted') return answer;
    if (answer === 'yes') chosen.push(feature);
  }
  return chosen;
}
