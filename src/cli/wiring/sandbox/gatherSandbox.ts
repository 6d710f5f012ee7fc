import type { PermissionContext } from '../../../query/toolUseContext.ts';
import { NO_SANDBOX } from '../../../schemas/sandboxSettings.ts';
import type { LoadedSettings } from '../../../session/settings/types.ts';
import { UserError } from '../../../system/userError.ts';
import type { World } from '../../../system/world.ts';
import type { PromptFlags } from '../promptFlags.ts';
import type { OpenedSandbox } from './openSandbox.ts';

export interface GatheredSandbox {
  readonly open: Extract<OpenedSandbox, { type: 'open' }> | undefined;
  readonly warnings: readonly string[];
}

interface SandboxOptions {
  readonly flags: PromptFlags;
  readonly settings: LoadedSettings;
  readonly permissions: PermissionContext;
  readonly world: World;
  readonly env: () => Readonly<Record<string, string>>;
  readonly envFile: string;
}

/** The sandbox that settings or `--require-sandbox` enable; its code is loaded only then. */
export async function gatherSandbox(options: SandboxOptions): Promise<GatheredSandbox> {
  const { flags, settings, permissions, world, env, envFile } = options;
  const sandbox = settings.merged.sandbox ?? NO_SANDBOX;
  const required = flags.requireSandbox;
  if (!(required || sandbox.enabled || sandbox.forced)) return { open: undefined, warnings: unused(sandbox) };
  const { openSandbox } = await import('./openSandbox.ts');
  const warn = (sentence: string) => process.stderr.write(`stopgate: ${sentence}\n`);
  const facts = { settings: sandbox, permissions, world, env: env(), envFile, required, warn };
  const opened = await openSandbox(facts);
  if (opened.type === 'open') return { open: opened, warnings: opened.warnings };
  const { reason } = opened;
  if (required || sandbox.failIfUnavailable) {
    const by = required ? '--require-sandbox' : 'sandbox.failIfUnavailable';
    throw new UserError(`No sandbox is available, but ${by} requires one: ${reason}.`);
  }
  return {
    open: undefined,
    warnings: [`sandbox.enabled has no effect; commands run without a sandbox: ${reason}.`],
  };
}

/** Warns about settings of a sandbox that is not enabled. */
function unused({ enabled, ...rest }: typeof NO_SANDBOX): readonly string[] {
  const isSet = enabled === undefined && JSON.stringify(rest) !== JSON.stringify(NO_SANDBOX);
  return isSet ? ['The sandbox settings have no effect: sandbox.enabled is not true.'] : [];
}
