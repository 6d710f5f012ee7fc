import { ownValue } from '../../system/ownValue.ts';
import { sameRow } from './sameRow.ts';
import type { ShellWord } from './shellTypes.ts';

/**
 * Programs that run other commands only with an option, and those options; the option's value is a command line. A rule
 * with a wildcard for the program (`Bash(tar *)`) was not written with these in mind.
 */
const SCRIPT_OPTIONS: Readonly<Record<string, string>> = {
  ...sameRow('ack ag bat', '--pager'),
  bsdtar: '--use-compress-program',
  cpio: '--rsh-command',
  ...sameRow('cvs xterm', '-e'),
  emacs: '--eval --execute -f --funcall',
  fzf: '--preview --bind --execute',
  gcc: '-wrapper',
  gdb: '-ex -iex --eval-command --init-eval-command',
  go: '-exec -toolexec -vettool --exec --toolexec --vettool',
  install: '--strip-program',
  man: '-P --pager -H --html -B --browser',
  ...sameRow('nc ncat', '-e -c --exec --sh-exec'),
  npm: '--script-shell --editor --viewer --browser',
  rg: '--pre --hostname-bin',
  rsync: '-e --rsh --rsync-path',
  ...sameRow('scp sftp', '-S'),
  sort: '--compress-program',
  split: '--filter',
  svn: '--diff-cmd --diff3-cmd --editor-cmd',
  tar: '-I -F --checkpoint-action --to-command --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command',
  tcpdump: '-z',
  wget: '--use-askpass',
  zip: '-TT --unzip-command',
};
const SAME: Readonly<Record<string, string>> = { gtar: 'tar', gsort: 'sort', gsplit: 'split', 'g++': 'gcc', cc: 'gcc' };
const EDITORS = new Set(['vi', 'vim', 'nvim', 'view', 'vimdiff', 'ex', 'less', 'more']);
/** A remote shell and where it connects to: what every copy over ssh is given. */
const PLAIN_SSH = /^ssh(?: +(?:-[pil] *[\w./~-]+|-[46CTqA]+))*$/;

/** Command lines that a program runs because of an option. */
export function scriptsInOptions(name: string, words: readonly ShellWord[]): string[] {
  const known = ownValue(SAME, name) ?? name;
  const options = ownValue(SCRIPT_OPTIONS, known)?.split(' ') ?? [];
  const scripts = words.flatMap((word, at) => optionValue(word.text, options, words[at + 1]?.text));
  const more = [...editorCommands(known, words), ...connections(known, words)];
  return [...scripts, ...more]
    .map((script) => script.replace(/^(?:exec=|!+|(?:shell|system)\s+)/, ''))
    .filter((script) => !PLAIN_SSH.test(script));
}

function optionValue(text: string, options: readonly string[], next: string | undefined): string[] {
  if (!text.startsWith('-')) return [];
  const [name = '', ...value] = text.split('=');
  for (const option of options) {
    const long = option.length > 2;
    // long options may be shortened as far as they stay the only one
    const shortened = option.startsWith('--') && name.length > 2 && option.startsWith(name);
    if (name === option || shortened) return [value.length > 0 ? value.join('=') : (next ?? '')];
    // `-Iprog`, and `-xIf prog` where letters are put together
    if (!long && text.startsWith(option)) return [text.slice(2)];
    if (option === '-TT' && text.startsWith(option)) return [text.slice(3) || (next ?? '')];
    if (!long && /^-[a-zA-Z]+$/.test(text) && text.includes(option.slice(1))) return [next ?? ''];
  }
  return [];
}

/** `vim +'!rm x'`, `vim -c '!rm x'`: what follows a `!` in there is for a shell. */
function editorCommands(name: string, words: readonly ShellWord[]): string[] {
  if (!EDITORS.has(name)) return [];
  const given = words.flatMap(({ text }, at) => {
    if (text.startsWith('+')) return [text.slice(1)];
    return /^(?:-[a-zA-Z]*c|--cmd|-S)$/.test(text) ? [words[at + 1]?.text ?? ''] : [];
  });
  return given.flatMap((text) => (text.includes('!') ? [text.slice(text.indexOf('!') + 1)] : []));
}

const CONNECTED = new Set(['ssh', 'scp', 'sftp', 'rsync', 'sshfs', 'mosh', 'git']);
const RUNS_LOCALLY = /^(?:-o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|ProxyUseFdpass)\s*[= ]\s*(.*)$/is;

/** `ssh -o ProxyCommand='rm x' host`, and `socat EXEC:'rm x'`. */
function connections(name: string, words: readonly ShellWord[]): string[] {
  if (name === 'socat') return words.flatMap(({ text }) => /^(?:EXEC|SYSTEM):([^,]*)/i.exec(text)?.[1] ?? []);
  if (!CONNECTED.has(name)) return [];
  return words.flatMap(({ text }) => RUNS_LOCALLY.exec(text)?.[1] ?? []);
}
