import * as z from 'zod';
import { evidence } from './evidence.ts';
import { judgeFacts, spendFacts, treeFacts } from './ledger.ts';

const text = z.string();
const maybe = text.nullable();

const receiptCheck = z.object({
  name: text,
  outcome: text,
  exitCode: z.number().nullable(),
  durationMs: z.number().nullable(),
  /** Null for one that did not run at this stop. */
  endedAt: maybe,
  waived: text.optional(),
});

/** What a session claimed at its last stop, what was checked, and what was not proven. */
const receipt = z.object({
  version: z.literal(1),
  stopgate: text,
  session: text,
  agent: text,
  folder: text,
  launch: maybe,
  worker: maybe,
  startedAt: text,
  stoppedAt: text,
  /** Of the gate, else of the turn: `passed`, `blocked`, `completed`, … */
  outcome: text,
  reason: text,
  isProven: z.boolean(),
  notProven: z.array(text).readonly(),
  claim: maybe,
  checks: z.array(receiptCheck).readonly(),
  tree: treeFacts.nullable(),
  waivers: z.array(z.object({ check: text, reason: text, by: text, at: text })).readonly(),
  /** Stops that were answered; the last ones. */
  stops: z.array(z.object({ at: text, outcome: text, reason: text, durationMs: z.number() })).readonly(),
  stopCount: z.number(),
  /** How the last turn or launch ended; null while it runs, and for hosts that do not report it. */
  ending: z.object({ scope: text, ending: text, reason: text }).nullable(),
  spend: spendFacts.nullable(),
  evidence: evidence.nullable(),
  /** Only where one was asked. Its verdict is not among the checks: `isProven` is about those. */
  judge: judgeFacts.optional(),
});

export type Receipt = z.output<typeof receipt>;

export const signedReceipt = z.object({
  type: z.literal('stopgate_receipt'),
  receipt,
  /** Of each field of the receipt; this is what the signature covers. */
  digests: z.record(text, text),
  /** Ed25519, Base64. */
  signature: text,
  /** SPKI in DER, Base64. */
  publicKey: text,
});

export type SignedReceipt = z.output<typeof signedReceipt>;
