import * as z from 'zod';

const command = z.object({
  command: z.string(),
  /** Null when it is not known: it still runs, was denied, or the host does not report it. */
  exit_code: z.number().nullable(),
  duration_ms: z.number().nullable(),
  /** ISO 8601. */
  ended_at: z.string().nullable(),
});

/** What a turn did, from the results of its tools; named as hooks get it. */
export const evidence = z.lazy(() =>
  z.object({
    /** The last ones. */
    commands: z.array(command).readonly(),
    command_count: z.number(),
    files_changed: z.array(z.string()).readonly(),
    file_count: z.number(),
    last_edit_at: z.string().nullable(),
    /** The last command that looks like a check, and whether its own exit code is the command's. */
    last_check: command.extend({ exit_code_is_its_own: z.boolean() }).nullable(),
    /** Null without an edit or without a check. */
    checked_after_last_edit: z.boolean().nullable(),
    /** Commands after the last check that may have changed files. */
    commands_since_check: z.number(),
    /** The beginning of a long turn could not be read. */
    cut: z.boolean().optional(),
  }),
);

export type Evidence = z.output<typeof evidence>;
export type EvidenceCommand = z.output<typeof command>;
export type EvidenceBlock = Readonly<z.output<typeof block>>;

const block = z.lazy(() =>
  z.object({
    type: z.string(),
    id: z.string().optional(),
    name: z.string().optional(),
    input: z.unknown().optional(),
    tool_use_id: z.string().optional(),
    is_error: z.boolean().nullish(),
    content: z.unknown().optional(),
  }),
);

/** A line of a transcript, of Claude Code and of our own agent, as far as evidence depends on it. */
export const evidenceLine = z.lazy(() =>
  z.looseObject({
    type: z.enum(['user', 'assistant']),
    timestamp: z.string().optional(),
    isMeta: z.boolean().optional(),
    isCompactSummary: z.boolean().optional(),
    isContext: z.boolean().optional(),
    message: z.looseObject({ content: z.union([z.string(), z.array(block).readonly()]) }),
    toolUseResult: z.unknown().optional(),
  }),
);

export const callInput = z.lazy(() =>
  z.looseObject({
    command: z.string().optional(),
    file_path: z.string().optional(),
    notebook_path: z.string().optional(),
  }),
);

/** Of a command that continues in the background. */
/** The result of a command whose exit code 1 is its answer, such as a search that found nothing. */
export const interpretedResult = z.lazy(() => z.looseObject({ returnCodeInterpretation: z.string() }));

export const backgroundResult = z.lazy(() => z.looseObject({ backgroundTaskId: z.string() }));
