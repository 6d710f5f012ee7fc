import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import { namesIn, PASS_ENV, withheldFrom } from '../../system/secretPolicy.ts';

/** Programs that need the key of a model. */
const AGENT = /(?:^|[\s;&|"'/(])(?:claude|stopgate(?:\.js)?|codex|gemini|aider|opencode)["']?\s/;

/** Warns about each hook whose command uses a secret that it does not get: the variable would be empty. */
export function withheldNotes(
  hooks: readonly ConfiguredHook[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const commands = hooks.filter(({ kind }) => kind === 'command');
  if (commands.length === 0) return [];
  const withheld = withheldFrom('hook', env);
  const fromAgents = withheldFrom('otherAgent', env);
  const ofModels = [...withheld].filter((name) => !fromAgents.has(name));
  return commands.flatMap(({ event, label, file, path, settings: { allowedEnvVars = [] } }) => {
    const used = [...namesIn(label, withheld), ...(AGENT.test(label) ? ofModels : [])];
    const names = [...new Set(used)].filter((name) => !allowedEnvVars.includes(name));
    // one key is enough for an agent, and the author of the hook chose it
    if (names.length === 0 || (AGENT.test(label) && allowedEnvVars.length > 0)) return [];
    const list = names.map((name) => `"${name}"`).join(', ');
    return [
      `The ${event} hook at ${file}: ${path} ${AGENT.test(label) ? 'starts an agent and may need' : 'uses'} ${names.join(', ')}, which hooks do not get; add "allowedEnvVars": [${list}] to it, or set ${PASS_ENV}=${names.join(',')}.`,
    ];
  });
}
