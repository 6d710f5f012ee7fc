import { describe, expect, it } from 'vitest';
import { isAlive } from '../support/project.ts';
import { KEYS } from '../support/screen.ts';
import { bash, openTestSession, until } from '../support/session.ts';

const WORKING = { args: ['--allowedTools', 'Bash'] };

describe('subagents and background tasks', () => {
  it('lists a background command, shows its output as it grows, and stops it', async () => {
    // what it prints is not in its own words
    const command = "echo $$ > pid; echo be''gun; until [ -e go ]; do sleep 0.05; done; echo mo''re; sleep 600";
    const start = { tools: [{ name: 'Bash', input: { command, run_in_background: true, description: 'the server' } }] };
    await using session = await openTestSession({ ...WORKING, replies: [start, { text: 'it runs' }] });
    session.send('serve');
    await session.sees('it runs');
    await session.project.sees('pid');
    session.type(KEYS.ctrlT);
    await session.sees('the server · shell');
    session.type(KEYS.enter);
    await session.sees('begun');
    session.project.write('go', '');
    await session.sees('more');
    session.type(KEYS.escape);
    await session.sheds('begun');
    session.type(KEYS.ctrlX);
    await session.sees('Stopped: the server.');
    await expect.poll(() => isAlive(Number(session.project.read('pid')))).toBe(false);
  });

  it('looks into a subagent that the turn waits for, and stops only that', async () => {
    await using session = await openTestSession({
      ...WORKING,
      replies: (body) => {
        const text = JSON.stringify(body.messages);
        if (!text.includes('delegate it')) return bash('echo looking around; sleep 600');
        const call = { name: 'Agent', input: { description: 'explore the code', prompt: 'look around' } };
        return text.includes('tool_result') ? { text: 'it was stopped' } : { tools: [call] };
      },
    });
    session.send('delegate it');
    await session.sees('explore the code');
    await session.sees('· Bash');
    session.send('/tasks');
    await session.sees('the turn waits for it');
    session.type(KEYS.enter);
    await session.sees('↑↓ scroll');
    expect(session.screen()).toContain('looking around');
    session.type(KEYS.escape);
    await session.sheds('↑↓ scroll');
    session.type(KEYS.ctrlX);
    await session.sees('it was stopped');
    await session.sees('⏹ Done.');
  });

  it('says when there is none', async () => {
    await using session = await openTestSession({ replies: [bash(until('go'))] });
    session.type(KEYS.ctrlT);
    await session.sees('No subagent or background task is running');
  });
});
