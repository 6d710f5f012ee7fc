import { describe, expect, it } from 'vitest';
import type { ProposedMemory } from '../../schemas/memory.ts';
import { judgeProposal, MAX_MEMORIES, type ProposalFacts, safeName } from './judgeProposal.ts';
import type { Memory } from './memoryFile.ts';

const proposal: ProposedMemory = {
  name: 'Test Command',
  description: 'How tests are run',
  type: 'project',
  content: 'Run make check, because npm test skips the types.',
  evidence: 'use make check, npm test skips the types',
};

const facts: ProposalFacts = {
  evidence: [
    { source: 'user', text: 'Please use  make check,\nnpm test skips the types.' },
    { source: 'tool', text: 'README: deploys go to https://deploy.example.com every night' },
  ],
  known: [],
  sessionId: 'session',
  now: Date.parse('2026-11-01T10:00:00Z'),
};

const known = (name: string, content: string): Memory => ({
  name,
  description: 'd',
  type: 'project',
  created: '2026-01-01',
  session: 'old',
  evidence: 'user',
  quote: '',
  content,
});

describe('judgeProposal', () => {
  it('keeps a fact that the user said, with its source', () => {
    expect(judgeProposal(proposal, facts)).toEqual({
      type: 'write',
      memory: {
        name: 'test-command',
        description: 'How tests are run',
        type: 'project',
        created: '2026-11-01T10:00:00.000Z',
        session: 'session',
        evidence: 'user',
        quote: 'use make check, npm test skips the types',
        content: proposal.content,
      },
    });
  });

  it('keeps a fact of the project that a tool printed, marked as such', () => {
    const reference = { ...proposal, type: 'reference' as const, evidence: 'deploys go to https://deploy.example.com' };
    expect(judgeProposal(reference, facts)).toMatchObject({ type: 'write', memory: { evidence: 'tool' } });
  });

  it('corrects a known fact under its name and keeps when it was first learned', () => {
    const judged = judgeProposal(proposal, { ...facts, known: [known('test-command', 'Run npm test.')] });
    expect(judged).toMatchObject({ memory: { created: '2026-01-01', updated: '2026-11-01T10:00:00.000Z' } });
  });

  it.each<[string, Partial<ProposedMemory>, Partial<ProposalFacts>, RegExp]>([
    ['that are not in the conversation', { evidence: 'the user loves tabs above all' }, {}, /not in the conversation/],
    ['without a quote', { evidence: '' }, {}, /not in the conversation/],
    ['with a single short word as its quote', { evidence: 'use' }, {}, /not in the conversation/],
    ['about the person from a tool', { type: 'user', evidence: 'deploys go to https://deploy' }, {}, /tool's output/],
    ['that corrects from a tool', { type: 'feedback', evidence: 'deploys go to https://deploy' }, {}, /tool's output/],
    [
      'that is known',
      {},
      { known: [known('other', 'run `make check`, because NPM test skips the types')] },
      /known already/,
    ],
    ['without content', { content: '  ' }, {}, /empty/],
    ['that is too long', { content: 'x'.repeat(5000) }, {}, /longer than/],
    ['without a usable name', { name: '../..' }, {}, /no usable file name/],
    ['that would be the index', { name: 'MEMORY.md' }, {}, /no usable file name/],
    ['with a provider key', { content: 'The key is sk-ant-REDACTED' }, {}, /secret/],
    ['with a token', { content: 'use ghp_abcdefghijklmnopqrstuvwxyz0123456789' }, {}, /secret/],
    ['with a password', { content: 'The database password is hunter2hunter2' }, {}, /secret/],
    ['with a private key', { content: '-----BEGIN RSA PRIVATE KEY-----' }, {}, /secret/],
    ['with credentials in a URL', { content: 'postgres://admin:s3cr3t@db/prod' }, {}, /secret/],
    [
      'when memory is full',
      {},
      { known: Array.from({ length: MAX_MEMORIES }, (_, i) => known(`fact-${i}`, `fact ${i}`)) },
      /full/,
    ],
  ])('leaves out a fact %s', (_name, change, more, reason) => {
    const judged = judgeProposal({ ...proposal, ...change }, { ...facts, ...more });
    expect(judged.type).toBe('refused');
    expect(judged).toMatchObject({ reason });
  });

  it.each([
    ['Deploy Target', 'deploy-target'],
    ['../../etc/passwd', 'etc-passwd'],
    ['.hidden', 'hidden'],
    ['a'.repeat(100), 'a'.repeat(60)],
    ['Größe', 'gro-e'],
    ['con\u0000trol', 'con-trol'],
    ['memory', undefined],
    ['???', undefined],
  ])('makes %j a safe file name', (name, safe) => expect(safeName(name)).toBe(safe));
});
