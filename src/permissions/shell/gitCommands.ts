import { ownValue } from '../../system/ownValue.ts';
import { plainWord, type ShellWord } from './shellTypes.ts';
import { hidden, PLAIN, type Unwrapped } from './unwrapped.ts';

/** Git's own options that take a value: `git -C dir push` is a push. */
export const GIT_VALUED: readonly string[] = [
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix'],
  ...['--attr-source', '--list-cmds'],
];

/** Settings whose value is a command, or a file that can hold such settings. */
const PROGRAM_KEY = new RegExp(
  `^(?:${[
    'core\\.(?:editor|pager|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|attributesfile)',
    'sequence\\.editor|interactive\\.difffilter|uploadpack\\.packobjectshook|init\\.templatedir|web\\.browser',
    'diff\\.external|diff\\..+\\.(?:command|textconv)|merge\\..+\\.driver|filter\\..+\\.(?:clean|smudge|process)',
    '(?:mergetool|difftool|man|browser|gui|guitool|trailer|sendemail|submodule)\\..+|pager\\..+|include(?:if\\..+)?\\.path',
    'credential\\.(?:.+\\.)?helper|gpg\\.(?:.+\\.)?(?:program|defaultkeycommand)|remote\\..+\\.(?:uploadpack|receivepack|vcs|proxy)',
    'protocol\\..+|url\\..+|http\\..*proxy',
  ].join('|')})$`,
  'i',
);
const ALIAS_KEY = /^alias\.(.+)$/i;

/** Options of git's commands whose value is a shell command. Git takes any beginning of a name that is not ambiguous. */
const SCRIPT_OPTIONS = [
  ...['--exec', '--extcmd', '--upload-pack', '--upload-archive', '--receive-pack', '--open-files-in-pager'],
  ...['--tree-filter', '--index-filter', '--env-filter', '--msg-filter', '--commit-filter', '--parent-filter'],
  ...['--tag-name-filter', '--sendmail-cmd', '--to-cmd', '--cc-cmd', '--header-cmd'],
];

function isScriptOption(text: string): boolean {
  const [name = ''] = text.split('=');
  return name.length > 3 && SCRIPT_OPTIONS.some((option) => option.startsWith(name));
}

const ATTACHED = /^-O(.+)$/s;
/** For other commands these letters mean something else: `git push -u` sets the upstream. */
const SHORT_OPTIONS: Readonly<Record<string, string>> = { rebase: '-x', difftool: '-x', clone: '-u', grep: '-O' };

/** Other commands that a git command runs: those of an alias given with it, and of its commands that run any. */
export function gitRuns(words: readonly ShellWord[]): Unwrapped {
  const options: ShellWord[] = [];
  let at = 1;
  for (; words[at]?.text.startsWith('-'); at++) {
    if (!GIT_VALUED.includes(words[at]?.text ?? '')) continue;
    const value = words[++at];
    if (value) options.push(value);
  }
  const [command, ...rest] = words.slice(at);
  const name = command?.text ?? '';
  const settings = [...options.flatMap(settingOf), ...settingsIn(name, rest)];
  const aliases = settings.flatMap(({ key, value }) => (ALIAS_KEY.test(key) ? [value] : []));
  const programs = settings.flatMap(({ key, value }) => (PROGRAM_KEY.test(key) ? [value.replace(/^!/, '')] : []));
  const scripts = [
    ...aliases.flatMap((value) => (value.startsWith('!') ? [value.slice(1)] : [])),
    ...programs,
    ...scriptsOf(name, rest),
    ...rest.flatMap(({ text }) => /^ext::(.*)$/s.exec(text)?.[1] ?? []),
  ];
  const inner = [
    ...aliases.flatMap((value) => (value.startsWith('!') ? [] : [aliased(value, rest)])),
    ...(name === 'bisect' && rest[0]?.text === 'run' ? [rest.slice(1)] : []),
  ];
  const reason = whyHidden(words.slice(1, at), settings);
  return { ...PLAIN, inner, scripts, beyond: true, ...(reason === undefined ? {} : hidden(reason)) };
}

interface Setting {
  readonly key: string;
  readonly value: string;
  readonly expands: boolean;
}

function settingOf({ text, expands }: ShellWord): Setting[] {
  const match = /^([\w-]+\.[^=]+)(?:=(.*))?$/s.exec(text);
  return match ? [{ key: match[1] ?? '', value: match[2] ?? '', expands }] : [];
}

/** `git config key value`, `git clone -c key=value`. */
function settingsIn(command: string, words: readonly ShellWord[]): Setting[] {
  if (command === 'config') {
    // whatever options stand around them: `git config -f FILE --type x key value`
    return words.flatMap((word, at) => {
      const value = words.slice(at + 1).find(({ text }) => !text.startsWith('-'));
      const isKey = PROGRAM_KEY.test(word.text) || ALIAS_KEY.test(word.text) || word.expands;
      return isKey && value ? [{ key: word.text, value: value.text, expands: word.expands || value.expands }] : [];
    });
  }
  return words.flatMap((word, at) => {
    const given =
      /^(?:-[a-z]*c|--conf?i?g?)$/.test(words[at - 1]?.text ?? '') && (command === 'clone' || command === 'init');
    const template = /^--template=(.*)$/s.exec(word.text)?.[1];
    if (template !== undefined) return [{ key: 'init.templateDir', value: template, expands: word.expands }];
    return given ? settingOf(word) : [];
  });
}

function whyHidden(own: readonly ShellWord[], settings: readonly Setting[]): string | undefined {
  if (own.some(({ text }) => /^--(?:config-env|exec-path=)/.test(text))) return 'it gives git settings from elsewhere';
  const odd = settings.find(
    ({ key, expands }) => expands && (PROGRAM_KEY.test(key) || ALIAS_KEY.test(key) || /[$`]/.test(key)),
  );
  return odd && 'it gives git a command that is only known later';
}

function aliased(value: string, rest: readonly ShellWord[]): readonly ShellWord[] {
  return [plainWord('git'), ...value.trim().split(/\s+/).map(plainWord), ...rest];
}

function scriptsOf(command: string, rest: readonly ShellWord[]): readonly string[] {
  const texts = rest.map(({ text }) => text);
  const each = command === 'submodule' ? texts.indexOf('foreach') : -1;
  if (each >= 0) {
    const run = texts.slice(each + 1).join(' ');
    return [run.replace(/^(?:-\S+ )+/, '')];
  }
  const short = ownValue(SHORT_OPTIONS, command);
  return texts.flatMap((text, at) => {
    const attached = command === 'grep' ? ATTACHED.exec(text)?.[1] : undefined;
    if (attached !== undefined) return [attached];
    if (!(short !== undefined && short === text) && !isScriptOption(text)) return [];
    return [text.includes('=') ? text.slice(text.indexOf('=') + 1) : (texts[at + 1] ?? '')];
  });
}
