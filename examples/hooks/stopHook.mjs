// Shared by these hooks: reads the event, answers in the form that every agent understands, and gives up in the end.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The event on stdin; empty without one, so that a hook can be tested by hand. */
export async function readEvent() {
  let text = '';
  if (!process.stdin.isTTY) for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Where the agent was started, whatever its `cd`. */
export const projectDir = (event) => process.env.CLAUDE_PROJECT_DIR || event.cwd || process.cwd();

/** A path of the event; some agents shorten the home folder. */
export const fullPath = (name) => String(name ?? '').replace(/^~(?=\/)/, homedir());

/** The end of a text, without colors. */
export function tail(text, { lines = 40, characters = 4_000 } = {}) {
  const plain = stripVTControlCharacters(text).trimEnd();
  const last = plain.split('\n').slice(-lines).join('\n').slice(-characters);
  return last.length < plain.length ? `…\n${last}` : last;
}

/** A message for the user. The turn ends as usual. */
export function notifyUser(text) {
  process.stdout.write(JSON.stringify({ systemMessage: text }));
}

const SAME_FINDING = 3;
const IN_ONE_TURN = 20;

/**
 * Sends the agent back with a reason. Not every agent limits this itself, so after the same finding three times in a row,
 * or twenty findings in a turn, the turn may end, with a message for the user.
 */
export function block(event, gate, reason) {
  const before = recall(event, gate);
  // numbers (times, counts) differ between runs without progress
  const finding = createHash('sha256').update(reason.replaceAll(/\d+/g, '#')).digest('hex');
  const same = before.finding === finding ? before.same + 1 : 1;
  const all = before.all + 1;
  const isOver = same > SAME_FINDING || all > IN_ONE_TURN;
  // without a count it may block only once, or it would block forever
  const counted = !isOver && remember(event, gate, { finding, same, all });
  if (isOver || (!counted && event.stop_hook_active)) {
    forget(event, gate);
    notifyUser(`${gate} gave up and allowed the stop. Its last finding:\n${reason}`);
  } else process.stdout.write(JSON.stringify({ decision: 'block', reason }));
}

/** The gate passed: the next finding counts as the first. */
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

/** One per session, not per folder: two agents in one project have separate counts. */
function countFile({ session_id, agent_id }, gate) {
  const key = createHash('sha256').update(`${session_id}\n${agent_id}\n${gate}`).digest('hex').slice(0, 32);
  return path.join(tmpdir(), `stop-hooks-${userInfo().username}`, `${key}.json`);
}
