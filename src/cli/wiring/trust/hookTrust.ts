import { existsSync } from 'node:fs';
import path from 'node:path';
import { isFromProject } from '../../../hooks/configure/configureHooks.ts';
import type { ConfiguredHook } from '../../../hooks/configuredHook.ts';
import { SETTINGS_KINDS } from '../../../hooks/kinds/hookKinds.ts';
import { OWNERSHIP_MARK } from '../../../hosts/host.ts';
import { findRunFiles, type StartedCommand } from '../../../session/runFiles/runFiles.ts';
import type { FolderTrust } from '../../../session/trust/folderTrust.ts';
import { type TrustItem, trustItem } from '../../../session/trust/trustItem.ts';
import { perObject } from '../../../system/perObject.ts';

/** An entry as configured. Its place in the file is not part of it: moving it changes nothing. */
export const hookItem = perObject((hook: ConfiguredHook): TrustItem => {
  const { kind, settings, matcher, agent, file } = hook;
  // the Stop hook of an agent's file also runs as its SubagentStop
  const event = agent !== undefined && hook.event === 'SubagentStop' ? 'Stop' : hook.event;
  return trustItem('hook', `${path.basename(file)} ${hook.path}`, { event, kind, settings, matcher, agent });
});

/** Entries of `stopgate init` for Claude Code: in our own agent the same gates run in process. */
export const isOurs = ({ label }: ConfiguredHook): boolean => label.endsWith(OWNERSHIP_MARK);

interface HookPlace {
  readonly projectDir: string;
  /** The folder that it runs in. */
  readonly cwd: string;
}

/** The command that a hook starts; null for a hook of another kind. */
export function startedBy(hook: ConfiguredHook, { projectDir, cwd }: HookPlace): StartedCommand | null {
  const kind = SETTINGS_KINDS.find(({ type }) => type === hook.kind);
  const plugin = hook.plugin && { plugin: hook.plugin };
  const started = kind?.starts?.(hook.settings, { projectDir, ...plugin });
  if (started === undefined) return null;
  // other paths would be read as shell syntax; then the path from the current folder has to do
  const isPlain = /^[\w./@:+,=-]+$/.test(projectDir);
  const filled = (text: string) => (isPlain ? text.replaceAll(/\$\{?CLAUDE_PROJECT_DIR\}?/g, projectDir) : text);
  return { ...started, args: started.args.map(filled), cwd };
}

/** Why a hook of the project may not run now; null when it may. Called before every run. */
export function whyHookOff(hook: ConfiguredHook, trust: FolderTrust, place: HookPlace): string | null {
  if (!isFromProject(hook) || isOurs(hook) || trust.level === 'run') return null;
  return trust.whyNot(hookItem(hook)) ?? (place.cwd === place.projectDir ? null : whyNotHere(hook, trust, place));
}

/** A relative path in a command names another file in another folder: one there must be approved as well. */
function whyNotHere(hook: ConfiguredHook, trust: FolderTrust, { projectDir, cwd }: HookPlace): string | null {
  const filesIn = (folder: string) => {
    const started = startedBy(hook, { projectDir, cwd: folder });
    const { scripts, packageScripts } = findRunFiles(started === null ? [] : [started], path.parse(folder).root);
    return [
      ...scripts.map((file) => ({ file, key: '' })),
      ...packageScripts.map(({ file }) => ({ file, key: '#scripts' })),
    ];
  };
  const usual = new Set(filesIn(projectDir).map(({ file, key }) => file + key));
  const others = filesIn(cwd).filter(({ file, key }) => !usual.has(file + key) && existsSync(file));
  const other = others.find(({ file, key }) => !trust.covers(hookItem(hook), path.relative(projectDir, file) + key));
  return other === undefined ? null : `in ${cwd} it would run ${other.file}, which you have not approved`;
}
