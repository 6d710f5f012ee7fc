import { ownValue } from '../../system/ownValue.ts';
import type { LandingPurpose } from './gitPurpose.ts';

const READS =
  /^(?:status|st|stat|log|diff|show|info|summary|sum|heads|tip|branches|tags|annotate|blame|cat|id|identify|root|files|list|ls|help|version)$/;

/** The counterparts of `git add` and `git commit` in other version controls. */
const CONTROLS: Readonly<Record<string, { readonly read: RegExp; readonly commit: RegExp }>> = {
  jj: { read: READS, commit: /^(?:commit|ci|describe|desc|new|bookmark|b|git push|squash|split|file track)$/ },
  hg: { read: READS, commit: /^(?:commit|ci|add|addremove|push|bookmarks?|branch|tag|shelve|amend)$/ },
  sl: { read: READS, commit: /^(?:commit|ci|add|addremove|push|bookmarks?|shelve|amend)$/ },
  svn: { read: READS, commit: /^(?:commit|ci|add|changelist|cl)$/ },
  bzr: { read: READS, commit: /^(?:commit|ci|add|push)$/ },
  brz: { read: READS, commit: /^(?:commit|ci|add|push)$/ },
  fossil: { read: READS, commit: /^(?:commit|ci|add|addremove|push|sync)$/ },
  darcs: { read: READS, commit: /^(?:record|rec|add|push)$/ },
  pijul: { read: READS, commit: /^(?:record|rec|add|push)$/ },
  p4: { read: /^(?:opened|changes|describe|diff|info|status|where)$/, commit: /^(?:submit|add|reconcile|shelve)$/ },
  // hand over the work
  gh: {
    read: /^(?:pr|issue|run|repo|release) (?:view|list|status|checks|diff)$|^auth status$/,
    commit: /^(?:pr|issue) (?:create|comment|ready|edit|new)$/,
  },
  glab: { read: /^(?:mr|issue|ci) (?:view|list|status)$/, commit: /^(?:mr|issue) (?:create|note|update|new)$/ },
};

/** Options of these that name a program, a hook, or another way to write. */
const PROGRAM_OPTION =
  /^--(?:config(?:-file|-option)?|editor-cmd|diff-cmd|diff3-cmd|merge-cmd|tool|template|force)(?:=|$)|^-f$/;
const VALUED = /^(?:-R|--repository|--repo|--cwd|-r|--revision|--color|-c|-u|--username|--password)$/;

export const isVersionControl = (name: string): boolean => Object.hasOwn(CONTROLS, name);

export function versionControlPurpose(name: string, args: readonly string[]): LandingPurpose {
  const { read, commit } = ownValue(CONTROLS, name) ?? { read: /^$/, commit: /^$/ };
  if (args.some((word) => PROGRAM_OPTION.test(word))) return 'other';
  const words = args.filter((word, at) => !word.startsWith('-') && !VALUED.test(args[at - 1] ?? ''));
  const [action = '', object = ''] = words;
  // `svn status` and `gh pr view`
  const forms = [action, `${action} ${object}`];
  if (forms.some((form) => read.test(form))) return 'read';
  return forms.some((form) => commit.test(form)) ? 'commit' : 'other';
}
