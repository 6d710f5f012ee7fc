import { currentFolder } from '../system/currentFolder.ts';
import { hideOwnSecrets } from '../system/hideOwnSecrets.ts';
import { dropEmptyHome, stopgateHome, whyNoHome } from '../system/stopgateHome.ts';
import { terminalText } from '../system/terminalText.ts';
import { UserError } from '../system/userError.ts';
import { whyUnwritable } from '../system/whyUnwritable.ts';
import { prepareHome } from './wiring/prepareHome.ts';

/** The outermost layer of the command: errors become one sentence; `--debug` adds the stack. */
async function main(argv: readonly string[]): Promise<number> {
  dropEmptyHome(process.env);
  const none = whyNoHome(process.env);
  if (none !== null) throw new UserError(`${none}.`);
  currentFolder();
  const unsafe = prepareHome(process.env, { isDryRun: argv.includes('--dry-run') });
  if (unsafe !== null) throw new UserError(`${unsafe}.`, 1);
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
  // commander has already printed its own message
  if (known.code?.startsWith('commander.')) return known.exitCode === 0 ? 0 : 2;
  const unwritable = debug ? null : whyUnwritable(error, stopgateHome(process.env));
  if (unwritable !== null) {
    process.stderr.write(terminalText(`stopgate: ${unwritable}\n`));
    return 1;
  }
  const text = debug ? stack : `${message} (run again with --debug for the stack)`;
  process.stderr.write(terminalText(`stopgate: internal error: ${text}\n`));
  return 70;
}

const LONG_LIVED: ReadonlySet<string | undefined> = new Set(['worker', 'fleet', 'launch']);

/** Before starting anything that could read this process's memory. */
function hideSecrets(argv: readonly string[]): void {
  const hiding = hideOwnSecrets();
  if (hiding.type !== 'notHidden' || !(argv.includes('--debug') || LONG_LIVED.has(argv[2]))) return;
  const what = hiding.what.join(', ');
  process.stderr.write(`stopgate: other processes of this user can read ${what} of this process (${hiding.reason}).\n`);
}

hideSecrets(process.argv);
// idle keep-alive sockets would delay a normal exit by seconds
void main(process.argv)
  .catch(reportError)
  .then((code) => process.exit(code));
