import { gateFiles, toolCallOf } from '../../../hosts/all.ts';
import type { HookAnswer, Host } from '../../../hosts/host.ts';
import { gateFileDenial } from '../../../permissions/decidePermission.ts';
import { resolveRequest } from '../../../permissions/makeRealPath.ts';
import type { PermissionRequest } from '../../../permissions/types.ts';
import { PASS } from '../../../stop/answer.ts';
import { isGated } from '../../../stop/ask.ts';
import type { Payload } from '../../../stop/payload.ts';
import type { GateWorld } from '../../../stop/world.ts';
import { folderOrItsPlace } from '../../../system/currentFolder.ts';

/**
 * Denies a host's tool call that would change what decides when its agent may stop, where something does. It reads command lines
 * as our own agent's permissions do; what it cannot see, the frozen definition of done does not depend on.
 */
export async function guardCall(payload: Payload, world: GateWorld, host: Host): Promise<HookAnswer> {
  const call = toolCallOf(payload, host);
  const requests = requestsOf(call?.input);
  if (requests.length === 0 || !isGated(payload, world)) return PASS;
  const cwd = textOf(payload.cwd) ?? folderOrItsPlace(process.env);
  const projectDir = world.env.CLAUDE_PROJECT_DIR || cwd;
  const files = [...gateFiles(world.stopgateHome), ...(host.environmentFiles ?? [])];
  const place = { projectDir, cwd, homeDir: world.env.HOME ?? '', gateFiles: files };
  const reasons = requests.map((request) =>
    gateFileDenial({
      toolName: call?.tool ?? '',
      request: resolveRequest(request),
      directories: [projectDir],
      ...place,
    }),
  );
  const reason = reasons.find((one) => one !== undefined);
  return reason === undefined ? PASS : { type: 'deny', reason };
}

/** By the fields of a call, which hosts name alike; their tools have different names. `file_paths` are the files of a patch. */
function requestsOf(input: unknown): readonly PermissionRequest[] {
  const call = (typeof input === 'object' && input !== null ? input : {}) as Payload;
  const { command, file_path, notebook_path, file_paths } = call;
  const paths = Array.isArray(file_paths) ? file_paths : [file_path, notebook_path];
  const edits = paths.flatMap((one) => textOf(one) ?? []).map((path) => ({ type: 'edit', path }) as const);
  return typeof command === 'string' ? [{ type: 'command', command }, ...edits] : edits;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
