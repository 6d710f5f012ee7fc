import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GitRepository, gitRepository } from './gitRepository.ts';

/**
 * A hostile repository: its configuration, hooks and attributes name a program in every way that git supports, and each leaves
 * a mark when it runs.
 */
export interface TrapRepository extends GitRepository {
  /** The names of the traps that ran since the last call. */
  sprung(): readonly string[];
}

const HOOKS = [
  ...'applypatch-msg pre-commit post-commit pre-merge-commit prepare-commit-msg commit-msg post-checkout'.split(' '),
  ...'post-merge post-index-change reference-transaction pre-auto-gc fsmonitor-watchman pre-push'.split(' '),
  ...['post-rewrite', 'sendemail-validate'],
];

/** Configuration keys that name a program. */
const KEYS = [
  ...'core.fsmonitor core.editor sequence.editor core.pager pager.status pager.log core.sshCommand core.gitProxy'.split(
    ' ',
  ),
  ...'core.askPass core.alternateRefsCommand gpg.program gpg.ssh.program gpg.x509.program'.split(' '),
  ...'gpg.ssh.defaultKeyCommand diff.external diff.trap.command diff.conv.textconv filter.trap.clean'.split(' '),
  ...'filter.trap.smudge filter.proc.process merge.trap.driver trailer.trap.command difftool.trap.cmd'.split(' '),
  ...'mergetool.trap.cmd man.trap.cmd browser.trap.cmd interactive.diffFilter remote.origin.uploadpack'.split(' '),
  ...['tar.tgz.command', 'uploadpack.packObjectsHook', 'filter.Odd name=.x.clean'],
];

const SETTINGS: readonly (readonly [string, string])[] = [
  ['remote.origin.url', '.'],
  ['remote.origin.promisor', 'true'],
  ['remote.origin.partialclonefilter', 'blob:none'],
  ['extensions.partialClone', 'origin'],
  ['diff.tool', 'trap'],
  ['man.viewer', 'trap'],
  ['web.browser', 'trap'],
  ['commit.gpgSign', 'true'],
  ['log.showSignature', 'true'],
  ['format.pretty', '%h %G? %s'],
  ['diff.submodule', 'diff'],
  ['status.submoduleSummary', 'true'],
  ['submodule.recurse', 'true'],
  ['diff.ignoreSubmodules', 'none'],
];

const ATTRIBUTES =
  '*.trap filter=trap diff=trap merge=trap\n*.proc filter=proc\n*.conv diff=conv\n*.odd filter=odd\n*.inc filter=included\n';

export async function trapRepository(): Promise<TrapRepository> {
  const repository = await gitRepository();
  const { path, beside } = repository;
  const marks = join(beside, 'marks');
  mkdirSync(marks);
  // a filter or text conversion must pass its input on
  const trap = (name: string) => {
    const file = join(beside, `trap-${name}`);
    writeFileSync(file, `#!/bin/sh\necho x >> '${join(marks, name)}'\n[ -f "$1" ] && cat "$1" || cat\nexit 0\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const sprung = () => {
    const names = readdirSync(marks);
    execFileSync('find', [marks, '-type', 'f', '-delete']);
    return names.toSorted();
  };
  addHistory(repository);
  addSubmodule(repository, trap);
  signLastCommit(repository);
  const programs = KEYS.map((key) => [key, trap(key.replaceAll(/\W+/g, '-'))] as const);
  writeFileSync(join(beside, 'included'), `[filter "included"]\n\tclean = ${trap('includedClean')}\n`);
  const included = ['include.path', join(beside, 'included')] as const;
  appendFileSync(join(path, '.git/config'), [...programs, included, ...SETTINGS].map(configLines).join(''));
  plantHooks(join(path, '.git/hooks'), trap);
  mkdirSync(join(path, '.git/info'), { recursive: true });
  writeFileSync(join(path, '.git/info/attributes'), ATTRIBUTES);
  repository.write('bin/git', readFileSync(trap('gitInProject')));
  chmodSync(join(path, 'bin/git'), 0o755);
  for (const ending of ['trap', 'proc', 'conv', 'odd', 'inc'])
    repository.write(`file.${ending}`, `changed ${ending}\n`);
  sprung();
  return { ...repository, sprung };
}

/** As `git config KEY VALUE` writes it, without a process for each. */
function configLines([key, value]: readonly [key: string, value: string]): string {
  const [, section = '', name, variable = ''] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(key) ?? [];
  return `[${section}${name === undefined ? '' : ` "${name}"`}]\n\t${variable} = "${value}"\n`;
}

/** Two versions of a file per driver; the current ones are not in the index, so that git reads them. */
function addHistory({ write, git }: GitRepository): void {
  for (const version of ['first', 'second']) {
    for (const ending of ['trap', 'proc', 'conv', 'odd', 'inc']) write(`file.${ending}`, `${version} ${ending}\n`);
    git('add', '-A');
    git('commit', '--quiet', '-m', version);
  }
  git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
  write('file.trap', 'other side\n');
  git('commit', '--quiet', '-am', 'side');
  git('checkout', '--quiet', 'main');
  git('-c', 'merge.default=ours', 'merge', '--quiet', '-s', 'ours', '-m', 'merged', 'side');
}

function addSubmodule({ path, git, write }: GitRepository, trap: (name: string) => string): void {
  const module = join(path, 'module');
  git('init', '--quiet', module);
  write('module/inner.txt', 'one\n');
  git('-C', module, 'add', '-A');
  git('-C', module, 'commit', '--quiet', '-m', 'inner');
  write('.gitmodules', '[submodule "module"]\n\tpath = module\n\turl = ./module\n\tignore = none\n');
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '--force', './module', 'module');
  git('commit', '--quiet', '-m', 'module');
  write('module/.git/info/attributes', '* filter=inModule diff=inModule\n');
  git('-C', module, 'config', 'filter.inModule.clean', trap('moduleClean'));
  git('-C', module, 'config', 'diff.inModule.textconv', trap('moduleTextconv'));
  git('-C', module, 'config', 'core.fsmonitor', trap('moduleFsmonitor'));
  plantHooks(join(module, '.git/hooks'), trap);
  write('module/inner.txt', 'two\n');
}

/** With an invalid signature: git still runs a program to check it. */
function signLastCommit({ git, beside }: GitRepository): void {
  const [head = '', ...body] = git('cat-file', 'commit', 'HEAD').split('\n\n');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----';
  const file = join(beside, 'signed');
  writeFileSync(file, `${head}\n${signature}\n\n${body.join('\n\n')}`);
  git('update-ref', 'refs/heads/main', git('hash-object', '-t', 'commit', '-w', '--literally', file).trim());
}

function plantHooks(folder: string, trap: (name: string) => string): void {
  mkdirSync(folder, { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(folder, hook), `#!/bin/sh\n'${trap(`hook-${hook}`)}' < /dev/null\n`);
    chmodSync(join(folder, hook), 0o755);
  }
}
