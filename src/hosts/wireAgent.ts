import path from 'node:path';
import type { Git } from '../git/git.ts';
import { stopHookSeconds } from '../stop/checks/hookTime.ts';
import { readConfig } from '../stop/checks/readConfig.ts';
import { UserError } from '../system/userError.ts';
import type { World } from '../system/world.ts';
import type { AgentCommand } from './agentCommand.ts';
import { type HostFeature, hookEntries } from './claudeCode/entries.ts';
import { entryPaths } from './claudeCode/entryPaths.ts';
import { hideFromGit, trackedNote } from './claudeCode/hideFromGit.ts';
import { holdSettings } from './claudeCode/settings/holdSettings.ts';
import { whyHooksAreOff } from './claudeCode/whyHooksAreOff.ts';
import { resolveProfile } from './resolveProfile.ts';

/** Our hooks in an agent's settings, until released. */
export interface WiredAgent extends AsyncDisposable {
  readonly notes: readonly string[];
  /** For the agent and for snapshots meanwhile: git does not see what we put into its settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Brings the settings back; sentences for the report. A second call does nothing. */
  release(): Promise<readonly string[]>;
}

export interface WiringWish {
  readonly command: AgentCommand;
  readonly features: readonly HostFeature[];
  readonly profile: string;
  readonly folder: string;
  readonly world: World;
  readonly git: Git;
}

export async function wireAgent(wish: WiringWish): Promise<WiredAgent> {
  return WAYS[wish.command.wiredBy](wish);
}

const WAYS: { readonly [Way in AgentCommand['wiredBy']]: (wish: WiringWish) => Promise<WiredAgent> } = {
  claudeSettings: wireClaude,
  itself: async ({ world }) => unwired(world, []),
  environment: async ({ command, world }) =>
    unwired(world, [`${command.name} sees the clock only in its environment (STOPGATE_BUDGET_END); no hook tells it`]),
};

function unwired({ env }: World, notes: readonly string[]): WiredAgent {
  return { notes, env, release: async () => [], [Symbol.asyncDispose]: async () => {} };
}

async function wireClaude({ features, profile, folder, world, git }: WiringWish): Promise<WiredAgent> {
  const hooksDir = await resolveProfile(profile, world);
  const config = await readConfig(folder);
  const stopSeconds = stopHookSeconds(config.type === 'config' ? config.done.checks : []);
  const entries = hookEntries(features, { ...entryPaths(), hooksDir, stopSeconds });
  const file = path.join(folder, '.claude', 'settings.local.json');
  const hold = await holdSettings({ file, within: folder, kind: 'launch', entries }, world);
  if (hold.type === 'refused') throw new UserError(hold.reason);
  const excludesFile = path.join(world.stopgateHome, 'hosts', 'claudeCode', 'excludes');
  const hidden = await hideFromGit({ git, folder, homeDir: world.homeDir, env: world.env, excludesFile });
  const off = await whyHooksAreOff(folder, world);
  const notes = [...(off === null ? [] : [off]), ...hold.notes, ...hidden.notes, ...(await trackedNote(git, folder))];
  let released: Promise<readonly string[]> | undefined;
  const release = () =>
    (released ??= hold.release().then((end) => (end.type === 'refused' ? [end.reason] : end.notes)));
  return { notes, env: hidden.env, release, [Symbol.asyncDispose]: async () => void (await release()) };
}
