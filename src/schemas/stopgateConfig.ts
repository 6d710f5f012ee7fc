import * as z from 'zod';

/** `10m`, `90s`, `1h30m`, or seconds. */
const duration = z.lazy(() =>
  z.union([
    z.number().positive(),
    z
      .string()
      .regex(
        /^(?:\d{1,9}|(?=\d)(?:\d{1,4}w)?(?:\d{1,4}d)?(?:\d{1,4}h)?(?:\d{1,5}m)?(?:\d{1,7}s)?)$/,
        'write it as 90s, 10m or 1h30m',
      ),
  ]),
);

/**
 * `changed`: only when the files have changed since the session began. `always`: at every stop. Default: a request for work
 * is checked at its first stop even when nothing changed, a question is not.
 */
const when = z.enum(['changed', 'always']);

const REPORT_FORMATS = ['junit', 'tap', 'json'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Where the names of failing tests are. Without a path they are in what the check prints. */
const report = z.lazy(() =>
  z.strictObject({
    format: z.enum(REPORT_FORMATS),
    /** Relative to where the check runs. */
    path: z.string().min(1).optional(),
  }),
);

/** Built on demand, like the rest: many folders have no configuration. */
export const checkConfig = z.lazy(() =>
  z.strictObject({
    /** Its name in messages; default: the command. */
    name: z.string().min(1).max(80).optional(),
    /** A shell command, or a program and its arguments, which run without a shell. */
    command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
    timeout: duration.optional(),
    when: when.optional(),
    /** How many lines of a failing check the agent sees. */
    lines: z.int().min(1).max(400).optional(),
    /** Relative to the folder of the configuration. */
    cwd: z.string().optional(),
    /** Its inputs that git does not see: ignored files, files elsewhere. Relative to the folder of the configuration. */
    inputs: z.array(z.string().min(1)).max(100).optional(),
    /** `warn`: its failure is shown and never blocks. */
    severity: z.enum(['block', 'warn']).optional(),
    /** `session`: what fails when a session begins is accepted in that session. */
    baseline: z.enum(['session']).optional(),
    report: report.optional(),
  }),
);

/** A model that is asked, after the checks of a completed task have passed, whether its work does what the task asked. */
export const judgeConfig = z.lazy(() =>
  z.strictObject({
    /** What it decides by, besides the task. */
    criteria: z.string().min(1).max(20_000).optional(),
    /** As after `--model`. */
    model: z.string().min(1).max(200).optional(),
    /** Of one try. */
    timeout: duration.optional(),
    /** Whether work without a verdict is done (the default), or waits for one. */
    onError: z.enum(['accept', 'block']).optional(),
    /** After so many rejections a person decides. */
    maxRejections: z.int().min(1).max(100).optional(),
  }),
);

export const stopgateConfig = z.lazy(() =>
  z.strictObject({
    $schema: z.string().optional(),
    /** The definition of done: the agent may stop when all of these pass. */
    checks: z.array(checkConfig).max(100).optional(),
    /** The default for every check. */
    when: when.optional(),
    /** After so many more stops in a row without progress, a failing check no longer blocks the agent. */
    stallAfter: z.int().min(1).max(100).optional(),
    /** After so many blocked stops in one session, nothing blocks the agent. */
    maxBlocks: z.int().min(1).max(1000).optional(),
    /** Files that a session must leave as they were at its start, as globs from the folder of the configuration. */
    protect: z.array(z.string().min(1)).max(100).optional(),
    /** Files that checks run and that agents may change nevertheless: the code under test itself. */
    editable: z.array(z.string().min(1)).max(100).optional(),
    judge: judgeConfig.optional(),
  }),
);

export type CheckConfig = z.output<typeof checkConfig>;
export type JudgeConfig = z.output<typeof judgeConfig>;
