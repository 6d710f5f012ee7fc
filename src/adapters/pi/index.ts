/** `stopgate/pi`: an extension of the pi coding agent, and the same gate for loops on pi-agent-core. */

import '../../requireNode.ts';

export type { AdapterOptions } from '../askVerdict.ts';
export { gateAgent, type LoopConfig, type PiAgent, untilDone } from './agentCore.ts';
export { type ExtensionOptions, stopgate } from './extension.ts';
export type { PiApi } from './types.ts';
