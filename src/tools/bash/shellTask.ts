import type { BackgroundTaskEnd } from '../background/backgroundTasks.ts';
import type { ToolContext } from '../toolContext.ts';
import type { BackgroundShell } from './backgroundShells.ts';

/** Registers a background command as a task of its agent. */
export function shellTask(shell: BackgroundShell, context: ToolContext, { endsWithOwner = false } = {}): void {
  const { id, description, command, outputFile } = shell;
  const { toolUseId, agentId: owner, shells } = context;
  context.background.add(
    { id, type: 'shell', description, toolUseId, owner, outputFile, facts: { command }, endsWithOwner },
    shells.whenEnded(id).then(describeShellEnd),
    () => void shells.stop(id),
  );
}

/** Undefined after KillShell: the agent already knows. */
function describeShellEnd(shell: BackgroundShell | undefined): BackgroundTaskEnd | undefined {
  if (!shell || shell.status === 'killed' || shell.status === 'running') return undefined;
  const { status, description, exitCode, reason } = shell;
  const how = exitCode === undefined ? `: ${reason ?? 'unknown reason'}` : ` with exit code ${exitCode}`;
  const end = status === 'completed' ? `completed (exit code ${exitCode})` : `failed${how}`;
  return { status, summary: `Background command "${description}" ${end}` };
}
