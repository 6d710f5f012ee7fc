import { enableCompileCache } from 'node:module';
import { hideOwnSecrets } from '../system/hideOwnSecrets.ts';
import { makeHome, stopgateHome, whyHomeUnsafe } from '../system/stopgateHome.ts';
import { terminalText } from './output/terminalText.ts';
import { UserError } from './userError.ts';

/** The command's outermost layer: what goes wrong is a sentence; `--debug` adds the stack. */
async function main(argv: readonly string[]): Promise<number> {
  prepareHome(argv, process.env);
  const { buildProgram } = await import('./program.ts');
  let exitCode = 0;
  const program = buildProgram(argv.slice(2), (code) => {
    exitCode = code;
  });
  await program.parseAsync(argv);
  return exitCode;
}

function reportError(error: unknown): number {
  const debug = process.argv.includes('--debug');
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof UserError) {
    process.stderr.write(terminalText(`stopgate: ${debug ? stack : message}\n`));
    return error.exitCode;
  }
  const known = error as { code?: string; exitCode?: number };
  // commander has printed its own sentence already
  if (known.code?.startsWith('commander.')) return known.exitCode === 0 ? 0 : 2;
  const told = debug ? stack : `${message} (run again with --debug for the stack)`;
  process.stderr.write(terminalText(`stopgate: internal error: ${told}\n`));
  return 70;
}

/**
 * Before anything is loaded: what creates our folder after this finds it closed to others, and code that another user may
 * have put there would run as ours.
 */
function prepareHome(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const keepsCompiled = !env.NODE_DISABLE_COMPILE_CACHE;
  // a dry run writes nothing but the cache
  if (keepsCompiled || !argv.includes('--dry-run')) makeHome(env);
  const unsafe = whyHomeUnsafe(env);
  if (unsafe !== null) throw new UserError(`${unsafe}.`, 1);
  // parsing costs more than running
  if (keepsCompiled) enableCompileCache(`${stopgateHome(env)}/cache/compile`);
}

/** What runs for long beside other programs. */
const LONG_LIVED: ReadonlySet<string | undefined> = new Set(['worker', 'fleet', 'launch']);

/** Before anything is started that could look at this process. */
function hideSecrets(argv: readonly string[]): void {
  const hiding = hideOwnSecrets();
  if (hiding.type !== 'notHidden' || !(argv.includes('--debug') || LONG_LIVED.has(argv[2]))) return;
  const what = hiding.what.join(', ');
  process.stderr.write(`stopgate: other processes of this user can read ${what} of this one (${hiding.reason}).\n`);
}

hideSecrets(process.argv);
// Idle keep-alive sockets would hold the process for seconds; everything that matters was awaited before this.
void main(process.argv)
  .catch(reportError)
  .then((code) => process.exit(code));
