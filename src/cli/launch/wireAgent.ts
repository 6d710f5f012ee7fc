import path from 'node:path';
import { type HostFeature, hookEntries } from '../../hosts/claudeCode/entries.ts';
import { holdSettings } from '../../hosts/claudeCode/settings/holdSettings.ts';
import { entryPaths } from '../hosts/entryPaths.ts';
import { UserError } from '../userError.ts';
import type { World } from '../world.ts';
import type { AgentCommand } from './agentCommand.ts';
import { resolveProfile } from './resolveProfile.ts';

/** Our hooks in an agent's settings, until released. */
export interface WiredAgent extends AsyncDisposable {
  readonly notes: readonly string[];
  /** Brings the settings back; sentences for the report. A second call does nothing. */
  release(): Promise<readonly string[]>;
}

export interface WiringWish {
  readonly command: AgentCommand;
  readonly features: readonly HostFeature[];
  readonly profile: string;
  readonly folder: string;
  readonly world: World;
}

export async function wireAgent(wish: WiringWish): Promise<WiredAgent> {
  return WAYS[wish.command.wiredBy](wish);
}

const WAYS: { readonly [Way in AgentCommand['wiredBy']]: (wish: WiringWish) => Promise<WiredAgent> } = {
  claudeSettings: wireClaude,
  itself: async () => unwired([]),
  environment: async ({ command }) =>
    unwired([`${command.name} sees the clock only in its environment (STOPGATE_BUDGET_END); no hook tells it`]),
};

function unwired(notes: readonly string[]): WiredAgent {
  return { notes, release: async () => [], [Symbol.asyncDispose]: async () => {} };
}

async function wireClaude({ features, profile, folder, world }: WiringWish): Promise<WiredAgent> {
  const hooksDir = await resolveProfile(profile, world);
  const entries = hookEntries(features, { ...entryPaths(), hooksDir });
  const file = path.join(folder, '.claude', 'settings.local.json');
  const hold = await holdSettings({ file, kind: 'launch', entries }, world);
  if (hold.type === 'refused') throw new UserError(hold.reason);
  let released: Promise<readonly string[]> | undefined;
  const release = () =>
    (released ??= hold.release().then((end) => (end.type === 'refused' ? [end.reason] : end.notes)));
  return { notes: hold.notes, release, [Symbol.asyncDispose]: async () => void (await release()) };
}
