import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from './hardening.ts';

/** One setting of git's configuration. The scopes `local` and `worktree` are the repository's own. */
export interface ConfigEntry {
  readonly scope: string;
  /** As git prints it: section and name in lower case, the subsection as written. */
  readonly key: string;
  readonly value: string;
}

/** A plain `diff`, because an empty command would make `git diff` fail. */
const PLAIN_DIFF = 'f() { diff -u -L "a/$1" -L "b/$1" "$2" "$5"; true; }; f';

/**
 * Keys whose value is a program, with a value that keeps git working without one. The repository chooses the names
 * between the dots (`filter.ANY.clean`), so no fixed list of overrides can be complete.
 */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^filter\..*\.(?:clean|smudge|process)$/s, ''],
  [/^filter\..*\.required$/s, 'false'],
  [/^diff\..*\.textconv$/s, 'cat'],
  [/^diff\..*\.cachetextconv$/s, 'false'],
  [/^diff\.(?:external|.*\.command)$/s, PLAIN_DIFF],
  [/^diff\..*\.trustexitcode$/s, 'false'],
  [/^merge\..*\.driver$/s, 'true'],
  [/^trailer\..*\.(?:command|cmd)$/s, 'true'],
  [/^hook\..*\.command$/s, 'true'],
  [/^core\.fsmonitor$/, 'false'],
  [/^core\.hookspath$/, '/dev/null'],
  [/^core\.sshcommand$/, 'ssh'],
  [/^(?:core|sequence)\.editor$/, 'true'],
  [/^core\.pager$|^interactive\.difffilter$/, 'cat'],
  [/^core\.alternaterefscommand$/, 'true'],
  [/^core\.askpass$|^credential\.(?:.*\.)?helper$/s, ''],
  [/^gpg\.(?:.*\.)?program$|^gpg\.ssh\.defaultkeycommand$/s, 'false'],
  [/^(?:difftool|mergetool|man|browser|guitool)\..*\.(?:cmd|path)$/s, 'false'],
  [/^tar\..*\.command$/s, 'false'],
  [/^remote\..*\.uploadpack$/s, 'git-upload-pack'],
  [/^remote\..*\.receivepack$/s, 'git-receive-pack'],
  [/^remote\..*\.vcs$/s, 'none'],
  [/^submodule\..*\.update$/s, 'checkout'],
];

/** Keys whose value is a file that git opens: a named pipe would block every command that reads it. */
const FILES = /^(?:core\.(?:excludesfile|attributesfile)|blame\.ignorerevsfile|mailmap\.file|diff\.orderfile)$/;

const OWN_SCOPES = new Set(['local', 'worktree']);

/** More programs do not fit into an environment. */
const MAX_KEYS = 400;

/** Reads `git config --list --null --show-scope`. */
export function readConfigList(output: string): readonly ConfigEntry[] {
  const fields = output.split('\0');
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, index) => {
    const [scope = '', setting = ''] = fields.slice(2 * index, 2 * index + 2);
    const end = setting.indexOf('\n');
    // without a value a key means `true`
    return end < 0
      ? { scope, key: setting, value: 'true' }
      : { scope, key: setting.slice(0, end), value: setting.slice(end + 1) };
  });
}

/**
 * Overrides each program of the repository's own configuration with the value from the user's own files, or one that
 * runs nothing. Undefined when there are too many to override.
 */
export function foreignPrograms(
  entries: readonly ConfigEntry[],
  isPlainFile: (file: string) => boolean,
): Settings | undefined {
  const settings = new Map<string, string>();
  for (const { scope, key, value } of entries) {
    if (!OWN_SCOPES.has(scope)) continue;
    const off = offValue(key, value, isPlainFile);
    if (off !== undefined) settings.set(key, off);
  }
  for (const { scope, key, value } of entries) {
    if (!OWN_SCOPES.has(scope) && settings.has(key)) settings.set(key, value);
  }
  return settings.size > MAX_KEYS ? undefined : Object.fromEntries(settings);
}

function offValue(key: string, value: string, isPlainFile: (file: string) => boolean): string | undefined {
  if (FILES.test(key)) return isPlainFile(value) ? undefined : '/dev/null';
  return PROGRAMS.find(([pattern]) => pattern.test(key))?.[1];
}

/** False for a missing file, because git may look for it elsewhere. */
export function isPlainFileIn(folder: string, homeDir: string | undefined): (file: string) => boolean {
  return (file) => {
    const path = file.startsWith('~/') && homeDir ? `${homeDir}/${file.slice(2)}` : resolve(folder, file);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  };
}
