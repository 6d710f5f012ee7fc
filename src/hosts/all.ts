import type { ToolCall } from '../stop/landing/askedTime.ts';
import type { Payload } from '../stop/payload.ts';
import { claudeCode } from './claudeCode/host.ts';
import { codex } from './codex/host.ts';
import { command } from './command/host.ts';
import { copilot } from './copilot/host.ts';
import { cursor } from './cursor/host.ts';
import { gemini } from './gemini/host.ts';
import type { HookAnswer, Host, StartableAgent } from './host.ts';
import { opencode } from './opencode/host.ts';
import { pi } from './pi/host.ts';
import { qwen } from './qwen/host.ts';
import { stopgate } from './stopgate/host.ts';

/** In the order of trying: the most specific fields first, and any command last. */
export const HOSTS: readonly Host[] = [
  cursor,
  opencode,
  pi,
  gemini,
  qwen,
  codex,
  copilot,
  stopgate,
  claudeCode,
  command,
];

/** The host that sends this event. Several hosts may run one settings file, and each reads answers its own way. */
export function hostOf(payload: Payload, ownHome: string | undefined, hosts = HOSTS): Host {
  return hosts.find((host) => host.recognizes(payload, ownHome)) ?? command;
}

/** The host of a hook's call: entries that we wrote for one host name it, since events of several hosts look alike. */
export function callerOf(payload: Payload, ownHome: string | undefined, argv: readonly string[]): Host {
  const at = argv.indexOf('--host');
  const named = at === -1 ? undefined : HOSTS.find(({ wiring }) => wiring?.flag === argv[at + 1]);
  return named ?? hostOf(payload, ownHome);
}

/** The tool call of an event, in the terms of Claude Code's tools; null without one. */
export function toolCallOf(payload: Payload, host: Host): ToolCall | null {
  if (host.toolCall) return host.toolCall(payload);
  const { tool_name: tool, tool_input: input } = payload;
  if (typeof tool !== 'string') return null;
  return { tool, input: typeof input === 'object' && input !== null ? (input as Payload) : {} };
}

/** What an agent must leave alone while a gate stands before its stop: the hooks of every host, and Stopgate's own home. */
export const gateFiles = (stopgateHome: string, hosts = HOSTS): readonly string[] => [
  ...hosts.flatMap(({ settingsFiles }) => settingsFiles ?? []),
  stopgateHome,
];

/** By its name in records; any command for an unknown name. */
export const hostNamed = (name: string, hosts = HOSTS): Host => hosts.find((host) => host.name === name) ?? command;

/** The text to print for an answer; with none every host continues. */
export function printed(host: Host, answer: HookAnswer): string {
  const output = host.speak(answer);
  return output === null ? '' : `${JSON.stringify(output)}\n`;
}

/** The names after `--agent` that are more than a command, for help and errors. */
export const agentNames = (hosts = HOSTS): string =>
  hosts
    .flatMap(({ agent }) => (agent?.flag ? [agent.flag] : []))
    .toSorted()
    .join(', ');

/** The agent that `--agent` names: one that Stopgate knows, else any command. */
export function agentNamed(flag: string, hosts = HOSTS): StartableAgent {
  return hosts.find(({ agent }) => agent?.flag === flag)?.agent ?? command.agent;
}
