import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearActivity, hasUsedTool, markActivity, readActivity } from './activity.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stopgate-activity-'));
  file = path.join(folder, 'w.activity');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hook = (name: string) => {
  const script = path.join(import.meta.dirname, '../../profiles/default/hooks', name);
  execFileSync(script, { env: { STOPGATE_ACTIVITY_FILE: file }, stdio: ['ignore', 'pipe', 'pipe'] });
};

it('is unknown for an agent whose hooks have not run', () => {
  expect(readActivity(file)).toBeNull();
  expect(hasUsedTool(file)).toBe(false);
  expect(hasUsedTool(null)).toBe(true);
});

it('gets a mark from the scripts when a tool begins and ends', () => {
  hook('landing.sh');
  expect(readActivity(file)).toMatchObject({ isBusy: true });
  expect(hasUsedTool(file)).toBe(false);
  hook('budget-countdown.sh');
  expect(readActivity(file)).toMatchObject({ isBusy: false });
  expect(hasUsedTool(file)).toBe(true);
});

it('counts a batch of calls as over at its one end, also when some of them failed or were denied', () => {
  for (const _call of [1, 2, 3]) hook('landing.sh');
  expect(readActivity(file)).toMatchObject({ isBusy: true });
  hook('budget-countdown.sh');
  expect(readActivity(file)).toMatchObject({ isBusy: false });
  hook('landing.sh');
  expect(readActivity(file)).toMatchObject({ isBusy: true });
});

it('counts the checks at a stop as work, not as a tool', () => {
  markActivity(file, 'stopBegan');
  expect(readActivity(file)).toMatchObject({ isBusy: true });
  markActivity(file, 'stopEnded');
  expect(readActivity(file)).toMatchObject({ isBusy: false });
  expect(hasUsedTool(file)).toBe(false);
});

it('starts again after it was cleared, and still shows that hooks run', () => {
  markActivity(file, 'toolBegan');
  markActivity(file, 'toolsEnded');
  markActivity(file, 'stopBegan');
  clearActivity(file);
  expect(readActivity(file)).toEqual({ at: expect.any(Number), isBusy: false });
  expect(hasUsedTool(file)).toBe(false);
});

it('causes no failure when it cannot be written', () => {
  const nowhere = path.join(folder, 'gone', 'w.activity');
  markActivity(nowhere, 'toolBegan');
  clearActivity(nowhere);
  file = nowhere;
  hook('landing.sh');
  hook('budget-countdown.sh');
  expect(existsSync(nowhere)).toBe(false);
});
