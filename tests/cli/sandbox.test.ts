import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../src/system/findProgram.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { whyNoSandbox } from '../support/sandboxProject.ts';

const missing = await whyNoSandbox();
if (missing !== null) console.warn(`The sandbox is not tested here: ${missing}.`);

/** A model that runs these commands, one in each reply, and then is done. */
const running = (...commands: string[]) =>
  testProject((_body, n) =>
    n < commands.length ? { tools: [{ name: 'Bash', input: { command: commands[n] } }] } : { text: 'done' },
  );

const userSettings = ({ home }: TestProject, settings: object) => {
  mkdirSync(path.join(home, '.claude'), { recursive: true });
  writeFileSync(path.join(home, '.claude/settings.json'), JSON.stringify(settings));
};

const sandbox = (more: object = {}) => ({ sandbox: { enabled: true, ...more } });

/** What the model was told of its last command. */
function lastResult(project: TestProject): string {
  return JSON.stringify(project.server.seen.at(-1)?.body.messages.at(-1));
}

/** A PATH on which there is all that is needed but bwrap. */
function pathWithout(project: TestProject): string {
  const folder = path.join(project.home, 'bin');
  mkdirSync(folder);
  for (const name of ['bash', 'git', 'perl', 'node', 'ls', 'touch', 'echo']) {
    const program = findProgram(name, '/', process.env.PATH);
    if (program) symlinkSync(program, path.join(folder, name));
  }
  return folder;
}

describe.skipIf(missing !== null).concurrent('a session with sandbox.enabled', () => {
  it('runs commands inside, without a rule', async () => {
    await using project = await running(
      'echo inside > made.txt; echo x > ../outside.txt; echo $ANTHROPIC_API_KEY; ls ~/.stopgate',
    );
    userSettings(project, sandbox());
    const { code, stderr } = await project.run(['-p', 'x']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(project.read('made.txt')).toBe('inside\n');
    expect(existsSync(path.join(project.dir, '../outside.txt'))).toBe(false);
    expect(JSON.stringify(project.server.seen[0]?.body.system)).toContain('Bash commands run in a sandbox');
  });

  it('still asks for a rule when autoAllowBashIfSandboxed is false', async () => {
    await using project = await running('touch made.txt');
    userSettings(project, sandbox({ autoAllowBashIfSandboxed: false }));
    await project.run(['-p', 'x']);
    expect(lastResult(project)).toContain('needs permission');
    expect(existsSync(path.join(project.dir, 'made.txt'))).toBe(false);
  });

  it('obeys deny rules, which are stronger', async () => {
    await using project = await running(
      'touch made.txt',
      'cat note.txt; python3 -c "print(open(\'note.txt\').read())" || perl -pe 1 note.txt',
    );
    userSettings(project, { ...sandbox(), permissions: { deny: ['Bash(touch *)', 'Read(note.txt)'] } });
    project.write('note.txt', 'TOPSECRET');
    await project.run(['-p', 'x']);
    expect(existsSync(path.join(project.dir, 'made.txt'))).toBe(false);
    expect(JSON.stringify(project.server.seen.at(-1)?.body)).not.toContain('TOPSECRET');
  });

  it('shuts in commands in the background, of subagents and of slash commands', async () => {
    const attack = (name: string) => `echo x > ../${name}; echo ${name} > ${name}`;
    await using project = await testProject((_body, n) => {
      if (n === 0)
        return { tools: [{ name: 'Bash', input: { command: attack('background'), run_in_background: true } }] };
      if (n === 1)
        return {
          tools: [{ name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'general-purpose' } }],
        };
      if (n === 2) return { tools: [{ name: 'Bash', input: { command: attack('subagent') } }] };
      return { text: 'done' };
    });
    userSettings(project, sandbox());
    mkdirSync(path.join(project.home, '.claude/commands'), { recursive: true });
    writeFileSync(path.join(project.home, '.claude/commands/go.md'), `Look: !\`${attack('slash')}\`\n`);
    await project.run(['-p', '/go']);
    for (const name of ['background', 'subagent', 'slash']) {
      expect.soft(existsSync(path.join(project.dir, name)), name).toBe(true);
      expect.soft(existsSync(path.join(project.dir, '..', name)), name).toBe(false);
    }
  });

  it('leaves nothing of the sandbox behind', async () => {
    await using project = await running('true');
    userSettings(project, sandbox());
    const temp = path.join(project.home, 'temp');
    mkdirSync(temp);
    await project.run(['-p', 'x'], { env: { TMPDIR: temp } });
    expect(existsSync(path.join(project.dir, '.claude'))).toBe(false);
    expect(readdirSync(temp).filter((name) => name.startsWith('stopgate-sandbox'))).toEqual([]);
  });

  it('names in one line the sandbox settings that have no effect', async () => {
    await using project = await running();
    userSettings(
      project,
      sandbox({ ignoreViolations: {}, allowUnsandboxedCommands: true, network: { socksProxyPort: 1 } }),
    );
    const { stderr } = await project.run(['-p', 'x']);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining(
        'These sandbox settings have no effect in Stopgate: allowUnsandboxedCommands, ignoreViolations, network.socksProxyPort.',
      ),
    ]);
  });
});

