import { ancestorsOf } from '../../../system/ancestors.ts';
import { startOfProcess } from '../../../system/processLife.ts';

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'ash', 'busybox']);
const MOST_LEVELS = 8;

/**
 * The caller, skipping shells that run only one command: the `sh -c …` of each call of an agent, and the copy of itself that a
 * script starts for `$(…)`. A claim is active while this process lives, and must not look abandoned when such a shell ends.
 * Null when that leads to init.
 */
export function callingProcess(): { readonly pid: number; readonly startedAt: string | null } | null {
  const ancestors = ancestorsOf();
  const lasts = (words: readonly string[], at: number) => !endsWithOneCommand(words, ancestors[at + 1]?.words);
  const caller = ancestors.slice(0, MOST_LEVELS).find(({ words }, at) => lasts(words, at));
  // the ancestry is not known on every system
  const pid = ancestors.length === 0 ? process.ppid : (caller?.pid ?? 1);
  return pid > 1 ? { pid, startedAt: startOfProcess(pid) ?? null } : null;
}

function endsWithOneCommand(words: readonly string[], ofParent: readonly string[] = []): boolean {
  const [program = '', ...args] = words;
  // a login shell is called -bash
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '');
  if (!SHELLS.has(name)) return false;
  const firstWord = args.findIndex((arg) => !arg.startsWith('-'));
  const options = firstWord === -1 ? args : args.slice(0, firstWord);
  return options.some((arg) => /^-[a-z]*c[a-z]*$/.test(arg)) || words.join('\0') === ofParent.join('\0');
}
