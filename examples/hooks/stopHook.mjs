// What the hooks here share: read the event, answer in the one form that every agent understands, know when to give up.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The event on stdin; an empty one when there is none, so that a hook can be tried by hand. */
export async function readEvent() {
  let text = '';
  if (!process.stdin.isTTY) for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Where the agent was started; its own `cd` does not move it. */
export const projectDir = (event) => process.env.CLAUDE_PROJECT_DIR || event.cwd || process.cwd();

/** A path of the event; some agents shorten the home folder. */
export const fullPath = (name) => String(name ?? '').replace(/^~(?=\/)/, homedir());

/** The end of a text: at most so many lines and characters, without colours. */
export function tail(text, { lines = 40, characters = 4_000 } = {}) {
  const plain = stripVTControlCharacters(text).trimEnd();
  const last = plain.split('\n').slice(-lines).join('\n').slice(-characters);
  return last.length < plain.length ? `…\n${last}` : last;
}

/** Words for the person. The turn ends as it would have. */
export function tellPerson(text) {
  process.stdout.write(JSON.stringify({ systemMessage: text }));
}

const SAME_FINDING = 3;
const IN_ONE_TURN = 20;

/**
 * Sends the agent back with a reason. Not every agent has a limit of its own, so this has one: the same finding three
 * times in a row, or twenty findings in a turn, and the turn may end, which the person is told.
 */
export function block(event, gate, reason) {
  const told = recall(event, gate);
  // times and counts change from run to run and are no progress
  const finding = createHash('sha256').update(reason.replaceAll(/\d+/g, '#')).digest('hex');
  const same = told.finding === finding ? told.same + 1 : 1;
  const all = told.all + 1;
  const tired = same > SAME_FINDING || all > IN_ONE_TURN;
  // who cannot count may ask once, or it would ask for ever
  const counted = !tired && remember(event, gate, { finding, same, all });
  if (tired || (!counted && event.stop_hook_active)) {
    forget(event, gate);
    tellPerson(`${gate} gave up and let the turn end. What it still found:\n${reason}`);
  } else process.stdout.write(JSON.stringify({ decision: 'block', reason }));
}

/** The gate is content: the next finding is the first again. */
export function forget(event, gate) {
  try {
    rmSync(countFile(event, gate), { force: true });
  } catch {}
}

function recall(event, gate) {
  const nothing = { finding: '', same: 0, all: 0 };
  if (!event.stop_hook_active) return nothing;
  try {
    return { ...nothing, ...JSON.parse(readFileSync(countFile(event, gate), 'utf8')) };
  } catch {
    return nothing;
  }
}

function remember(event, gate, counts) {
  if (!event.session_id) return false;
  try {
    mkdirSync(path.dirname(countFile(event, gate)), { recursive: true, mode: 0o700 });
    writeFileSync(countFile(event, gate), JSON.stringify(counts), { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** By session, never by folder: two agents in one project do not share their counts. */
function countFile({ session_id, agent_id }, gate) {
  const key = createHash('sha256').update(`${session_id}\n${agent_id}\n${gate}`).digest('hex').slice(0, 32);
  return path.join(tmpdir(), `stop-hooks-${userInfo().username}`, `${key}.json`);
}
