import { describe, expect, it } from 'vitest';
import { wirableHosts } from '../../../hosts/findHosts.ts';
import { pageFor } from '../../output/page.ts';
import type { FolderContent } from '../trust/folderContent.ts';
import type { TrustEffects } from '../trust/trustEffects.ts';
import { chooseHosts, chooseInit } from './chooseInit.ts';
import type { FolderOfChecks, InitFacts } from './gatherInit.ts';
import type { Answer } from './questions.ts';

const EFFECTS: TrustEffects = {
  ...{ hooks: [], settings: [], mcpServers: [], checks: [], commands: [], agents: [], instructions: [], problems: [] },
  definition: null,
};
const NOTHING: FolderContent = {
  ...{ effects: EFFECTS, approvable: [], done: null, broken: null, content: { items: [], files: {} }, texts: {} },
};
const CHECK = { name: 'test', command: 'npm test', timeout: '10m' };
const FOLDER: FolderOfChecks = {
  path: '/p',
  config: 'none',
  unread: [],
  proposed: [CHECK],
  trusted: false,
  waiting: NOTHING,
};
const FACTS: InitFacts = {
  scope: 'local',
  hosts: [],
  paths: { packageRoot: '/s', stopgate: ['/s/bin'] },
  folder: FOLDER,
};
const page = pageFor({ outIsTerminal: false, columns: 80 }, { cwd: '/p', homeDir: '/home', env: {} });

/** Answers in turn, and remembers questions and output. */
function person(...answers: Answer[]) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers.shift() ?? 'yes';
  };
  const print = (text: string) => void asked.push(text);
  return {
    asked,
    terminal: { questions: { ask, count: () => asked.length, [Symbol.dispose]: () => {} }, print, page },
  };
}

describe('chooseInit', () => {
  it('asks one question each, shows the configuration before it is written', async () => {
    const { asked, terminal } = person('yes', 'no', 'yes', 'yes');
    expect(await chooseInit(FACTS, {}, terminal)).toEqual({
      features: ['checks', 'landing'],
      checks: [CHECK],
      trusts: true,
    });
    expect(asked.filter((text) => text.endsWith('?'))).toHaveLength(4);
    expect(asked.join('')).toContain('  │     { "name": "test", "command": "npm test", "timeout": "10m" }');
  });

  it('asks nothing that a flag decides', async () => {
    const { asked, terminal } = person();
    const choice = await chooseInit(FACTS, { checks: false, countdown: true, landing: false }, terminal);
    expect(choice).toMatchObject({ features: ['countdown'], checks: [], trusts: false });
    expect(asked).toEqual([]);
  });

  it('asks before trust enables more than the checks, and accepts a no', async () => {
    const waiting = { ...NOTHING, effects: { ...EFFECTS, instructions: ['/home/notes.md'] } };
    const facts = { ...FACTS, folder: { ...FOLDER, config: 'here' as const, waiting } };
    const { asked, terminal } = person('no');
    expect(await chooseInit(facts, { checks: true, countdown: true, landing: true }, terminal)).toMatchObject({
      trusts: false,
    });
    expect(asked.join('')).toContain('/home/notes.md');
  });

  it.each([0, 1, 2, 3])('is over when question %i is interrupted', async (before) => {
    const answers = Array.from<Answer>({ length: before }).fill('yes');
    const { asked, terminal } = person(...answers, 'interrupted');
    expect(await chooseInit(FACTS, {}, terminal)).toBe('interrupted');
    expect(asked.filter((text) => text.endsWith('?'))).toHaveLength(before + 1);
  });
});

describe('chooseHosts', () => {
  const found = wirableHosts().map((host) => ({ host, program: `/bin/${host.name}`, configured: true }));

  it.each([
    ['yes', wirableHosts()],
    ['no', []],
    ['interrupted', 'interrupted'],
  ] as const)('asks one question about all agents; %s decides for all', async (answer, chosen) => {
    const { asked, terminal } = person(answer);
    expect(await chooseHosts(found, terminal.questions)).toEqual(chosen);
    expect(asked).toEqual([expect.stringMatching(/^Add Stopgate to the 7 agents on this machine: Claude Code, .*\?$/)]);
  });
});
