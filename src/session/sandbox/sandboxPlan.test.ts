import { describe, expect, it } from 'vitest';
import { deniedPatterns } from './deniedPlaces.ts';
import { isExcludedCommand } from './excludedCommand.ts';
import { explainRefusal } from './explainRefusal.ts';
import { guardedPlaces } from './guardedPlaces.ts';
import type { PathInspector, PathKind } from './inspectPaths.ts';
import { otherSockets } from './otherSockets.ts';
import { planMounts, type SandboxPlaces } from './planMounts.ts';

/** A file system of these paths: `name/` is a folder, `name@target` a link, others files. */
function files(...paths: string[]): PathInspector {
  const kinds = new Map<string, PathKind>();
  const links = new Map<string, string>();
  for (const one of paths) {
    const [path = '', target] = one.replace(/\/$/, '').split('@');
    if (target !== undefined) links.set(path, target);
    kinds.set(path, target !== undefined ? 'link' : one.endsWith('/') ? 'folder' : 'file');
  }
  const kind = (path: string) => kinds.get(path) ?? 'absent';
  return {
    kind,
    real: (path) => (kind(path) === 'absent' ? undefined : (links.get(path) ?? path)),
    names: (folder) =>
      [...kinds.keys()]
        .flatMap((path) => /^([^/]+)$/.exec(path.slice(folder.length + 1))?.[1] ?? [])
        .filter((name) => kinds.has(`${folder}/${name}`)),
  };
}

const NONE: SandboxPlaces = {
  writable: [],
  readOnly: [],
  hidden: [],
  refused: [],
  denied: [],
  readable: [],
  files: [],
  temp: '/t',
};
const shown = (places: Partial<SandboxPlaces>, inspect: PathInspector) =>
  planMounts({ ...NONE, ...places }, inspect).map(({ type, path }) => `${type} ${path}`);

describe('the plan of mounts', () => {
  it('pins the folders between an open folder and what is shut in it', () => {
    const inspect = files('/p/', '/p/a/', '/p/a/b/', '/p/a/b/secret');
    expect(shown({ writable: ['/p'], denied: ['/p/a/b/secret'] }, inspect)).toEqual([
      'writable /p',
      'deniedFile /p/a/b/secret',
      'writable /p/a/b',
      'writable /p/a',
      'writable /t',
    ]);
  });

  it('shuts where a link leads', () => {
    expect(shown({ denied: ['/p/link'] }, files('/p/link@/h/secret', '/h/secret'))).toContain('deniedFile /h/secret');
  });

  it('opens nothing in what a rule denies, and no whole disk', () => {
    const inspect = files('/h/', '/h/p/', '/');
    expect(shown({ writable: ['/h/p', '/'], denied: ['/h'], readable: ['/h/p'] }, inspect)).toEqual([
      'deniedFolder /h',
      'writable /t',
    ]);
  });

  it('opens again in what is only hidden', () => {
    const inspect = files('/h/', '/h/p/', '/h/x', '/h/.ssh/');
    expect(shown({ writable: ['/h/p'], hidden: ['/h', '/h/.ssh'], readable: ['/h/x'] }, inspect)).toEqual([
      'writable /h/p',
      'readOnly /h/x',
      'emptyFolder /h',
      'writable /t',
    ]);
  });

  it('does not open for writing what is read-only', () => {
    expect(shown({ writable: ['/p'], readOnly: ['/p'] }, files('/p/'))).not.toContain('writable /p');
  });
});

