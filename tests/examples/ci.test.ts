import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/testing/modelServer.ts';
import { BIN, testProject } from '../support/project.ts';
import { runWorkflow } from '../support/workflow.ts';

const CI = path.join(import.meta.dirname, '../../examples/ci');

/** A repository with the files of the example where its README puts them, a remote, and stand-ins for npm and gh. */
async function repository(answer: Answer) {
  const project = await testProject(answer);
  const action = path.join(project.dir, '.github/actions/stopgate');
  mkdirSync(path.join(project.dir, '.github/workflows'), { recursive: true });
  cpSync(CI, action, { recursive: true });
  cpSync(path.join(CI, 'workflow.yml'), path.join(project.dir, '.github/workflows/agent.yml'));
  project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}],"stallAfter":1}');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  const remote = path.join(project.home, 'remote.git');
  git('init', '-q', '-b', 'main');
  git('init', '-q', '--bare', remote);
  git('remote', 'add', 'origin', remote);
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  const [bin, temp] = [path.join(project.home, 'bin'), path.join(project.home, 'temp')];
  mkdirSync(bin);
  mkdirSync(temp);
  const program = (name: string, script: string) => {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  };
  program('stopgate', `exec "${process.execPath}" "${BIN}" "$@"`);
  for (const name of ['npm', 'gh'])
    program(name, `printf '%s\\n' "$@" >"${temp}/${name}.txt"; : >>"${temp}/${name}.txt"`);
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: project.home,
    ANTHROPIC_BASE_URL: project.server.url,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const run = (prompt: string) =>
    runWorkflow(path.join(project.dir, '.github/workflows/agent.yml'), {
      dir: project.dir,
      temp,
      env,
      inputs: { prompt },
      secrets: { ANTHROPIC_API_KEY: 'dummy' },
    });
  const read = (file: string) => readFileSync(path.join(temp, file), 'utf8');
  return { project, git, remote, temp, run, read, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() };
}

describe.concurrent('the recipe for CI', () => {
  it('holds the agent until its checks pass, and makes a pull request of the receipt', async () => {
    let folder = '';
    const write = () => ({ name: 'Write', input: { file_path: path.join(folder, 'fixed'), content: 'x' } });
    await using ci = await repository((_, n) =>
      n === 0 ? { text: 'Done.' } : n === 1 ? { tools: [write()] } : { text: 'Now it is fixed.' },
    );
    folder = ci.project.dir;
    const prompt = `fix it; touch "${ci.temp}/injected" \`touch ${ci.temp}/injected\` $(touch ${ci.temp}/injected)`;
    const runs = await ci.run(prompt);
    expect(
      runs.map(({ name, code }) => [name, code]),
      JSON.stringify(runs, null, 1),
    ).toEqual([
      ['A branch for the agent', 0],
      ['Install Stopgate', 0],
      ['Run the agent', 0],
      ['Write the receipt', 0],
      ['Fail when nothing was proven', 0],
      ['Open the pull request', 0],
    ]);
    // a prompt is never a part of a script
    expect(existsSync(path.join(ci.temp, 'injected'))).toBe(false);
    expect(JSON.stringify(ci.project.server.seen[0]?.body.messages)).toContain('fix it; touch');
    expect(ci.read('npm.txt')).toBe('install\n--global\nstopgate@latest\n');
    expect(JSON.parse(ci.read('stopgate/report.json'))).toMatchObject({ how: 'finished', checks: { type: 'passed' } });
    const receipt = ci.read('stopgate/receipt.md');
    expect(receipt).toContain('tests');
    expect(ci.read('summary.md')).toBe(receipt);
    expect(ci.read('artifacts/stopgate-agent/receipt.json')).toContain('"signature"');
    const asked = ci.read('gh.txt');
    expect(asked).toContain(`--body-file\n${path.join(ci.temp, 'stopgate/receipt.md')}\n`);
    expect(asked).not.toContain('--draft');
    const pushed = execFileSync('git', ['--git-dir', ci.remote, 'ls-tree', '-r', '--name-only', 'agent/17']);
    expect(pushed.toString()).toContain('fixed');
  });

  it('fails the job and opens a draft when the agent only claims to be done', async () => {
    await using ci = await repository(() => ({ text: 'All tests pass.' }));
    const runs = await ci.run('fix it');
    expect(runs.find(({ name }) => name === 'Fail when nothing was proven')?.code).toBe(123);
    expect(ci.read('gh.txt')).toContain('--draft');
    expect(ci.read('stopgate/receipt.md')).toMatch(/stalled/);
  });

  it('says so when there is no receipt', async () => {
    await using ci = await repository(() => ({ error: { status: 401, type: 'authentication_error', message: 'no' } }));
    const runs = await ci.run('fix it');
    expect(runs.find(({ name }) => name === 'Fail when nothing was proven')?.code).not.toBe(0);
    expect(ci.read('stopgate/receipt.md')).toMatch(/no receipt|error|did not/i);
  });
});
