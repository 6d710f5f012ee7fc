import type { ShellWord } from './shellTypes.ts';

/** Git's own options that take a value: `git -C dir push` is a push. */
export const GIT_VALUED: readonly string[] = [
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix'],
  ...['--attr-source', '--list-cmds'],
];

export interface GitRuns {
  readonly inner: readonly (readonly ShellWord[])[];
  readonly scripts: readonly string[];
  readonly unclear?: string;
}

/** Options of git's commands whose value is a shell command. */
const SCRIPT_OPTION =
  /^(?:-x|--exec|--extcmd|--(?:tree|index|env|msg|commit|parent|tag-name)-filter|--upload-pack|--receive-pack)(?:=|$)/;
const WITH_SCRIPTS = new Set('rebase difftool filter-branch clone fetch pull push ls-remote fetch-pack'.split(' '));

/** Other commands that a git command runs: those of an alias given with it, and of its commands that run any. */
export function gitRuns(words: readonly ShellWord[]): GitRuns {
  const options: ShellWord[] = [];
  let at = 1;
  for (; words[at]?.text.startsWith('-'); at++) {
    if (!GIT_VALUED.includes(words[at]?.text ?? '')) continue;
    const value = words[++at];
    if (value) options.push(value);
  }
  const [command, ...rest] = words.slice(at);
  const aliases = aliasRuns(options, rest);
  const hidden = words.slice(1, at).some(({ text }) => /^(?:--config-env=)?alias\.[^=]*=/i.test(text));
  return {
    inner: [...aliases.inner, ...(command?.text === 'bisect' && rest[0]?.text === 'run' ? [rest.slice(1)] : [])],
    scripts: [...aliases.scripts, ...scriptsOf(command?.text ?? '', rest)],
    ...(hidden ? { unclear: 'it gives git an alias' } : {}),
  };
}

function aliasRuns(options: readonly ShellWord[], rest: readonly ShellWord[]): GitRuns {
  const values = options.flatMap(({ text }) => /^alias\.[^=]*=(.*)$/is.exec(text)?.[1] ?? []);
  const git = plainWord('git');
  const [scripts, commands] = [
    values.filter((value) => value.startsWith('!')),
    values.filter((v) => !v.startsWith('!')),
  ];
  return {
    inner: commands.map((value) => [git, ...value.trim().split(/\s+/).map(plainWord), ...rest]),
    scripts: scripts.map((value) => value.slice(1)),
  };
}

function plainWord(text: string): ShellWord {
  return { text, raw: text, expands: false, globs: false };
}

function scriptsOf(command: string, rest: readonly ShellWord[]): readonly string[] {
  const texts = rest.map(({ text }) => text);
  const each = command === 'submodule' ? texts.indexOf('foreach') : -1;
  if (each >= 0) {
    const run = texts.slice(each + 1).join(' ');
    return [run.replace(/^(?:-\S+ )+/, '')];
  }
  if (!WITH_SCRIPTS.has(command)) return [];
  return texts.flatMap((text, at) => {
    if (!SCRIPT_OPTION.test(text)) return [];
    return [text.includes('=') ? text.slice(text.indexOf('=') + 1) : (texts[at + 1] ?? '')];
  });
}
