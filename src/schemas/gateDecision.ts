import * as z from 'zod';

/**
 * How the gate answered one stop; the last answer of a session is how its gate ended. `notArmed`: nothing was set up to check
 * it. `notAsked`: it was set up, and no answer is on record.
 */
const GATE_ENDINGS = [
  'passed',
  'blocked',
  'stalled',
  'capped',
  'skipped',
  'outOfTime',
  'notArmed',
  'notAsked',
  'error',
] as const;

export type GateEndingType = (typeof GATE_ENDINGS)[number];

/** One line of the gate's ledger: a session that began, or a stop and how it was answered. */
export const gateDecision = z.looseObject({
  /** ISO 8601. */
  at: z.string(),
  event: z.enum(['sessionStart', 'stop']),
  session: z.string(),
  /** Of the configuration. */
  folder: z.string(),
  /** Which agent: `claudeCode`, `stopgate`, … */
  agent: z.string(),
  /** The agent's process, which can go through several sessions; null when the host does not name it. */
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
    })
    .nullable(),
  durationMs: z.number(),
});

export type GateDecision = z.output<typeof gateDecision>;
