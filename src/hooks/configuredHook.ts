import type { MessageMatcher } from '../schemas/hooks.ts';
import type { HookEventName } from './types.ts';

/** Whose words a hook is: settings files by their layer, or code that uses the library. */
export type HookSource = 'user' | 'project' | 'local' | 'flag' | 'managed' | 'skill' | 'plugin' | 'library';

/** What every kind's settings may say; a kind's own fields are behind its schema. */
export interface HookSettings {
  readonly type: string;
  readonly if?: string | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly statusMessage?: string | undefined;
  readonly once?: boolean | undefined;
  readonly async?: boolean | undefined;
  readonly asyncRewake?: boolean | undefined;
  readonly onFailure?: 'continue' | 'block' | undefined;
  readonly onError?: 'allow' | 'block' | undefined;
  /** Names of secrets that it gets, or sends. */
  readonly allowedEnvVars?: readonly string[] | undefined;
}

/** Where a plugin keeps itself; only its own hooks are told. */
export interface PluginPlace {
  readonly root: string;
  readonly dataDir: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** One entry that can run: checked, bound to its event, and still knowing where it was written. */
export interface ConfiguredHook {
  readonly event: HookEventName;
  /** The registry's name of the kind; `bash` is `command` here. */
  readonly kind: string;
  readonly settings: HookSettings;
  /** The entry as a person would name it: the command, the URL, the prompt. */
  readonly label: string;
  readonly matcher?: string | MessageMatcher;
  readonly source: HookSource;
  readonly file: string;
  /** Where in the file: `hooks.Stop[0].hooks[1]`. */
  readonly path: string;
  readonly line?: number;
  /** It runs only while the agent of this name does. */
  readonly agent?: string;
  readonly plugin?: PluginPlace;
}