describe('guarded places', () => {
  const guard = (inspect: PathInspector, texts: Record<string, string> = {}) =>
    guardedPlaces('/w/p', inspect, (file) => texts[file]);

  it('are read-only where they are, made where a folder must be, and watched else', () => {
    const inspect = files(
      '/w/p/',
      '/w/p/.git/',
      '/w/p/.git/config',
      '/w/p/.npmrc',
      '/w/p/.vscode/',
      '/w/p/.mcp.json@/x',
    );
    const { readOnly, watched, toMake, writable } = guard(inspect);
    expect(readOnly.toSorted()).toEqual(
      ['.claude', '.git/config', '.git/hooks', '.npmrc', '.vscode'].map((name) => `/w/p/${name}`),
    );
    expect(toMake).toEqual(['/w/p/.claude', '/w/p/.git/hooks']);
    expect(watched).toEqual(
      ['.mcp.json', 'stopgate.config.json', '.git/commondir', '.git/config.worktree'].map((name) => `/w/p/${name}`),
    );
    expect(writable).toEqual([]);
  });

  it('include the repositories of submodules', () => {
    const inspect = files(
      '/w/p/.git/',
      '/w/p/.git/modules/',
      '/w/p/.git/modules/a/',
      '/w/p/.git/modules/a/b/',
      '/w/p/.git/modules/a/b/HEAD',
      '/w/p/.git/modules/a/b/config',
    );
    expect(guard(inspect).readOnly).toContain('/w/p/.git/modules/a/b/config');
  });

  it.each([
    ['in a repository', ['/w/.git/'], true],
    ['elsewhere', [], false],
  ])('a first repository %s is watched: %s', (_name, paths, isWatched) => {
    expect(guard(files('/w/p/', ...paths)).watched.includes('/w/p/.git')).toBe(isWatched);
  });

  it('open the repository of a worktree only when it names the worktree', () => {
    const inspect = files('/w/p/.git', '/m/.git/', '/m/.git/worktrees/', '/m/.git/worktrees/p/', '/m/.git/config');
    const texts = { '/w/p/.git': 'gitdir: /m/.git/worktrees/p\n', '/m/.git/worktrees/p/commondir': '../..\n' };
    expect(guard(inspect, { ...texts, '/m/.git/worktrees/p/gitdir': '/w/p/.git\n' }).writable).toEqual(['/m/.git']);
    expect(guard(inspect, { ...texts, '/m/.git/worktrees/p/gitdir': '/w/q/.git\n' }).writable).toEqual([]);
  });
});

describe('excluded commands', () => {
  it.each([
    ['docker', true],
    ['docker run -it x', true],
    ['docker ps && docker images', true],
    ['docker ps; rm -rf ~', false],
    ['docker run $(cat x)', false],
    ['docker ps > ~/.bashrc', false],
    ['X=1 docker ps', false],
    ['dockerx', false],
    ['sh -c "docker ps"', false],
    ['', false],
  ])('%s: %s', (command, isOut) => {
    expect(isExcludedCommand(command, ['docker'])).toBe(isOut);
  });
});

describe('what is found out', () => {
  it('deny rules for files, by whether they are about reading', () => {
    expect(deniedPatterns(['Read(a)', 'Edit(b)', 'Write(c)', 'Bash(d)', 'Read'])).toEqual({
      reading: ['a'],
      writing: ['b', 'c'],
    });
  });

  it('sockets with a path that is not hidden', () => {
    const line = (path: string) => `0000: 00000002 00000000 00010000 0001 01 12345 ${path}`;
    const table = [
      'Num RefCount',
      line('/h/a.sock'),
      line('/h/a.sock'),
      line('@abstract'),
      line('/run/x'),
      line('/h/with blank'),
    ].join('\n');
    expect(otherSockets(table, ['/run'])).toEqual(['/h/a.sock', '/h/with blank']);
  });

  it.each([
    ['sh: x: Read-only file system', /write only in \/p/],
    ['Error: EACCES', /write only in \/p/],
    ['curl: (6) Could not resolve host: x', /has no network/],
    ['ls: no such file', undefined],
  ])('of "%s"', (output, sentence) => {
    const said = explainRefusal(output, { writable: ['/p'], domains: [] });
    if (sentence === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(sentence);
  });
});
