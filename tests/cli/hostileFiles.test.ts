import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostileTexts, plant, plantText, READ_FILES, SPECIAL } from '../support/hostileFiles.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { IS_LONG, sampleOf } from '../support/testSize.ts';

/** Commands that look at a project's files before a person has said anything about them. */
const COMMANDS: readonly (readonly string[])[] = [
  ['-p', 'hello', '--max-turns', '1'],
  ['init', '--dry-run'],
  ['hooks', 'list'],
  ['status'],
  ['launch', '--time-budget', '1m', '--agent', 'true', '--', 'x'],
  ['launch', '--time-budget', '1m', '--', 'true'],
  ['remove', '--dry-run'],
  ['restore'],
];

/** For an agent that is any command, `launch` reads only the definition of done, which it also reads for Claude Code. */
const READERS = COMMANDS.slice(0, 6).filter((args) => !args.includes('--agent'));

/**
 * A text that is no JSON ends a reader of settings at its first character. The session reads all texts, `init` those of a project's
 * tools, `hooks list` settings with their places in the file; the others read settings as these do.
 */
function readersOf(name: string): readonly (readonly string[])[] {
  if (IS_LONG) return READERS;
  const [session = [], init = [], list = []] = COMMANDS;
  return [
    session,
    ...(/checks|scripts|objects|prototype|blanks|large|lines/.test(name) ? [init] : []),
    ...(/hook|fault|rule|key|objects|prototype/.test(name) ? [list] : []),
  ];
}

/** Files by what reads them: a command that waits for the first pipe would not come to one of another reader. */
const READ_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'notes and rules': READ_FILES.filter((file) => /(?:CLAUDE|AGENTS|rules).*\.md$/.test(file)),
  'agents, commands and skills': READ_FILES.filter((file) => /agents\/|commands\/|skills\//.test(file)),
  settings: READ_FILES.filter((file) => /settings|mcp/.test(file)),
  'what git reads': READ_FILES.filter((file) => /^\.(?:git|mailmap)/.test(file)),
  'package.json': ['package.json'],
  'Makefile and pyproject.toml': ['Makefile', 'pyproject.toml'],
  'stopgate.config.json': ['stopgate.config.json'],
};
const PIPED: readonly (readonly [string, readonly string[]])[] = IS_LONG
  ? READ_FILES.map((file) => [file, [file]] as const)
  : Object.entries(READ_TOGETHER);

/** `init` reads them beside what a session reads. */
const READ_BY_INIT = /package\.json|Makefile|settings|stopgate/;

/** Starting Node on a busy machine takes most of it; a careless reader took minutes. */
const BOUND_MS = 15_000;

async function expectQuick(project: TestProject, args: readonly string[], what: string): Promise<void> {
  const startedAt = performance.now();
  const running = project.start(args, { input: '' });
  const overdue = setTimeout(() => running.child.kill('SIGKILL'), BOUND_MS);
  const end = await running.ended;
  clearTimeout(overdue);
  const took = Math.round(performance.now() - startedAt);
  expect({ what, args: args.join(' '), signal: end.signal, took }).toMatchObject({ signal: null });
  expect(end.stderr).not.toMatch(/internal error|\n {4}at /);
}

const git = (project: TestProject, ...args: readonly string[]) =>
  execFileSync('git', args, { cwd: project.dir, env: { PATH: process.env.PATH, HOME: project.home }, stdio: 'ignore' });

describe('files of a project that are no files', { timeout: 600_000 }, () => {
  it.each(Object.entries(SPECIAL))('do not stop a command: %s in every place', async (name, put) => {
    await using project = await testProject();
    git(project, 'init');
    for (const file of READ_FILES) await plant(project.dir, file, put);
    // all of them open files by the same function
    const commands = IS_LONG || name === 'a named pipe' ? COMMANDS : COMMANDS.slice(0, 2);
    for (const args of commands) await expectQuick(project, args, name);
  });

  it.each(PIPED)('do not stop a command: a pipe as %s', async (name, files) => {
    await using project = await testProject();
    for (const file of files) await plant(project.dir, file, (target) => execFileSync('mkfifo', [target]));
    for (const args of COMMANDS.slice(0, IS_LONG || READ_BY_INIT.test(name) ? 2 : 1))
      await expectQuick(project, args, name);
  });

  it('are all in one of the groups', () => {
    expect(Object.values(READ_TOGETHER).flat().sort()).toEqual([...READ_FILES].sort());
  });
});

