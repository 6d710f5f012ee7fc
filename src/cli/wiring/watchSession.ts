import path from 'node:path';
import type { ConfiguredHook } from '../../hooks/configuredHook.ts';
import type { ConfigurableHookRunner } from '../../hooks/createHookRunner.ts';
import { fireHooks, type HookFields } from '../../hooks/executeEvents.ts';
import { watchedNames } from '../../hooks/matcher.ts';
import type { HookVerdict } from '../../hooks/types.ts';
import { hookSubject, type ToolUseContext } from '../../query/toolUseContext.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import { settingsFiles } from '../../session/settings/settingsFiles.ts';
import type { SettingsSource } from '../../session/settings/types.ts';
import type { FolderTrust } from '../../session/trust/folderTrust.ts';
import { type FileChange, watchFiles } from '../../system/watchFiles.ts';
import type { World } from '../../system/world.ts';
import { gatherHooks } from './configuredHooks.ts';
import type { PromptFlags } from './promptFlags.ts';
import { readSettings } from './readSettings.ts';

interface WatchFacts {
  readonly flags: PromptFlags;
  readonly world: World;
  readonly trust: FolderTrust;
  readonly agents: readonly AgentDefinition[];
  readonly runner: ConfigurableHookRunner;
  /** Our own gates, which settings files cannot remove. */
  readonly own: readonly ConfiguredHook[];
  readonly context: ToolUseContext;
  readonly warn: (sentence: string) => void;
}

const CHANGE_SOURCES: Readonly<Record<SettingsSource, HookFields<'ConfigChange'>['source']>> = {
  user: 'user_settings',
  project: 'project_settings',
  local: 'local_settings',
  flag: 'user_settings',
  managed: 'policy_settings',
};

/**
 * Watches files while a session runs: settings files, whose hooks apply from the next event unless a ConfigChange hook
 * blocks, the record of what a person trusts here, and the files of FileChanged hooks.
 */
export async function watchSession(facts: WatchFacts) {
  const { world, flags, runner } = facts;
  const places = { projectDir: world.cwd, homeDir: world.homeDir, env: world.env };
  const settings = new Map((await settingsFiles(places)).map(({ file, source }) => [file, source]));
  const watch = watchFiles((file, change) => {
    const source = settings.get(file);
    const applied =
      file === facts.trust.recordFile
        ? reload("What you trust in this project's files changed")
        : source === undefined
          ? fileChanged(file, change)
          : settingsChanged(file, source);
    void applied.catch((error: Error) => facts.warn(`A change of ${file} could not be applied: ${error.message}.`));
  });
  /** Watches paths of hooks, relative to the working directory. */
  const add = (paths: readonly string[]) =>
    watch.add(paths.map((one) => path.resolve(facts.context.toolServices.directory.current(), one)));

  const fileChanged = async (file: string, change: FileChange) => {
    const verdict = await fire(facts, 'FileChanged', { file_path: file, event: change });
    add(stringsOf(verdict.specific.watchPaths));
  };
  const settingsChanged = async (file: string, source: SettingsSource) => {
    const verdict = await fire(facts, 'ConfigChange', { source: CHANGE_SOURCES[source], file_path: file });
    if (verdict.blocks.length > 0) return facts.warn(`${file} changed; a ConfigChange hook keeps the old hooks.`);
    await reload(`${file} changed`);
  };
  /** Reads the settings again, with what is trusted now. */
  const reload = async (why: string) => {
    const { trust, agents } = facts;
    const loaded = await readSettings(flags, world, trust);
    const gathered = gatherHooks({ settings: loaded, trust, world, bare: flags.bare, agents });
    const before = runner.configured.length - facts.own.length;
    runner.replaceConfigured([...gathered.hooks, ...facts.own]);
    facts.warn(`${why}; active hooks: ${gathered.hooks.length} (before: ${before}).`);
    for (const warning of gathered.warnings) facts.warn(warning);
    watchMatchers();
  };
  const watchMatchers = () =>
    add(
      runner.configured.flatMap((hook) =>
        hook.event === 'FileChanged' && typeof hook.matcher === 'string' ? watchedNames(hook.matcher) : [],
      ),
    );
  const { recordFile } = facts.trust;
  if (!flags.bare) watch.add([...settings.keys(), ...(recordFile === undefined ? [] : [recordFile])]);
  watchMatchers();
  return { add, [Symbol.dispose]: () => watch[Symbol.dispose]() };
}

async function fire<Name extends 'ConfigChange' | 'FileChanged'>(
  { runner, context, warn }: WatchFacts,
  event: Name,
  input: HookFields<Name>,
): Promise<HookVerdict> {
  const running = fireHooks(event, input, { runner, subject: hookSubject(context), signal: context.signal });
  while (true) {
    const { done, value } = await running.next();
    if (done) return value;
    if (value.type === 'notice') warn(value.text);
  }
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
