import type { MessageMatcher } from '../schemas/hooks.ts';
import type { HookEventName } from './types.ts';

/** Where a hook was configured: a layer of settings, or code that uses the library. */
export type HookSource = 'user' | 'project' | 'local' | 'flag' | 'managed' | 'skill' | 'plugin' | 'library';

/** Settings of every kind; a kind's own fields are in its schema. */
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
  /** Names of secrets that it gets or sends. */
  readonly allowedEnvVars?: readonly string[] | undefined;
}

/** A plugin's folders; only its own hooks get them. */
export interface PluginPlace {
  readonly root: string;
  readonly dataDir: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** One entry that can run: checked, bound to its event, with its place in the settings. */
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
