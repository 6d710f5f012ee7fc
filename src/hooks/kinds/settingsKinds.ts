import { defineFacts, type KindFacts } from '../kind.ts';
import { agentFacts } from './agent.ts';
import { commandFacts } from './command.ts';
import { httpFacts } from './http.ts';
import { mcpToolFacts } from './mcpTool.ts';
import { promptFacts } from './prompt.ts';

/** The kinds that a settings file can name. A new one: its file, and one word here. */
export const SETTINGS_KINDS: readonly KindFacts[] = [
  defineFacts(commandFacts),
  defineFacts(httpFacts),
  defineFacts(promptFacts),
  defineFacts(agentFacts),
  defineFacts(mcpToolFacts),
];
