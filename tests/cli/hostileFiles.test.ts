import { describe, expect, it } from 'vitest';
import { hostileTexts, plant, plantText, READ_FILES, SPECIAL } from '../support/hostileFiles.ts';
import { type TestProject, testProject } from '../support/project.ts';

/** Commands that look at a project's files before a person said anything about them. */
const COMMANDS: readonly (readonly string[])[] = [
  ['-p', 'hello', '--max-turns', '1'],
  ['init', '--dry-run'],
  ['hooks', 'list'],
  ['trust', '--show'],
  ['status'],
  ['launch', '--budget', '1m', '--', 'true'],
  ['remove', '--dry-run'],
  ['restore'],
];

/** Starting Node takes most of it, on a busy machine. */
const BOUND_MS = 20_000;

async function timed(project: TestProject, args: readonly string[]) {
  const startedAt = performance.now();
  const end = await project.run(args, { input: '' });
  return { end, ms: performance.now() - startedAt };
}

describe('files that are no files', { timeout: 600_000 }, () => {
  it.each(Object.entries(SPECIAL))('do not stop a command: %s', async (_name, put) => {
    await using project = await testProject();
    await project.run(['--version']);
    for (const file of READ_FILES) await plant(project.dir, file, put);
    for (const args of COMMANDS) {
      const { end, ms } = await timed(project, args);
      expect([args.join(' '), end.signal, ms < BOUND_MS]).toEqual([args.join(' '), null, true]);
      expect(end.stderr).not.toMatch(/\n {4}at /);
    }
  });
});
