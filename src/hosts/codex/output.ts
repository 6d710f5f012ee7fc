import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import { objectIn, readableForm } from '../jsonLines.ts';

/** What `codex exec --json` says to a reader: its messages, and why it failed. */
export const codexText = readableForm((event) => {
  const item = isObject(event.item) ? event.item : {};
  if (event.type === 'item.completed' && item.type === 'agent_message') return String(item.text ?? '');
  return event.type === 'turn.failed' ? `Codex failed: ${failureIn(event)}` : null;
});

export const failureIn = ({ error }: JsonObject): string =>
  String((isObject(error) ? error.message : error) ?? 'no reason given');

/** The session that a line names. */
export function codexThread(line: string): string | undefined {
  if (!line.includes('"thread.started"')) return undefined;
  const id = objectIn(line)?.thread_id;
  return typeof id === 'string' ? id : undefined;
}
