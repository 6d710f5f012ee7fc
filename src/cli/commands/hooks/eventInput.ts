import { readFile } from 'node:fs/promises';
import type { EventRow } from '../../../hooks/events/eventRow.ts';
import { allEvents, findEvent } from '../../../hooks/events/eventTable.ts';
import type { HookEventName, HookSubject } from '../../../hooks/types.ts';
import { BaseHookInputSchema, HOOK_INPUT_SCHEMAS } from '../../../schemas/hookInputs.ts';
import { formatJsonPath, locateJsonPath, parseJson } from '../../../schemas/json.ts';
import { isObject, type JsonObject } from '../../../schemas/jsonValue.ts';
import { definedOnly } from '../../../system/definedOnly.ts';
import { nearestName } from '../../../system/nearestName.ts';
import { readAllOfStdin } from '../../../system/readStdin.ts';
import { UserError } from '../../../system/userError.ts';
import type { Flags } from '../task/taskOptions.ts';
import { exampleInputs } from './eventTexts.ts';

/** The input of the hooks: given by the user, or an example. */
export interface EventInput {
  /** The event's fields; fields that all events share only when they were given. */
  readonly fields: JsonObject;
  /** Required fields that were taken from the example. */
  readonly filled: readonly string[];
  readonly isExample: boolean;
}

/** The options of `explain` and `test`. */
export type EventOptions = Flags<'input', 'json'>;

/** A text and its source, as error messages name it. */
interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The event with this name; an error with the nearest name when there is none. */
export function requireEvent(name: string): EventRow {
  const row = findEvent(name);
  if (row !== undefined) return row;
  const names = allEvents().map((event) => event.name);
  const begun = names.find((known) => name.length > 2 && known.toLowerCase().startsWith(name.toLowerCase()));
  const nearest = begun ?? nearestName(name, names);
  const hint = nearest === undefined ? 'stopgate hooks list --all shows all events.' : `did you mean ${nearest}?`;
  throw new UserError(`Unknown event "${name}"; ${hint}`);
}

/** `--input`: a file, `-` for stdin, or nothing for the example. */
export async function readInput(event: HookEventName, input: string | undefined, cwd: string): Promise<EventInput> {
  if (input === undefined) return exampleInput(event, cwd);
  if (input !== '-') return checkEventInput(event, { name: input, text: await fromFile(input) }, cwd);
  if (process.stdin.isTTY) process.stderr.write('Reading JSON from the terminal; end it with Ctrl-D.\n');
  return checkEventInput(event, { name: 'stdin', text: await readAllOfStdin() }, cwd);
}

async function fromFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError(`The input ${file} cannot be read: ${(error as Error).message}.`);
  }
}

export function exampleInput(event: HookEventName, cwd: string): EventInput {
  return { fields: exampleInputs(cwd)[event], filled: [], isExample: true };
}

/** Checks the input that was given for an event; missing fields come from the example. */
export function checkEventInput(event: HookEventName, given: NamedText, cwd: string): EventInput {
  const fields = readObject(given);
  requireSameEvent(event, fields, given);
  const example: JsonObject = exampleInputs(cwd)[event];
  const filled = missingFields(event, fields).filter((name) => name in example);
  const whole = { ...fields, ...Object.fromEntries(filled.map((name) => [name, example[name]])) };
  requireValid(event, whole, given);
  return { fields: whole, filled, isExample: false };
}

function readObject({ name, text }: NamedText): JsonObject {
  if (text.trim() === '') throw new UserError(`${name} is empty; it must contain one JSON object.`);
  const json = parseJson(text);
  if (json.type === 'broken') throw new UserError(`${name}:${json.line}:${json.column} is not JSON: ${json.message}.`);
  const { value } = json;
  if (isObject(value)) return value;
  throw new UserError(`${name} must contain one JSON object, such as {"tool_name": "Bash"}.`);
}

function requireSameEvent(event: HookEventName, fields: JsonObject, { name }: NamedText): void {
  const given = fields.hook_event_name;
  if (given === undefined || given === event) return;
  throw new UserError(`${name} is the input of ${String(given)} (hook_event_name), not of ${event}.`);
}

function missingFields(event: HookEventName, fields: JsonObject): readonly string[] {
  const { error } = HOOK_INPUT_SCHEMAS[event].safeParse(fields);
  const named = error?.issues.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : [])) ?? [];
  return named.filter((name) => !Object.hasOwn(fields, name));
}

function requireValid(event: HookEventName, fields: JsonObject, { name, text }: NamedText): void {
  for (const schema of [HOOK_INPUT_SCHEMAS[event], BaseHookInputSchema.partial()]) {
    const issue = schema.safeParse(fields).error?.issues[0];
    if (issue === undefined) continue;
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    const place = locateJsonPath(text, path);
    const where = place === undefined ? name : `${name}:${place.line}:${place.column}`;
    throw new UserError(`${where}: ${formatJsonPath(path)} does not fit ${event}: ${issue.message}.`);
  }
}

export function describeInput({ isExample, filled }: EventInput): string {
  if (isExample) return 'The input is an example; use --input FILE for your own.';
  return filled.length === 0 ? 'The input is yours.' : `The input is yours; filled in: ${filled.join(', ')}.`;
}

/** The session of the event: from the input, so that a recorded event is replayed as it was; else this process's. */
export function subjectOf({ fields }: EventInput, own: HookSubject): HookSubject {
  const given = BaseHookInputSchema.partial().parse(fields);
  const { session_id: sessionId, transcript_path: transcriptPath, cwd } = given;
  const { permission_mode: permissionMode, prompt_id: promptId, agent_id: agentId, agent_type: agentType } = given;
  return {
    ...own,
    ...definedOnly({ sessionId, transcriptPath, cwd, permissionMode, promptId, agentId, agentType }),
  };
}
