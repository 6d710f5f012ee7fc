import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

/**
 * Every file that starts a process, and how the process's environment passes `src/system/secretPolicy.ts`. Without an `env`
 * of its own a child would inherit all secrets, so a file that is not listed fails: decide there what its child gets.
 */
const STARTS: Readonly<Record<string, string>> = {
  'src/cli/commands/demo/runDemo.ts': 'command: its whole world has no secrets',
  'src/cli/commands/fleet/coordinatorWorld.ts': 'workers are this program, and hide what they get',
  'src/cli/commands/hosts/gatherHosts.ts': 'helper',
  'src/cli/commands/hook/slowEvents.ts': 'the whole environment: this program, which hides what it gets',
  'src/cli/commands/review/personsPrograms.ts': "the whole environment: a person's own pager, editor or command",
  'src/cli/commands/session/personsStatusLine.ts': 'command: childEnvironment',
  'src/cli/commands/session/runBeside.ts': "the whole environment: a person's own line, or this program",
  'src/cli/output/screen/restoreTerminal.ts': 'sh gets PATH alone',
  'src/launch/superviseAgent.ts': 'launched: launchEnvironment',
  'src/launch/terminalAgent.ts': 'launched: launchEnvironment; stty gets PATH alone',
  'src/cli/wiring/modelResolver.ts': 'the whole environment: the command of a person that fetches a key',
  'src/cli/wiring/mcpConnections.ts': 'mcpServer',
  'src/cli/wiring/sessionLeftovers.ts': "its caller's, with the mark of the session",
  'src/launch/attempt/startAgent.ts': 'claudeAgent, otherAgent, stopgateAgent: agentSecrets',
  'src/stop/checks/runChecks.ts': 'command: childEnvironment',
  'src/hooks/kinds/command.ts': 'hook: hookEnvironment, and what the entry lists',
  'src/system/commandLine.ts': 'ps gets PATH alone',
  'src/system/detachedProcess.ts': "its caller's",
  'src/git/git.ts': "helper; to reach a remote the whole environment, for the user's credential helpers",
  'src/system/plainStarter.ts': "its caller's",
  'src/system/sandbox/probeBubblewrap.ts': 'bwrap gets PATH alone',
  'src/system/spawnHelper/spawnHelper.ts': 'the spawn helper gets PATH alone',
  'src/tools/bash/runShell.ts': 'command: childEnvironment',
  'src/tools/search/ripgrep.ts': 'command: childEnvironment',
};

const START =
  /\b(?:processes|runner)\s*\.start\(|\bstartDetached\(|node:child_process|node:worker_threads|node:cluster|StdioClientTransport\(/;
/** A start of Node's own, and enough after it to see its options. */
const NODES_OWN = /\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|fork)\((?=[^)])[^;]{0,400}/g;

const files = ['src', 'bin'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
    .filter((name) => /\.(?:ts|js)$/.test(name) && !name.endsWith('.test.ts') && !name.startsWith('src/testing/')),
);
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const withoutTypes = (text: string) => text.replaceAll(/^import type .*$/gm, '');

describe('every place that starts a process', () => {
  it('is known, with what its child gets of the secrets', () => {
    const starting = files.filter((file) => START.test(withoutTypes(textOf(file))));
    expect(starting.toSorted()).toEqual(Object.keys(STARTS).toSorted());
  });

  it('gives its child an environment instead of letting it inherit ours', () => {
    const inheriting = files
      .filter((file) => /from 'node:child_process'/.test(withoutTypes(textOf(file))))
      .flatMap((file) => [...textOf(file).matchAll(NODES_OWN)].map(([call]) => ({ file, call })))
      .filter(({ call }) => !/\benv\b/.test(call));
    expect(inheriting).toEqual([]);
  });

  it('knows an inheriting start when it sees one', () => {
    const calls = (text: string) => [...text.matchAll(NODES_OWN)].filter(([call]) => !/\benv\b/.test(call)).length;
    expect(calls("spawn('git', ['status'], { stdio: 'pipe' });")).toBe(1);
    expect(calls("spawn('git', ['status'], { env: {}, stdio: 'pipe' });")).toBe(0);
    expect(START.test("world.processes.start({ file: 'git' })")).toBe(true);
  });
});
