import type { PermissionContext } from '../../../query/toolUseContext.ts';
import { NO_SANDBOX } from '../../../schemas/sandboxSettings.ts';
import type { LoadedSettings } from '../../../session/settings/types.ts';
import { childEnvironment } from '../../../stop/childEnvironment.ts';
import { UserError } from '../../../system/userError.ts';
import type { World } from '../../../system/world.ts';
import type { PromptFlags } from '../promptFlags.ts';
import { hookEnvFile, type SessionPlace } from '../sessionPlaces.ts';

interface SandboxParts extends SessionPlace {
  readonly settings: LoadedSettings;
  readonly permissions: PermissionContext;
}

/** The sandbox that settings or `--require-sandbox` enable; its code is loaded only then. */
export async function gatherSandbox({ requireSandbox: required }: PromptFlags, world: World, parts: SandboxParts) {
  const { merged } = parts.settings;
  const settings = merged.sandbox ?? NO_SANDBOX;
  if (!(required || settings.enabled || settings.forced)) return { open: undefined, warnings: unused(settings) };
  const { openSandbox } = await import('./openSandbox.ts');
  const opened = await openSandbox({
    settings,
    permissions: parts.permissions,
    world,
    env: childEnvironment(world.env, merged.env, parts.history.sessionId),
    envFile: hookEnvFile(parts),
    required,
    warn: (sentence) => process.stderr.write(`stopgate: ${sentence}\n`),
  });
  if (opened.type === 'open') return { open: opened, warnings: opened.warnings };
  const { reason } = opened;
  if (required || settings.failIfUnavailable) {
    const by = required ? '--require-sandbox' : 'sandbox.failIfUnavailable';
    throw new UserError(`No sandbox is available, but ${by} requires one: ${reason}.`);
  }
  const warning = `sandbox.enabled has no effect; commands run without a sandbox: ${reason}.`;
  return { open: undefined, warnings: [warning] };
}

/** Warns about settings of a sandbox that is not enabled. */
function unused({ enabled, ...rest }: typeof NO_SANDBOX): readonly string[] {
  const isSet = enabled === undefined && JSON.stringify(rest) !== JSON.stringify(NO_SANDBOX);
  return isSet ? ['The sandbox settings have no effect: sandbox.enabled is not true.'] : [];
}
