import { REPORTED, SPEND_FILE } from '../../system/marks.ts';
import { withGitSetting } from './withGitSetting.ts';

/** What an agent's own commands have no need of: whoever writes a prompt must not be able to print a key. */
export const SECRETS: readonly string[] = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'OPENAI_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AZURE_OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'MISTRAL_API_KEY',
  'XAI_API_KEY',
  'GROQ_API_KEY',
  'DEEPSEEK_API_KEY',
];

/** This session's own: an agent that it starts must not write over its state. */
const OWN = ['STOPGATE_JOB_DIR', 'CLAUDE_JOB_DIR', 'STOPGATE_TEAMMATE_NAME', REPORTED, SPEND_FILE];

/**
 * The environment of the commands a model runs: ours without the providers' keys. STOPGATE_PASS_ENV names, with
 * commas between, those that a project's tests do need.
 */
export function childEnvironment(
  env: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>>,
  sessionId?: string,
): Record<string, string> {
  const passed = new Set((env.STOPGATE_PASS_ENV ?? '').split(',').map((name) => name.trim()));
  const kept = Object.entries(env).filter(
    ([name]) => (!SECRETS.includes(name) && !OWN.includes(name)) || passed.has(name),
  );
  return {
    ...withSafeGit({ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli', ...Object.fromEntries(kept), ...extra }),
    CLAUDECODE: '1',
    STOPGATE: '1',
    ...(sessionId === undefined ? {} : { CLAUDE_CODE_SESSION_ID: sessionId }),
  };
}

/**
 * A clone can carry a whole bare repository as ordinary files, and with it a configuration that names programs: a mere
 * `git status` in that folder would run them. Git then only obeys repositories that are named.
 */
function withSafeGit(env: Record<string, string>): Readonly<Record<string, string>> {
  return withGitSetting(env, 'safe.bareRepository', 'explicit');
}
