import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import { namesIn, PASS_ENV, withheldFrom } from '../../system/secretPolicy.ts';

/** A sentence for each hook whose command uses a secret that it does not get: it would find an empty word there. */
export function withheldNotes(
  hooks: readonly ConfiguredHook[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const commands = hooks.filter(({ kind }) => kind === 'command');
  if (commands.length === 0) return [];
  const withheld = withheldFrom('hook', env);
  return commands.flatMap(({ event, label, file, path, settings: { allowedEnvVars = [] } }) => {
    const names = namesIn(label, withheld).filter((name) => !allowedEnvVars.includes(name));
    if (names.length === 0) return [];
    const list = names.map((name) => `"${name}"`).join(', ');
    return [
      `The ${event} hook at ${file}: ${path} uses ${names.join(', ')}, which hooks do not get; add "allowedEnvVars": [${list}] to it, or set ${PASS_ENV}=${names.join(',')}.`,
    ];
  });
}
