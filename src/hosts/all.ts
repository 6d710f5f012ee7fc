import type { Payload } from '../stop/payload.ts';
import { claudeCode } from './claudeCode/host.ts';
import { codex } from './codex/host.ts';
import { command } from './command/host.ts';
import { copilot } from './copilot/host.ts';
import { cursor } from './cursor/host.ts';
import { gemini } from './gemini/host.ts';
import type { HookAnswer, Host, StartableAgent } from './host.ts';
import { qwen } from './qwen/host.ts';
import { stopgate } from './stopgate/host.ts';

/** In the order in which they are tried: the most telling fields first, and any command last. */
const HOSTS: readonly Host[] = [cursor, gemini, qwen, codex, copilot, stopgate, claudeCode, command];

/** Which host sends this event. One settings file may be run by several of them, and each reads answers its own way. */
export function hostOf(payload: Payload, ownHome: string | undefined, hosts = HOSTS): Host {
  return hosts.find((host) => host.recognizes(payload, ownHome)) ?? command;
}

/** By its name in records; any command for a name that no row has. */
export const hostNamed = (name: string): Host => HOSTS.find((host) => host.name === name) ?? command;

/** What to print for an answer; nothing at all lets every host go on. */
export function printed(host: Host, answer: HookAnswer): string {
  const said = host.speak(answer);
  return said === null ? '' : `${JSON.stringify(said)}\n`;
}

/** The agent that `--agent` names: one that Stopgate knows, else any command. */
export function agentNamed(flag: string, hosts = HOSTS): StartableAgent {
  return hosts.find(({ agent }) => agent?.flag === flag)?.agent ?? command.agent;
}
