import type { HookEventName, HookSubject } from '../../../hooks/types.ts';
import { BaseHookInputSchema, HOOK_INPUT_SCHEMAS } from '../../../schemas/hookInputs.ts';
import { formatJsonPath, locateJsonPath, parseJson } from '../../../schemas/json.ts';
import { UserError } from '../../../system/userError.ts';
import { exampleInputs } from './exampleInputs.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What hooks are to be told, from a person or made up. */
export interface EventInput {
  /** The event's fields; fields that all events share stand here only when they were given. */
  readonly fields: Fields;
  /** Fields that had to be there and were taken from the example. */
  readonly filled: readonly string[];
  readonly isExample: boolean;
}

/** Where a text came from, as it is to be named. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export function exampleInput(event: HookEventName, cwd: string): EventInput {
  return { fields: exampleInputs(cwd)[event], filled: [], isExample: true };
}

/** Checks what a person gave for an event. What is missing is filled in and named; what is wrong is a sentence. */
export function checkEventInput(event: HookEventName, given: NamedText, cwd: string): EventInput {
  const fields = readObject(given);
  requireSameEvent(event, fields, given);
  const example: Fields = exampleInputs(cwd)[event];
  const filled = missingFields(event, fields).filter((name) => name in example);
  const whole = { ...fields, ...Object.fromEntries(filled.map((name) => [name, example[name]])) };
  requireValid(event, whole, given);
  return { fields: whole, filled, isExample: false };
}

function readObject({ name, text }: NamedText): Fields {
  if (text.trim() === '') throw new UserError(`${name} is empty; it must hold one JSON object.`);
  const json = parseJson(text);
  if (json.type === 'broken') {
    throw new UserError(`${name}:${json.line}:${json.column} is not JSON: ${json.message}.`);
  }
  const { value } = json;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new UserError(`${name} must hold one JSON object, such as {"tool_name": "Bash"}.`);
}

function requireSameEvent(event: HookEventName, fields: Fields, { name }: NamedText): void {
  const told = fields.hook_event_name;
  if (told === undefined || told === event) return;
  throw new UserError(`${name} is the input of ${String(told)} (hook_event_name), not of ${event}.`);
}

function missingFields(event: HookEventName, fields: Fields): readonly string[] {
  const { error } = HOOK_INPUT_SCHEMAS[event].safeParse(fields);
  const named = error?.issues.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : [])) ?? [];
  return named.filter((name) => !Object.hasOwn(fields, name));
}

function requireValid(event: HookEventName, fields: Fields, { name, text }: NamedText): void {
  for (const schema of [HOOK_INPUT_SCHEMAS[event], BaseHookInputSchema.partial()]) {
    const issue = schema.safeParse(fields).error?.issues[0];
    if (issue === undefined) continue;
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    const place = locateJsonPath(text, path);
    const where = place === undefined ? name : `${name}:${place.line}:${place.column}`;
    throw new UserError(`${where}: ${formatJsonPath(path)} does not fit ${event}: ${issue.message}.`);
  }
}

/** Whose turn it is: what the input says, so that a recorded event is played as it was, else this process's. */
export function subjectOf({ fields }: EventInput, own: HookSubject): HookSubject {
  const told = BaseHookInputSchema.partial().parse(fields);
  const agentId = told.agent_id ?? own.agentId;
  const agentType = told.agent_type ?? own.agentType;
  return {
    ...own,
    sessionId: told.session_id ?? own.sessionId,
    transcriptPath: told.transcript_path ?? own.transcriptPath,
    cwd: told.cwd ?? own.cwd,
    ...(told.permission_mode === undefined ? {} : { permissionMode: told.permission_mode }),
    ...(told.prompt_id === undefined ? {} : { promptId: told.prompt_id }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentType === undefined ? {} : { agentType }),
  };
}
