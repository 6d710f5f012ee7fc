/** The public API of `stopgate/gate`. Loads no model code, and what a gate needs only when one is created. */

import '../requireNode.ts';

export type { GateEnding } from '../stop/ending.ts';
export { createGate } from './createGate.ts';
export type {
  CallAnswer,
  CheckEvidence,
  Evidence,
  Gate,
  GateCheck,
  GateConfig,
  GateOptions,
  GoOnVerdict,
  StopEnding,
  StopRequest,
  StopVerdict,
  ToolCall,
  TreeEvidence,
  Verdict,
} from './types.ts';
