import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { ALL_HOSTS } from '../support/hosts/allHosts.ts';
import { type DriveWish, driveHost } from '../support/hosts/driveHost.ts';
import { driverOf, HOST_DRIVERS } from '../support/hosts/drivers/all.ts';
import { HOST_PACKAGES, type HostName } from '../support/hosts/hostPackages.ts';
import { type HostAge, installHost } from '../support/hosts/installHost.ts';
import { isolation } from '../support/hosts/isolation.ts';
import { keepPayload, recordedPayload, shapeOf } from '../support/hosts/payloads.ts';
import { type RecordedEvent, recordHooks } from '../support/hosts/recordHooks.ts';

const AGES: readonly HostAge[] = ALL_HOSTS ? ['newest', 'older'] : ['newest'];
const RECORDS = process.env.STOPGATE_RECORD_PAYLOADS === '1';

/** What a program does when its model answers 401: in its JSON mode pi exits as if all went well. */
const REFUSED: Readonly<Record<HostName, { readonly code: number; readonly stops: number }>> = {
  claude: { code: 1, stops: 0 },
  codex: { code: 1, stops: 0 },
  gemini: { code: 401 % 256, stops: 0 },
  qwen: { code: 1, stops: 0 },
  copilot: { code: 1, stops: 0 },
  opencode: { code: 1, stops: 2 },
  pi: { code: 0, stops: 1 },
};

// nothing of Stopgate runs in these sessions; tests/hosts/HOST.test.ts has it in each of them
const names = ALL_HOSTS || RECORDS ? (Object.keys(HOST_DRIVERS) as HostName[]) : [];
if (names.length === 0)
  process.stdout.write('tests/hosts/drive runs no agent alone (all with STOPGATE_ALL_HOSTS=1).\n');

const hosts = await Promise.all(
  names.flatMap((name) => AGES.map(async (age) => ({ name, age, host: await installHost(name, age) }))),
);
for (const { name, host } of hosts)
  if (host.type === 'missing') process.stdout.write(`tests/hosts/drive of ${name} is skipped: ${host.reason}\n`);

async function place() {
  const folder = await tempFolder();
  const project = { dir: path.join(folder.path, 'project'), home: path.join(folder.path, 'home') };
  mkdirSync(project.dir);
  mkdirSync(project.home);
  return { project, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const stopsOf = (events: readonly RecordedEvent[]) => events.filter(({ event }) => event === 'stop');

const firstOf = (events: readonly RecordedEvent[]) => [
  ...new Map(events.toReversed().map((recorded) => [recorded.event, recorded])).values(),
];

describe.each(hosts)('$name $host.version', { timeout: 60_000 }, ({ name, age, host }) => {
  const lacksStop = HOST_PACKAGES[name][age].lacks?.includes('stop') ?? false;
  const drive = (wish: Omit<DriveWish, 'version'>) => driveHost(name, { ...wish, version: age });

  it.skipIf(host.type === 'missing')('runs a tool, answers, and calls the stop hook once', async () => {
    await using folder = await place();
    const { project } = folder;
    const recorder = recordHooks(name, project);
    const { failing } = driverOf(name);
    const script = [
      { shell: 'echo from-the-shell' },
      { write: { file: 'written.txt', text: 'one\n' } },
      failing ? { tools: [failing] } : { shell: 'exit 3' },
      { text: 'All done.' },
    ];
    const end = await drive({ project, script, prompt: 'Please do it' });
    expect(end.code, end.stderr + end.stdout).toBe(0);
    expect(end.stdout).toContain('All done.');
    expect(end.turns).toHaveLength(4);
    const [asked, ran] = end.turns;
    expect(asked?.some(({ role, text }) => role === 'user' && text.includes('Please do it'))).toBe(true);
    expect(ran?.find(({ role }) => role === 'tool')?.text).toContain('from-the-shell');
    expect(readFileSync(path.join(project.dir, 'written.txt'), 'utf8')).toBe('one\n');
    expect(end.sessionId).toBeTruthy();
    const events = recorder.events();
    expect(stopsOf(events)).toHaveLength(lacksStop ? 0 : 1);
    for (const { event, payload } of firstOf(events)) {
      if (RECORDS && age === 'newest') keepPayload({ host: name, event, payload }, project);
      if (age === 'newest')
        expect(shapeOf(payload), event).toEqual(shapeOf(recordedPayload(name, event, project) ?? {}));
    }
  });

  it.skipIf(host.type === 'missing')('ends when the model refuses the key', async () => {
    await using folder = await place();
    const { project } = folder;
    const recorder = recordHooks(name, project);
    const error = { status: 401, type: 'authentication_error', message: 'invalid key' };
    const end = await drive({ project, script: [{ error }], prompt: 'Please do it' });
    expect(end.timedOut, end.stdout).toBe(false);
    expect(end.code).toBe(REFUSED[name].code);
    const events = recorder.events();
    expect(stopsOf(events)).toHaveLength(lacksStop ? 0 : REFUSED[name].stops);
    const failure = events.find(({ event }) => event === 'failure');
    if (failure && RECORDS && age === 'newest') keepPayload({ host: name, ...failure }, project);
  });
});

const isolated = isolation().type === 'isolated';
const codex = await installHost('codex');
it.skipIf(!isolated || codex.type !== 'installed')(
  'an agent has no network but loopback',
  { timeout: 30_000 },
  async () => {
    await using folder = await place();
    const script = [{ shell: 'cut -d: -sf1 /proc/net/dev' }, { text: 'Done.' }];
    const { turns } = await driveHost('codex', { project: folder.project, script, prompt: 'Which networks?' });
    expect(turns[1]?.at(-1)?.text).toMatch(/Output:\s+lo\s*$/);
  },
);
