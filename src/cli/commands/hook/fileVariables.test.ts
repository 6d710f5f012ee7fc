import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../testing/tempFolder.ts';
import { dropFileVariables } from './fileVariables.ts';

const ARGV = ['node', 'hook.cjs', 'stop', '--host', 'gemini'];

describe('variables that a host loads from files of the project', () => {
  it.each([
    ['.env', 'STOPGATE_TRUST_PROJECT=1\n', 'STOPGATE_TRUST_PROJECT'],
    ['.env', "export STOPGATE_OFF='1' # x\n", 'STOPGATE_OFF'],
    ['.gemini/.env', 'A=1\nSTOPGATE_HOME: "/x"\n', 'STOPGATE_HOME'],
    ['../.env', 'STOPGATE_PASS_ENV=*\n', 'STOPGATE_PASS_ENV'],
  ])('do not decide: %s %j', async (name, text, variable) => {
    await using folder = await tempFolder();
    const project = path.join(folder.path, 'a/b');
    const file = path.join(project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    mkdirSync(project, { recursive: true });
    writeFileSync(file, text);
    const env = { HOME: '/nowhere', [variable]: 'anything', PATH: '/bin' };
    expect(dropFileVariables(ARGV, project, env)).toEqual([expect.stringContaining(variable)]);
    expect(env).toEqual({ HOME: '/nowhere', PATH: '/bin' });
  });

  it("leaves the clock of a launch, the user's own file, and hosts that load none", async () => {
    await using folder = await tempFolder();
    writeFileSync(path.join(folder.path, '.env'), 'STOPGATE_BUDGET_END=1\nSTOPGATE_OFF=1\n');
    const env = { STOPGATE_BUDGET_END: '5', STOPGATE_OFF: '1', HOME: folder.path };
    expect(dropFileVariables(ARGV, folder.path, env)).toEqual([]);
    const other = { STOPGATE_OFF: '1', STOPGATE_BUDGET_END: '5' };
    expect(dropFileVariables(['stop', '--host', 'codex'], folder.path, other)).toEqual([]);
    expect(dropFileVariables(ARGV, folder.path, other)).toHaveLength(1);
    expect(other).toEqual({ STOPGATE_BUDGET_END: '5' });
  });
});
