import { openGit } from '../../git/git.ts';
import { readOnlyEnvironment } from '../../git/readOnlyEnvironment.ts';
import { gitReads } from '../../permissions/shell/gitReads.ts';
import { isReadOnlyCommand } from '../../permissions/shell/readOnlyCommand.ts';
import { ownPath } from '../../system/ownPath.ts';
import type { ToolContext } from '../toolContext.ts';

export type CommandEnvironment =
  | { readonly type: 'environment'; readonly env: Readonly<Record<string, string>> }
  | { readonly type: 'refused'; readonly reason: string };

type Facts = Pick<ToolContext, 'env' | 'processes' | 'repositoryPrograms' | 'signal'>;

const GIT_MS = 5_000;

/**
 * The environment of a command. One that only reads with git needs no rule, so git must not run programs that only the
 * repository configures; a command that a rule allows runs as for the user.
 */
export async function commandEnvironment(command: string, cwd: string, facts: Facts): Promise<CommandEnvironment> {
  const { processes, signal } = facts;
  if (facts.repositoryPrograms === 'run') return { type: 'environment', env: facts.env };
  const env = isReadOnlyCommand(command) ? withoutProject(facts.env, cwd) : facts.env;
  const use = gitReads(command, cwd);
  if (use.type === 'notOnlyReading') return { type: 'environment', env };
  if (use.type === 'unclear') return { type: 'refused', reason: `${use.reason} ${ADVICE}` };
  const git = openGit({ processes, env, signal, timeoutMs: GIT_MS });
  const found = await readOnlyEnvironment(git, use.folders, env);
  if (found.type === 'environment') return { type: 'environment', env: found.variables };
  return { type: 'refused', reason: `${found.reason} ${ADVICE}` };
}

/** A project must not replace a reading command, which needs no rule, with its own program. */
function withoutProject(env: Facts['env'], cwd: string): Facts['env'] {
  return env.PATH === undefined ? env : { ...env, PATH: ownPath(env.PATH, cwd) };
}

const ADVICE =
  'Stopgate did not run the command: it could run programs from the git configuration of an untrusted project. Run git in a separate command, or let the user trust the project (stopgate trust).';
