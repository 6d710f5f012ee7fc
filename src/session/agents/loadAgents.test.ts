import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { TRUSTED, UNTRUSTED } from '../trust/folderTrust.ts';
import { agentsText, loadAgents } from './loadAgents.ts';

it("reads agents from files; the project's hold over the person's", async () => {
  await using folder = await tempFolder();
  const [user, project] = [path.join(folder.path, 'user'), path.join(folder.path, 'project')];
  for (const place of [user, project]) mkdirSync(place);
  writeFileSync(path.join(user, 'a.md'), '---\nname: checker\ndescription: old\n---\nOld.');
  writeFileSync(
    path.join(user, 'b.md'),
    '---\nname: free\ndescription: Free\nmodel: inherit\ntools: "*"\nmaxTurns: many\ndisallowedTools: [Bash, Write]\n---\nFree.',
  );
  writeFileSync(
    path.join(project, 'c.md'),
    '---\nname: checker\ndescription: Checks\ntools: Read, Bash\nmodel: haiku\nmaxTurns: 7\n---\nNew.',
  );
  writeFileSync(path.join(project, 'nameless.md'), 'No front matter.');
  writeFileSync(path.join(project, 'broken.md'), '---\nname: broken\nhooks:\n  Stop: [\n---\nBroken.');
  const { agents, problems } = await loadAgents([
    { folder: user, source: 'user', trust: TRUSTED },
    { folder: project, source: 'project', trust: TRUSTED },
    { folder: path.join(folder.path, 'missing'), source: 'project', trust: TRUSTED },
  ]);
  expect(agents).toEqual([
    { name: 'checker', description: 'Checks', prompt: 'New.', tools: ['Read', 'Bash'], model: 'haiku', maxTurns: 7 },
    { name: 'free', description: 'Free', prompt: 'Free.', disallowedTools: ['Bash', 'Write'] },
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/broken\.md:\d: The front matter is not valid YAML: .+; this agent is left out\.$/),
  ]);
  expect(agentsText(agents)).toContain('- checker: Checks\n- free: Free');
  expect(agentsText([])).toBe('');
});

it("keeps the person's hooks of an agent that an untrusted project defines again", async () => {
  await using folder = await tempFolder();
  const [user, project] = [path.join(folder.path, 'user'), path.join(folder.path, 'project')];
  for (const place of [user, project]) {
    mkdirSync(place);
    writeFileSync(path.join(place, 'a.md'), '---\nname: checker\nhooks:\n  Stop: []\n---\nChecks.');
  }
  const sources = async (trusted: boolean) => {
    const folders = [
      { folder: user, source: 'user', trust: TRUSTED },
      { folder: project, source: 'project', trust: trusted ? TRUSTED : UNTRUSTED },
    ] as const;
    const { agents } = await loadAgents(folders);
    return agents[0]?.hooks?.map(({ source }) => source);
  };
  expect(await sources(true)).toEqual(['project']);
  expect(await sources(false)).toEqual(['user', 'project']);
});
