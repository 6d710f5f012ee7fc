import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SandboxProject, SECRET, sandboxProject, whyNoSandbox } from '../support/sandboxProject.ts';
import { sampleOf } from '../support/testSize.ts';
import { ESCAPES, type Escape, GUARDED, REFUSED } from './escapes.ts';

const missing = await whyNoSandbox();
if (missing !== null) console.warn(`The sandbox is not tested here: ${missing}.`);

async function attempt(project: SandboxProject, { scripts }: Escape, background: boolean): Promise<string> {
  let output = '';
  for (const script of scripts) output += (await project.run(script, { background })).output;
  // a command that never began proves nothing
  expect(output).not.toMatch(/bwrap: /);
  return output;
}

/** What git outside would run of what a command left in the repository. */
function useGit({ project }: SandboxProject): void {
  const options = { stdio: 'pipe', env: { PATH: process.env.PATH ?? '' } } as const;
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', ['-C', project, 'status', '--short'], options);
  execFileSync('git', ['-C', project, ...who, 'commit', '-q', '--allow-empty', '-m', 'two'], options);
}

describe.skipIf(missing !== null)('inside the sandbox, no command can', () => {
  it.each(ESCAPES.map((tried) => [`${tried.kind}: ${tried.name}`, tried] as const))('%s', async (_name, tried) => {
    await using project = await sandboxProject();
    const before = project.state();
    const output = await attempt(project, tried, false);
    expect(project.state(), output).toEqual(before);
    expect(output).not.toContain(SECRET);
    if (tried.kind === GUARDED) useGit(project);
    expect(existsSync(path.join(project.outside, 'ran'))).toBe(false);
  });

  it.each(REFUSED.map((tried) => [tried.name, tried] as const))('%s', async (_name, tried) => {
    await using project = await sandboxProject();
    const output = await attempt(project, tried, false);
    expect(output).toMatch(tried.says ?? /refused/);
    expect(output).not.toContain('DONE');
  });

  it.each([
    [
      'in the background',
      'echo x > $OUT/victim.txt; cat ~/.ssh/*; kill -9 $VICTIM; curl -s --max-time 1 http://127.0.0.1:$PORT',
    ],
    [
      'of a subshell in the background',
      '(setsid bash -c "exec -a daemon-$MARK sleep 300" &) ; echo x > $OUT/victim.txt',
    ],
  ])('do any of it %s', async (_name, script) => {
    await using project = await sandboxProject();
    const before = project.state();
    const { output } = await project.run(script, { background: true });
    // what it left running ends with its namespace, shortly after the command
    await expect.poll(() => project.state()).toEqual(before);
    expect(output).not.toContain(SECRET);
  });
});

describe.skipIf(missing !== null)('without the sandbox, the same script', () => {
  const all = ESCAPES.filter(({ bites }) => bites !== null);
  const firstOfItsKind = ({ kind, bites, name }: Escape) =>
    all.find((other) => other.kind === kind && other.bites === bites)?.name === name;
  const biting = sampleOf(all, firstOfItsKind);

  it.each(biting.map((tried) => [`${tried.kind}: ${tried.name}`, tried] as const))('%s', async (_name, tried) => {
    await using project = await sandboxProject({ sandboxed: false });
    const before = project.state();
    const output = await attempt(project, tried, false);
    if (tried.bites === 'shows') expect(output).toContain(SECRET);
    // a process that was ended, or a server that was reached, shows a moment after the command
    else await expect.poll(() => project.state()).not.toEqual(before);
  });
});
