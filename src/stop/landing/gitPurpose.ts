import { GIT_VALUED } from '../../permissions/shell/gitCommands.ts';
import { namesIn } from '../../permissions/shell/sameRow.ts';
import { ownValue } from '../../system/ownValue.ts';

/** What a shell command is for, as far as a landing agent may still run it. */
export type LandingPurpose = 'commit' | 'test' | 'read' | 'other';

type Rule = (args: readonly string[]) => LandingPurpose;

const READ: Rule = (args) => (has(args, /^--output(?:=|$)/) ? 'other' : 'read');
const COMMIT: Rule = () => 'commit';
const has = (args: readonly string[], pattern: RegExp) => args.some((word) => pattern.test(word));
const commitUnless =
  (pattern: RegExp): Rule =>
  (args) =>
    has(args, pattern) ? 'other' : 'commit';
const commitIf =
  (pattern: RegExp): Rule =>
  (args) =>
    has(args, pattern) ? 'commit' : 'other';
/** Finishes what is in progress; a new rebase rewrites commits, and may stop at each of them. */
const goesOn = commitIf(/^--(?:continue|abort|skip|quit)$/);
/** By the word after the command's own options: `git notes add`. */
const byAction =
  (actions: { readonly read: RegExp; readonly commit: RegExp }, usual = ''): Rule =>
  (args) => {
    const action = args.find((word) => !word.startsWith('-')) ?? usual;
    if (actions.read.test(action)) return 'read';
    return actions.commit.test(action) ? 'commit' : 'other';
  };

const READING = namesIn(
  'status diff log show rev-parse rev-list ls-files ls-tree blame describe shortlog reflog grep cat-file merge-base for-each-ref name-rev check-ignore cherry range-diff whatchanged var version help diff-tree diff-index diff-files show-ref show-branch verify-commit verify-tag count-objects fsck merge-tree',
);

const RULES: Readonly<Record<string, Rule>> = {
  add: COMMIT,
  commit: COMMIT,
  init: COMMIT,
  'write-tree': COMMIT,
  'commit-tree': COMMIT,
  'update-ref': commitUnless(/^(?:-d|--delete|--stdin)$/),
  // these options hide files from the index
  'update-index': commitUnless(/^--(?:no-)?(?:assume-unchanged|skip-worktree|fsmonitor.*|index-info|stdin)$/),
  // `:branch` deletes a branch, `+branch` overwrites it
  push: commitUnless(/^(?:-[a-z]*[fd][a-z]*|--force(?:-.*)?|--mirror|--delete|--prune|[+:].*)$/),
  fetch: COMMIT,
  pull: commitUnless(/^(?:-f|--force|--autostash)$/),
  'format-patch': commitUnless(/^--output(?:=|$)/),
  bundle: byAction({ read: /^(?:verify|list-heads)$/, commit: /^create$/ }),
  notes: byAction({ read: /^(?:list|show|get-ref)$/, commit: /^(?:add|append|copy)$/ }, 'list'),
  lfs: byAction({
    read: /^(?:status|ls-files|env|version|logs)$/,
    commit: /^(?:track|untrack|install|push|lock|unlock)$/,
  }),
  submodule: byAction({ read: /^(?:status|summary)$/, commit: /^$/ }, 'status'),
  rm: commitUnless(/^(?:-[a-z]*f[a-z]*|--force)$/),
  mv: commitUnless(/^(?:-[a-z]*f[a-z]*|--force)$/),
  checkout: commitIf(/^(?:-b|-B|--orphan)$/),
  switch: commitIf(/^(?:-c|-C|--create|--force-create|--orphan)$/),
  // without a commit it is an edit
  merge: commitUnless(/^(?:--no-commit|--squash)$/),
  'cherry-pick': commitUnless(/^(?:-n|--no-commit)$/),
  revert: commitUnless(/^(?:-n|--no-commit)$/),
  rebase: goesOn,
  am: goesOn,
  stash: byAction({ read: /^(?:list|show)$/, commit: /^(?:push|save|pop|apply|create|store|branch)$/ }, 'push'),
  // from the index only
  restore: (args) =>
    has(args, /^(?:--staged|-S)$/) && !has(args, /^(?:--worktree|-W|-[SW]{2})$/) ? 'commit' : 'other',
  reset: commitUnless(/^--(?:hard|merge|keep|recurse-submodules)$/),
  branch: (args) => {
    if (args.every((word) => /^(?:-[arv]+|--list|--all|--remotes|--show-current)$/.test(word))) return 'read';
    return has(args, /^-/) ? 'other' : 'commit';
  },
  tag: (args) => {
    if (args.every((word) => /^(?:-l|-n\d*|--list)$/.test(word))) return 'read';
    return has(args, /^(?:-[a-z]*[df]|--delete|--force)$/) ? 'other' : 'commit';
  },
  remote: (args) => (args.every((word) => /^(?:-v|--verbose|show)$/.test(word)) ? 'read' : 'other'),
  worktree: (args) => (args[0] === 'list' ? 'read' : 'other'),
  config: (args) => {
    if (has(args, /^(?:--get(?:-.*)?|--list|-l|get|list)$/)) return 'read';
    const [key = ''] = args.filter((word) => !word.startsWith('-') && word !== 'set');
    return /^(?:user|commit)\./.test(key) ? 'commit' : 'other';
  },
};

/** A setting can name a program. */
const HARMLESS_SETTING =
  /^(?:user|commit|color|advice|init|push|safe|tag)\.|^core\.(?:quotepath|autocrlf|filemode)=|^(?:core|sequence)\.(?:editor|pager)=(?:true|:|cat|)$/i;

export function gitPurpose(args: readonly string[]): LandingPurpose {
  const settings: string[] = [];
  let at = 0;
  for (; args[at]?.startsWith('-'); at++) {
    const option = args[at] ?? '';
    if (option === '--version' || option === '--help') return 'read';
    if (!GIT_VALUED.includes(option)) continue;
    at++;
    if (option === '-c') settings.push(args[at] ?? '');
    else if (option === '--config-env') return 'other';
  }
  if (!settings.every((setting) => HARMLESS_SETTING.test(setting))) return 'other';
  const [subcommand = '', ...words] = args.slice(at);
  const rule = READING.has(subcommand) ? READ : ownValue(RULES, subcommand);
  return rule?.(words) ?? 'other';
}
