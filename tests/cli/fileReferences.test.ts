import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const OUTSIDE = 'See @inside.txt, @~/private.txt, @link.txt and @link/private.txt.';

describe.concurrent('files that a prompt names with @', () => {
  it("an untrusted repository's command shows nothing from outside of it, and what it left out is named", async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('.claude/commands/look.md', OUTSIDE);
    project.write('inside.txt', 'INSIDE-TEXT');
    writeFileSync(path.join(project.home, 'private.txt'), 'PRIVATE-TEXT');
    symlinkSync(path.join(project.home, 'private.txt'), path.join(project.dir, 'link.txt'));
    symlinkSync(project.home, path.join(project.dir, 'link'));
    const sent = (n: number) => JSON.stringify(project.server.seen[n]?.body.messages);
    const untrusted = await project.run(['-p', '/look']);
    expect(sent(0)).toContain('INSIDE-TEXT');
    expect(sent(0)).not.toContain('PRIVATE-TEXT');
    for (const name of ['@~/private.txt', '@link.txt', '@link/private.txt']) {
      expect(untrusted.stderr).toContain(`${name} was not read: `);
    }
    const trusted = await project.run(['-p', '/look', '--trust-project']);
    expect(trusted.stderr).not.toContain('was not read');
    expect(sent(1).match(/PRIVATE-TEXT/g)).toHaveLength(3);
  });

  it('a deny rule holds, and a name without a file is plain text', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('secret.txt', 'SECRET-TEXT');
    const { stderr } = await project.run([
      '-p',
      'Ask @alice about @secret.txt',
      '--disallowedTools',
      'Read(secret.txt)',
    ]);
    expect(JSON.stringify(project.server.seen[0]?.body.messages)).not.toContain('SECRET-TEXT');
    expect(stderr).toMatch(/@secret\.txt was not read: The deny rule "Read\(secret\.txt\)"/);
    expect(stderr).not.toContain('@alice');
  });
});