describe.skipIf(missing !== null).concurrent('a repository that is not trusted', () => {
  const projectSettings = (project: TestProject, settings: object) =>
    project.write('.claude/settings.json', JSON.stringify(settings));

  it('switches the sandbox on, and gets no command without a rule for it', async () => {
    await using project = await running('touch made.txt');
    projectSettings(project, sandbox());
    await project.run(['-p', 'x']);
    expect(lastResult(project)).toContain('needs permission');
    await using allowed = await running('echo x > ../outside; touch made.txt');
    projectSettings(allowed, sandbox());
    await allowed.run(['-p', 'x', '--allowedTools', 'Bash']);
    expect(existsSync(path.join(allowed.dir, 'made.txt'))).toBe(true);
    expect(existsSync(path.join(allowed.dir, '../outside'))).toBe(false);
  });

  it('does not switch it off or wider', async () => {
    await using project = await running('echo x > ../outside; touch made.txt');
    userSettings(project, sandbox());
    projectSettings(project, {
      sandbox: {
        ...{ enabled: false, autoAllowBashIfSandboxed: true, excludedCommands: ['echo'] },
        ...{ filesystem: { allowWrite: ['..'], allowRead: ['~/.ssh'] }, network: { allowedDomains: ['*'] } },
      },
    });
    const { stderr } = await project.run(['-p', 'x']);
    expect(existsSync(path.join(project.dir, '../outside'))).toBe(false);
    for (const key of [
      'enabled',
      'autoAllowBashIfSandboxed',
      'excludedCommands',
      'filesystem.allowWrite',
      'filesystem.allowRead',
      'network.allowedDomains',
    ])
      expect(stderr).toContain(`sandbox.${key} is left out until you trust this project`);
  });
});

describe.concurrent('without bwrap', () => {
  it('says so at the start, with the fix, and runs by the rules', async () => {
    await using project = await running('touch made.txt');
    userSettings(project, sandbox());
    const { code, stderr } = await project.run(['-p', 'x'], { env: { PATH: pathWithout(project) } });
    expect(code).toBe(0);
    expect(stderr).toContain(
      'commands run without a sandbox: bwrap is not installed; install bubblewrap (apt-get install bubblewrap',
    );
    expect(lastResult(project)).toContain('needs permission');
  });

  it.each([
    ['--require-sandbox', ['--require-sandbox'], {}],
    ['sandbox.failIfUnavailable', [], sandbox({ failIfUnavailable: true })],
  ])('%s refuses to run', async (name, args, settings) => {
    await using project = await running();
    userSettings(project, settings);
    const { code, stdout, stderr } = await project.run(['-p', 'x', ...args], { env: { PATH: pathWithout(project) } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining(`No sandbox is available, but ${name} requires one: bwrap is not installed;`),
    ]);
    expect(project.server.seen).toEqual([]);
  });

  it('launch passes --require-sandbox to our agent, and refuses it for others', async () => {
    await using project = await running();
    const args = ['launch', '--time-budget', '1m', '--require-sandbox', '--agent'];
    const ours = await project.run([...args, 'stopgate', '--', 'x'], { env: { PATH: pathWithout(project) } });
    expect(ours.code).not.toBe(0);
    expect(ours.stderr).toContain('No sandbox is available, but --require-sandbox requires one');
    const other = await project.run([...args, 'true', '--', 'x']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('--require-sandbox works with --agent stopgate');
  });

  it('takes no bwrap that lies in the project', async () => {
    await using project = await running();
    const fake = project.write('bin/bwrap', `#!/bin/sh\necho ran > ${project.dir}/ran\n`);
    chmodSync(fake, 0o755);
    const PATH = `${path.dirname(fake)}:${pathWithout(project)}`;
    const { code } = await project.run(['-p', 'x', '--require-sandbox'], { env: { PATH } });
    expect(code).toBe(2);
    expect(existsSync(path.join(project.dir, 'ran'))).toBe(false);
  });
});

describe.skipIf(missing !== null).concurrent('--require-sandbox', () => {
  it('shuts commands in without any setting, and lets none out', async () => {
    await using project = await running('echo x > ../outside', 'echo y > made.txt');
    userSettings(project, { sandbox: { excludedCommands: ['echo'] } });
    const { stderr } = await project.run(['-p', 'x', '--require-sandbox', '--allowedTools', 'Bash']);
    expect(existsSync(path.join(project.dir, '../outside'))).toBe(false);
    expect(readFileSync(path.join(project.dir, 'made.txt'), 'utf8')).toBe('y\n');
    expect(stderr).toContain('excludedCommands (--require-sandbox)');
  });
});
