import { expect, it } from 'vitest';
import { instructionsText } from './instructionFile.ts';

it('is empty without files, or with empty ones', () => {
  expect(instructionsText([])).toBe('');
  expect(instructionsText([{ path: '/a', memoryType: 'User', content: '', loadReason: 'session_start' }])).toBe('');
});

it('tells each file with its path and whose it is, in order', () => {
  const text = instructionsText([
    { path: '/home/CLAUDE.md', memoryType: 'User', content: 'Be brief.', loadReason: 'session_start' },
    { path: '/p/a.md', memoryType: 'Project', content: 'Use tabs.', loadReason: 'include', parentPath: '/p/CLAUDE.md' },
  ]);
  expect(text).toContain('## /home/CLAUDE.md (from the user, for all projects)\n\nBe brief.\n\n## /p/a.md');
  expect(text).toContain('imported by /p/CLAUDE.md)\n\nUse tabs.');
});
