import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { allowForProject, readProjectRules } from './projectRules.ts';

describe('rules that a person allowed for a project', () => {
  it('are kept, each once', async () => {
    await using folder = await tempFolder();
    expect(readProjectRules(folder.path)).toEqual({ allow: [], problems: [] });
    await allowForProject(folder.path, ['Bash(npm test)']);
    const file = await allowForProject(folder.path, ['Edit(/src/**)', 'Bash(npm test)']);
    expect(file).toBe(path.join(folder.path, 'allowed.json'));
    expect(readProjectRules(folder.path).allow).toEqual(['Bash(npm test)', 'Edit(/src/**)']);
  });

  it.each(['{', '[]', '{"allow":"Bash"}', '{"allow":[1]}'])(
    'allow nothing and are named when the file has %s',
    async (text) => {
      await using folder = await tempFolder();
      writeFileSync(path.join(folder.path, 'allowed.json'), text);
      const { allow, problems } = readProjectRules(folder.path);
      expect(allow).toEqual([]);
      expect(problems[0]).toContain('allowed.json must be {"allow": ["RULE", …]}');
    },
  );
});
