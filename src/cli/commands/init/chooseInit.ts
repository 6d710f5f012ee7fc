import type { HostFeature } from '../../../hosts/host.ts';
import type { Page } from '../../output/page.ts';
import { visibleText } from '../../output/visibleText.ts';
import { isNothing } from '../trust/trustEffects.ts';
import { effectsText } from '../trust/trustText.ts';
import { chooseFeatures, type FeatureFlags } from './chooseFeatures.ts';
import { CONFIG_NAME, configText } from './configFile.ts';
import type { FolderOfChecks, InitFacts } from './gatherInit.ts';
import type { ProposedCheck } from './proposeChecks.ts';
import type { Questions } from './questions.ts';

/** All that is to be done, decided before anything is: Ctrl-C at any question leaves nothing behind. */
export interface InitChoice {
  readonly type: 'chosen';
  readonly features: readonly HostFeature[];
  /** The checks of a new `stopgate.config.json`; none when there is one, or none is wanted. */
  readonly checks: readonly ProposedCheck[];
  readonly trusts: boolean;
}

export interface Asking {
  /** Absent when nobody is asked: every answer is then the default. */
  readonly questions: Questions | undefined;
  readonly tell: (text: string) => void;
  readonly page: Page;
}

export async function chooseInit(
  facts: InitFacts,
  flags: FeatureFlags,
  asking: Asking,
): Promise<InitChoice | { readonly type: 'interrupted' }> {
  const features = await chooseFeatures(flags, asking.questions);
  if (features === 'interrupted') return { type: 'interrupted' };
  if (!facts.folder || !features.includes('checks')) return { type: 'chosen', features, checks: [], trusts: false };
  const writes = await wantsConfig(facts.folder, asking);
  const trusts = writes === 'interrupted' ? writes : await wantsTrust(facts.folder, asking);
  if (writes === 'interrupted' || trusts === 'interrupted') return { type: 'interrupted' };
  return { type: 'chosen', features, checks: writes === 'yes' ? facts.folder.proposed : [], trusts: trusts === 'yes' };
}

async function wantsConfig({ config, proposed }: FolderOfChecks, { questions, tell, page }: Asking) {
  if (config !== 'none' || proposed.length === 0) return 'no';
  if (!questions) return 'yes';
  tell(`\nFrom what is here, ${CONFIG_NAME} could be:\n`);
  tell(`${page.quote(visibleText(configText(proposed).trimEnd()), '  │ ')}\n`);
  return questions.ask('Write it?');
}

/** Asked only when trust would switch on more than the checks, since those were asked for. */
async function wantsTrust({ path, trusted, waiting }: FolderOfChecks, { questions, tell, page }: Asking) {
  if (trusted) return 'no';
  if (isNothing(waiting)) return 'yes';
  tell(`\n${effectsText(path, waiting, page)}\n\n`);
  return questions ? questions.ask('Checks run only in a trusted folder. Trust this one?') : 'yes';
}
