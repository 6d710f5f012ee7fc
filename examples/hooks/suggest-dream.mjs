#!/usr/bin/env node
// Stop or SessionStart hook: suggests a tidy-up of memory, once, when it has grown enough. Never blocks.
//   suggest-dream.mjs [new notes, 10 by default]
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fullPath, notifyUser, readEvent } from './stopHook.mjs';

const WORTH_IT = Number(process.argv[2]) || 10;
const event = await readEvent();
// memory is beside the transcripts, in Stopgate and in Claude Code
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
  const how = `Read the notes in ${folder}, merge duplicates, drop what is no longer true, keep MEMORY.md short.`;
  try {
    writeFileSync(stamp, JSON.stringify({ at: Date.now() }), { mode: 0o600 });
    suggest(what, how);
  } catch {
    // without its stamp the suggestion would come at every stop
  }
}

/** On Stop to the user, since context would keep the agent working; at the start to the agent, which can offer it. */
function suggest(what, how) {
  if (event.hook_event_name !== 'SessionStart') return notifyUser(`${what} A tidy-up is due; you could ask: "${how}"`);
  const additionalContext = `${what} Offer the user to tidy it up: ${how} Do it only on request.`;
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext };
  process.stdout.write(JSON.stringify({ hookSpecificOutput }));
}
