import { withSettings } from '../git/hardening.ts';
import { REPORTED, SPEND_FILE } from '../system/marks.ts';
import { environmentFor, mergedEnvironment, withheldFrom } from '../system/secretPolicy.ts';
import { workerIdentity } from './worker/workerIdentity.ts';

/** This session's own: an agent that it starts must not write over its state. */
const OWN = ['STOPGATE_JOB_DIR', 'CLAUDE_JOB_DIR', 'STOPGATE_TEAMMATE_NAME', REPORTED, SPEND_FILE];

type Environment = Readonly<Record<string, string>>;

/** The environment of the commands a model runs, and of checks: ours and the settings', without secrets. */
export function childEnvironment(env: Environment, extra: Environment, sessionId?: string): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !OWN.includes(name)));
  const merged = mergedEnvironment<Environment>(kept, extra);
  const granted = sessionId === undefined ? [] : neededBy(env);
  return {
    ...withSafeGit({ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli', ...environmentFor('command', merged, granted) }),
    CLAUDECODE: '1',
    STOPGATE: '1',
    ...(sessionId === undefined ? {} : { CLAUDE_CODE_SESSION_ID: sessionId }),
  };
}

/** The names of secrets that the commands of a session do not get. */
export function withheldFromCommands(env: Environment, extra: Environment): ReadonlySet<string> {
  return withheldFrom('command', mergedEnvironment(env, extra), neededBy(env));
}

/** A worker's agent settles its task by a command, which has to reach the store. */
const neededBy = (env: Environment): readonly string[] => (workerIdentity(env) === null ? [] : ['STOPGATE_STORE']);

/**
 * A clone can carry a whole bare repository as ordinary files, and with it a configuration that names programs: a mere
 * `git status` in that folder would run them. Git then only obeys repositories that are named.
 */
function withSafeGit(env: Record<string, string>): Environment {
  return withSettings(env, { 'safe.bareRepository': 'explicit' });
}
