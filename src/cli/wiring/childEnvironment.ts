/** What an agent's own commands have no need of: whoever writes a prompt must not be able to print a key. */
const SECRETS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'OPENAI_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
];

/** This session's own: an agent that it starts must not write over its state. */
const OWN = ['STOPGATE_JOB_DIR', 'STOPGATE_TEAMMATE_NAME'];

/**
 * The environment of the commands a model runs: ours without the providers' keys. STOPGATE_PASS_ENV names, with
 * commas between, those that a project's tests do need.
 */
export function childEnvironment(
  env: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = new Set((env.STOPGATE_PASS_ENV ?? '').split(',').map((name) => name.trim()));
  const kept = Object.entries(env).filter(
    ([name]) => (!SECRETS.includes(name) && !OWN.includes(name)) || passed.has(name),
  );
  return { ...withSafeGit({ ...Object.fromEntries(kept), ...extra }), CLAUDECODE: '1', STOPGATE: '1' };
}

/**
 * A clone can carry a whole bare repository as ordinary files, and with it a configuration that names programs: a mere
 * `git status` in that folder would run them. Git then only obeys repositories that are named.
 */
function withSafeGit(env: Record<string, string>): Record<string, string> {
  const count = Number.parseInt(env.GIT_CONFIG_COUNT ?? '0', 10) || 0;
  return {
    ...env,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  };
}
