import { trustStore } from '../../session/trust/trustStore.ts';
import type { PromptFlags } from '../promptFlags.ts';
import type { World } from '../world.ts';

/** Whether the project's own files may widen what runs: for this run by flag or variable, or for good by `stopgate trust`. */
export async function isTrusted(flags: Pick<PromptFlags, 'trustProject'>, world: World): Promise<boolean> {
  if (flags.trustProject || world.env.STOPGATE_TRUST_PROJECT === '1') return true;
  return trustStore(world.stopgateHome).isTrusted(world.cwd);
}
