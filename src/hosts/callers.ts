/** Which agent calls a hook. One settings file may be run by several of them, and each reads answers its own way. */
export type Caller = 'claudeCode' | 'codex' | 'gemini' | 'qwen' | 'copilot' | 'cursor' | 'stopgate' | 'unknown';

export type Payload = Readonly<Record<string, unknown>>;

interface Mark {
  readonly caller: Caller;
  /** `ownHome`: where Stopgate keeps its own. */
  readonly fits: (payload: Payload, ownHome: string | undefined) => boolean;
}

const has = (payload: Payload, ...names: readonly string[]) => names.every((name) => payload[name] !== undefined);

/** By fields that only one of them sends; the most telling first. */
const MARKS: readonly Mark[] = [
  { caller: 'cursor', fits: (payload) => has(payload, 'cursor_version') },
  { caller: 'gemini', fits: (payload) => has(payload, 'prompt_response') || eventOf(payload).startsWith('After') },
  { caller: 'qwen', fits: (payload) => has(payload, 'crons') || has(payload, 'context_usage') },
  { caller: 'codex', fits: (payload) => has(payload, 'turn_id', 'model') },
  {
    caller: 'copilot',
    fits: (payload) => has(payload, 'timestamp') && (has(payload, 'stop_reason') || has(payload, 'sessionId')),
  },
  { caller: 'stopgate', fits: ({ transcript_path: at }, home) => typeof at === 'string' && isOwn(at, home) },
  {
    caller: 'claudeCode',
    fits: (payload) =>
      has(payload, 'prompt_id') || has(payload, 'session_crons') || has(payload, 'hook_event_name', 'session_id'),
  },
];

/** STOPGATE_HOME may be any folder; the transcripts in it are always in the same one. */
const isOwn = (transcript: string, home: string | undefined) =>
  transcript.includes('/.stopgate/') || (!!home && transcript.startsWith(`${home.replace(/\/+$/, '')}/projects/`));

const eventOf = ({ hook_event_name: name }: Payload) => (typeof name === 'string' ? name : '');

/** `ownHome` is STOPGATE_HOME, where that is set. */
export function identifyCaller(payload: Payload, ownHome: string | undefined): Caller {
  return MARKS.find(({ fits }) => fits(payload, ownHome))?.caller ?? 'unknown';
}
