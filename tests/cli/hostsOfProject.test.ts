import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

it('hosts and init neither find nor run programs of the project', async () => {
  await using project = await testProject();
  const evil = path.join(project.dir, 'evil.txt');
  const put = (name: string, text: string) => chmodSync(project.write(name, text), 0o755);
  for (const name of ['codex', 'node_modules/.bin/gemini', 'node_modules/.bin/interpreter'])
    put(name, `#!/bin/sh\ntouch ${evil}\necho 1.2.3\n`);
  // the user's own, whose interpreter a project could replace
  put('../home/bin/qwen', '#!/usr/bin/env interpreter\n');
  const own = path.join(project.dir, 'node_modules/.bin');
  const env = { PATH: `.::node_modules/.bin:${own}:${project.home}/bin:${process.env.PATH}` };
  const { stdout } = await project.run(['hosts', '--json'], { env });
  await project.run(['init', '--yes', '--dry-run'], { env });
  const programs: readonly (string | null)[] = JSON.parse(stdout).map(
    ({ program }: { program: string | null }) => program,
  );
  expect(programs).toContain(path.join(project.home, 'bin/qwen'));
  expect(programs.filter((one) => one?.startsWith(project.dir))).toEqual([]);
  expect(existsSync(evil)).toBe(false);
});
