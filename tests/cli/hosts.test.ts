import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

describe.concurrent('stopgate hosts', () => {
  it('lists what is here, which version, and where Stopgate is added', async () => {
    await using project = await testProject();
    const program = project.write('../home/bin/claude', '#!/bin/sh\necho "9.8.7 (Claude Code)"\n');
    chmodSync(program, 0o755);
    const env = { PATH: `${path.dirname(program)}:${process.env.PATH}` };
    const before = await project.run(['hosts'], { env });
    expect(before).toMatchObject({ code: 0, stderr: '' });
    expect(before.stdout).toMatch(/^claude +Claude Code +9\.8\.7 +not added$/m);
    expect(before.stdout).toContain('To add Stopgate: stopgate init --host claude');
    expect((await project.run(['init', '--yes', '--host', 'claude'], { env })).code).toBe(0);
    const { stdout } = await project.run(['hosts', 'claude', '--json'], { env });
    const file = path.join(project.dir, '.claude/settings.local.json');
    expect(JSON.parse(stdout)).toMatchObject([{ host: 'claude', version: '9.8.7', wired: [{ scope: 'local', file }] }]);
    expect((await project.run(['hosts'], { env })).stdout).toMatch(/^claude .* added \(local\)$/m);
  });

  it('reports why hooks that are added do not run', async () => {
    await using project = await testProject();
    await project.run(['init', '--yes', '--host', 'claude']);
    project.write('.claude/settings.json', '{"disableAllHooks":true}');
    const { stdout } = await project.run(['hosts']);
    expect(stdout).toMatch(/added \(local\), off/);
    expect(stdout).toContain('Claude Code will not run these hooks: disableAllHooks is set in');
  });

  it('refuses an unknown name in one sentence', async () => {
    await using project = await testProject();
    const { code, stderr } = await project.run(['hosts', 'cloude']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^stopgate: "cloude" is not an agent that Stopgate can be added to; use one of claude[^\n]*\n$/,
    );
  });
});
