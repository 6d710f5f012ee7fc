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

/** One line of the gate's ledger: the start of a session, a stop with its answer, or the end of a run that did not just complete. */
export const gateDecision = z.looseObject({
  /** ISO 8601. */
  at: z.string(),
  event: z.enum(['sessionStart', 'stop', 'end']),
  session: z.string(),
  /** Of the configuration. */
  folder: z.string(),
  /** Which agent: `claudeCode`, `stopgate`, … */
  agent: z.string(),
  /** The agent's process, which can have several sessions; null when the host does not provide it. */
  hostPid: z.number().nullable(),
  launch: z.string().nullable(),
  worker: z.string().nullable(),
  /** Null at a session's start. */
  ending: z
    .looseObject({
      type: z.enum(GATE_ENDINGS),
      why: z.string().optional(),
      reason: z.string(),
      checks: z.array(z.looseObject({ name: z.string(), outcome: z.string() })),
      armedAtStart: z.array(z.string()).optional(),
      changed: z.string().optional(),
      decidedBy: z.literal('start').optional(),
      left: z.array(z.looseObject({ pid: z.number(), command: z.string(), ageMs: z.number().nullable() })).optional(),
    })
    .nullable(),
  durationMs: z.number(),
});

export type GateDecision = z.output<typeof gateDecision>;
