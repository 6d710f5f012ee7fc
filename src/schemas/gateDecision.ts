import * as z from 'zod';

/**
 * The gate's answer to one stop; the last one is the outcome of the session. `notArmed`: no gate was set up. `notAsked`: a
 * gate was set up, but no answer is on record.
 */
const GATE_ENDINGS = [
  'passed',
  // what has to pass did; a check with severity "warn" failed
  'advised',
  // it fails as it did when a person accepted that, and no more
  'accepted',
  // a person accepted what fails
  'waived',
  'blocked',
  'stalled',
  'capped',
  'skipped',
  'outOfTime',
  'notArmed',
  'notAsked',
  'error',
  // how the whole run ended, after its last stop
  'left_running',
  'no_work',
] as const;

export type GateEndingType = (typeof GATE_ENDINGS)[number];

/** When and how a check ran. */
const checkRun = z.lazy(() =>
  z.object({
    /** Null when a signal ended it, or it never started. */
    exitCode: z.number().nullable(),
    durationMs: z.number(),
    /** ISO 8601. */
    endedAt: z.string(),
  }),
);

export type CheckRun = Readonly<z.output<typeof checkRun>>;

export const gateEnding = z.lazy(() =>
  z.looseObject({
    type: z.enum(GATE_ENDINGS),
    why: z.string().optional(),
    reason: z.string(),
    checks: z
      .array(
        z.looseObject({
          name: z.string(),
          outcome: z.string(),
          waived: z.string().optional(),
          ran: checkRun.optional(),
        }),
      )
      .readonly(),
    armedAtStart: z.array(z.string()).readonly().optional(),
    changed: z.string().optional(),
    obeyed: z.string().optional(),
    decidedBy: z.literal('start').optional(),
    left: z
      .array(z.looseObject({ pid: z.number(), command: z.string(), ageMs: z.number().nullable() }))
      .readonly()
      .optional(),
  }),
);
