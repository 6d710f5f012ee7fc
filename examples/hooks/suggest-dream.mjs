#!/usr/bin/env node
// Stop or SessionStart hook: says once when memory has grown enough to be worth a tidy-up. Never blocks.
//   suggest-dream.mjs [new notes, 10 unless told]
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fullPath, readEvent, tellPerson } from './stopHook.mjs';

const WORTH_IT = Number(process.argv[2]) || 10;
const event = await readEvent();
// memory lies beside the transcripts, in Stopgate and in Claude Code
const folder = path.join(path.dirname(fullPath(event.transcript_path)), 'memory');
const stamp = path.join(folder, '.dream-suggested.json');

const readJson = (file) => {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
};

function notes() {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'MEMORY.md');
    return names.map((name) => statSync(path.join(folder, name)));
  } catch {
    return [];
  }
}

const tidiedAt = readJson(path.join(folder, '.dream.json')).lastDreamAt ?? 0;
const suggestedAt = readJson(stamp).at ?? 0;
const all = notes();
const isNew = ({ mtimeMs }) => mtimeMs > Math.max(tidiedAt, suggestedAt);
const grown = all.filter(isNew).length;

if (event.transcript_path && grown >= WORTH_IT) {
  const kilobytes = Math.ceil(all.reduce((sum, { size }) => sum + size, 0) / 1024);
  const what = `Memory has grown by ${grown} notes to ${all.length} (${kilobytes} kB).`;
  const how = `Read the notes in ${folder}, merge those that say the same, drop what is no longer true, keep MEMORY.md short.`;
  try {
    writeFileSync(stamp, JSON.stringify({ at: Date.now() }), { mode: 0o600 });
    say(what, how);
  } catch {
    // a suggestion that cannot be remembered would come at every stop
  }
}

/** On Stop to the person, since context would keep the agent working; at the start to the agent, which can offer it. */
function say(what, how) {
  if (event.hook_event_name !== 'SessionStart') return tellPerson(`${what} Worth a tidy-up; you could ask: "${how}"`);
  const additionalContext = `${what} Offer the user to tidy it up: ${how} Do it only when asked.`;
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext };
  process.stdout.write(JSON.stringify({ hookSpecificOutput }));
}