type Text = readonly [name: string, text: string];
type Texts = readonly [what: string, inMarkdown: Text | undefined, inOthers: Text | undefined];

/** Each text in every file; in every run, one for the readers of Markdown and one for those of JSON and lines at a time. */
function texts(): readonly Texts[] {
  const all = Object.entries(hostileTexts());
  if (IS_LONG) return all.map((text) => [text[0], text, text]);
  const isMarkdown = ([name]: Text) => /import|code span|front matter|YAML/.test(name);
  const isEither = ([name]: Text) => /large|zero bytes|blanks/.test(name);
  const markdown = all.filter((text) => isMarkdown(text));
  const others = all.filter((text) => !isMarkdown(text) && !isEither(text));
  const pairs = Array.from({ length: Math.max(markdown.length, others.length) }, (_, at): Texts => {
    const both = [markdown[at], others[at]] as const;
    return [both.flatMap((text) => text?.[0] ?? []).join('; '), ...both];
  });
  return [...pairs, ...all.filter(isEither).map((text): Texts => [text[0], text, text])];
}

describe('texts that a careless reader takes long for', { timeout: 600_000 }, () => {
  it.each(texts())('are read in time: %s', async (what, inMarkdown, inOthers) => {
    await using project = await testProject();
    for (const file of READ_FILES) {
      const [, text] = (file.endsWith('.md') ? inMarkdown : inOthers) ?? [];
      if (text !== undefined) await plantText(project.dir, file, text);
    }
    for (const args of readersOf(what)) await expectQuick(project, args, what);
  });
});

/** What git itself opens, and waits for. */
const PIPES: Readonly<Record<string, (project: TestProject, pipe: string) => void>> = {
  'core.excludesFile': (project, pipe) => git(project, 'config', 'core.excludesFile', pipe),
  'core.attributesFile': (project, pipe) => git(project, 'config', 'core.attributesFile', pipe),
  'include.path': (project, pipe) => git(project, 'config', 'include.path', pipe),
  '.git/info/exclude': (project) => makePipe(path.join(project.dir, '.git/info/exclude')),
  '.git/HEAD': (project) => makePipe(path.join(project.dir, '.git/HEAD')),
};

/** Opened by the same command of git. */
const LIKE_EXCLUDES: readonly string[] = ['core.attributesFile', '.git/info/exclude'];

function makePipe(file: string): void {
  execFileSync('rm', ['-f', file]);
  execFileSync('mkfifo', [file]);
}

describe('a git that waits for a pipe', { timeout: 120_000, concurrent: true }, () => {
  it.each(sampleOf(Object.entries(PIPES), ([name]) => !LIKE_EXCLUDES.includes(name)))(
    'does not keep launch from ending at SIGTERM: %s',
    async (_name, set) => {
      await using project = await testProject();
      git(project, 'init');
      const pipe = path.join(project.home, 'pipe');
      execFileSync('mkfifo', [pipe]);
      set(project, pipe);
      const running = project.start(['launch', '--time-budget', '5m', '--', 'x'], { env: fakeClaude(project) });
      // where git hangs before the agent starts, nothing is printed to wait for
      const started = new Promise((resolve) => setTimeout(resolve, 3_000).unref());
      await Promise.race([running.sees('to land'), started]);
      const signaledAt = performance.now();
      running.child.kill('SIGTERM');
      const overdue = setTimeout(() => running.child.kill('SIGKILL'), 45_000);
      const end = await running.ended;
      clearTimeout(overdue);
      expect([end.code, end.signal]).toEqual([143, null]);
      expect(performance.now() - signaledAt).toBeLessThan(40_000);
    },
  );
});

/** An agent that would work for a minute. */
function fakeClaude(project: TestProject): Readonly<Record<string, string>> {
  const bin = path.join(project.home, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
  return { PATH: `${bin}:${process.env.PATH}` };
}
