export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** What a tool says of one call, so that rules can be asked about it without knowing the tool. */
export type PermissionRequest =
  /** Changes nothing and reads nothing outside the conversation (task lists, subagents). */
  | { readonly type: 'free'; readonly content?: string }
  /** `resolvedPath`: where symbolic links lead (`makeRealPath`). Rules that forbid hold on both. */
  | { readonly type: 'read'; readonly path: string; readonly resolvedPath?: string }
  | { readonly type: 'edit'; readonly path: string; readonly resolvedPath?: string }
  | { readonly type: 'command'; readonly command: string }
  /** Anything else. `content` is what the parentheses of a rule are compared with: `domain:example.com`. */
  | { readonly type: 'other'; readonly content?: string };

export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface PermissionFacts {
  readonly toolName: string;
  readonly request: PermissionRequest;
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
  /** Absolute. Reads inside these are free; edits inside them are what acceptEdits accepts. */
  readonly directories: readonly string[];
  /** Where relative paths in rules start. */
  readonly projectDir: string;
  readonly homeDir: string;
  /** Where relative paths in commands start; by default the project folder. */
  readonly cwd?: string;
  /**
   * Files that decide when the agent may stop, besides Stopgate's own: the settings of hosts, for example. Each is the end of a
   * path (`.claude/settings.json`), an absolute folder, or, with a slash at its end, a folder at any place.
   */
  readonly gateFiles?: readonly string[];
  /** The call runs in a sandbox that settings trust enough to do without allow rules. */
  readonly sandboxed?: boolean;
  /** Where symbolic links lead, and what a folder holds: for words of commands. By default the file system. */
  readonly realPath?: (path: string) => string;
  readonly listFolder?: (path: string) => readonly string[];
  /** Paths that the repository of a folder tracks; undefined when they cannot be told. By default its index. */
  readonly trackedFiles?: (folder: string) => readonly string[] | undefined;
}

/** `ask` means a person would be asked; a headless run then denies with the same sentence. */
export type PermissionDecision =
  | { readonly type: 'allow'; readonly reason?: string }
  /**
   * `byRule`: an ask rule or a guarded file says so, which a PreToolUse hook's allow does not override. `suggestion`:
   * rules that would allow this call and no other. Never one text: the agent words what is in them.
   */
  | {
      readonly type: 'ask';
      readonly reason: string;
      readonly byRule?: boolean;
      readonly suggestion?: readonly string[];
    }
  | { readonly type: 'deny'; readonly reason: string };
