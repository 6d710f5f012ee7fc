import type { HookPolicy } from '../../hooks/configure/configureHooks.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';

/** Whether hooks run at all: a person may switch off all but the administrator's, the administrator all of them. */
export function hookPolicy({ merged, layers }: LoadedSettings, trusted: boolean): HookPolicy {
  const managedOff = layers.some(({ source, settings }) => source === 'managed' && settings.disableAllHooks === true);
  const off = managedOff ? 'all' : merged.disableAllHooks ? 'exceptManaged' : undefined;
  return {
    ...(off ? { disableAllHooks: off } : {}),
    ...(merged.allowManagedHooksOnly ? { allowManagedHooksOnly: true } : {}),
    trusted: () => trusted,
  };
}
