import { gateFiles } from '../../../hosts/all.ts';
import type { HookAnswer } from '../../../hosts/host.ts';
import { gateFileDenial } from '../../../permissions/decidePermission.ts';
import { resolveRequest } from '../../../permissions/makeRealPath.ts';
import type { PermissionRequest } from '../../../permissions/types.ts';
import { PASS } from '../../../stop/answer.ts';
import { isGated } from '../../../stop/ask.ts';
import type { Payload } from '../../../stop/payload.ts';
import type { GateWorld } from '../../../stop/world.ts';

/**
 * Denies a host's tool call that would change what decides when its agent may stop, where something does. It reads command lines
 * as our own agent's permissions do; what it cannot see, the frozen definition of done does not depend on.
 */
export async function guardCall(payload: Payload, world: GateWorld): Promise<HookAnswer> {
  const request = requestOf(payload.tool_input);
  if (request === null || !isGated(payload, world)) return PASS;
  const cwd = textOf(payload.cwd) ?? process.cwd();
  const projectDir = world.env.CLAUDE_PROJECT_DIR || cwd;
  const reason = gateFileDenial({
    toolName: textOf(payload.tool_name) ?? '',
    request: resolveRequest(request),
    directories: [projectDir],
    projectDir,
    cwd,
    homeDir: world.env.HOME ?? '',
    gateFiles: gateFiles(world.stopgateHome),
  });
  return reason === undefined ? PASS : { type: 'deny', reason };
}

/** By the fields of a call, which hosts name alike; their tools have different names. */
function requestOf(input: unknown): PermissionRequest | null {
  const { command, file_path, notebook_path } = (typeof input === 'object' && input !== null ? input : {}) as Payload;
  if (typeof command === 'string') return { type: 'command', command };
  const path = textOf(file_path) ?? textOf(notebook_path);
  return path === undefined ? null : { type: 'edit', path };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
