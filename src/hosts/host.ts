import type { Git } from '../git/git.ts';
import type { CostOf } from '../models/prices.ts';
import type { SettingsEntry } from '../schemas/settingsHold.ts';
import type { StopAnswer } from '../stop/answer.ts';
import type { ToolCall } from '../stop/landing/askedTime.ts';
import type { Payload } from '../stop/payload.ts';
import type { Asker } from '../stop/world.ts';
import type { ChildKind } from '../system/secretPolicy.ts';
import type { World } from '../system/world.ts';
import type { SettingsFormat } from './settings/format.ts';

/** What a person can switch on. */
export const HOST_FEATURES = ['checks', 'countdown', 'landing'] as const;
export type HostFeature = (typeof HOST_FEATURES)[number];

/** A shell comment at the end of every command of ours in an agent's settings: it stays with an entry that a person moves. */
export const OWNERSHIP_MARK = '# stopgate';

/** The answer of `stopgate hook` to an event of any host. */
export type HookAnswer =
  | StopAnswer
  | { readonly type: 'deny'; readonly reason: string; readonly notes?: readonly string[] }
  | { readonly type: 'context'; readonly event: string; readonly text: string; readonly notes?: readonly string[] };

/**
 * One agent that Stopgate works with. Everything that differs between agents is in its folder; `all.ts` lists the rows. A row
 * has what a hook needs at every event; `agent.load` loads what starts and wires the agent.
 */
export interface Host extends Asker {
  /** For people. */
  readonly title: string;
  /** By fields that only this host sends. `ownHome` is STOPGATE_HOME, if set. */
  recognizes(payload: Payload, ownHome: string | undefined): boolean;
  /** Whether a command line is this agent's own process: what it starts belongs to an agent. */
  isProcess?(words: readonly string[]): boolean;
  /**
   * Variables that the commands of its agent inherit and a person's shell does not have: a process that outlives its parents
   * is known by them alone. They are no secret, so nothing else depends on them.
   */
  readonly agentVariables?: readonly string[];
  /**
   * The files that hold its hooks, as ends of paths; with a slash at its end, a folder. An agent that may write them can
   * take its own gate away. profiles/default/hooks/gate-guard.sh knows them by a word of each.
   */
  readonly settingsFiles?: readonly string[];
  /** Files of variables that it loads for its hooks, as ends of paths: a repository or its own agent must not steer Stopgate by them. */
  readonly environmentFiles?: readonly string[];
  /** The object to print for an answer; null prints nothing, which means "continue" to every host. */
  speak(answer: HookAnswer): object | null;
  /**
   * Whether other entries of ours answer this event too, because the host reads files of several: this one then passes.
   * `argv` has the words of the entry. Loads what it needs: rows are read at every tool call.
   */
  standsAside?(event: string, asking: StandingAside): Promise<boolean>;
  /** The tool call of an event in the terms of Claude Code's tools, if its own differ. */
  toolCall?(payload: Payload): ToolCall | null;
  /** For a host whose settings can hold our hooks. */
  readonly wiring?: WirableHost;
  /** For a host that Stopgate can start. */
  readonly agent?: StartableAgent;
}

export interface StandingAside {
  readonly payload: Payload;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
}

/** What `stopgate hosts` lists, in its order. */
export const HOST_ABILITIES = [
  'veto a stop',
  'see tool calls',
  'refuse tool calls',
  'be told the time',
  'wait in a hook',
  'block without a cap',
  'report spend',
  'resume a session',
] as const;
export type HostAbility = (typeof HOST_ABILITIES)[number];

export interface WirableHost {
  /** Its name after `--host`, and its program on the PATH. */
  readonly flag: string;
  /** The folder of its own settings, below the home folder: one who has it uses the host. */
  readonly home: string;
  /**
   * What it cannot do, or only within limits, as measured by tests/hosts; it can do all others. Rows are read at every tool call, so
   * they are short. `note` has the limits of what it can, or the reason why it cannot.
   */
  readonly abilities: Readonly<Partial<Record<HostAbility, { readonly can: boolean; readonly note?: string }>>>;
  load(): Promise<HostWiring>;
}

/** Who an `init` is for: one person in this folder, everyone in this folder, or one person everywhere. */
export const SETTINGS_SCOPES = ['local', 'project', 'user'] as const;
export type SettingsScope = (typeof SETTINGS_SCOPES)[number];

/** Where a host's hooks are, and how they are written there. */
export interface HostWiring {
  /** The files of a scope with the entries of these features; without features, all files that may hold entries of ours. */
  files(wish: FilesWish): Promise<readonly WiredFile[]>;
  /** The scope that is used when this one was asked for: not every host has all. */
  scope(asked: SettingsScope): SettingsScope;
  /** Why hooks of its settings files will not run in a folder; null when they will. */
  whyOff(folder: string, world: World): Promise<string | null>;
  /** What a person has to know or do after an `init` with these features. */
  notes(wish: FilesWish): Promise<readonly string[]>;
}

export interface FilesWish {
  readonly scope: SettingsScope;
  /** What the person asked for, if that was another scope. */
  readonly asked?: SettingsScope;
  readonly features: readonly HostFeature[];
  readonly paths: EntryPaths;
  readonly world: World;
}

/** One file, with what Stopgate needs in it. */
export interface WiredFile {
  readonly file: string;
  /** The project that links may not leave; the user's own files may link anywhere (dotfiles). */
  readonly within?: string | undefined;
  readonly format: SettingsFormat;
  /** Which part of the file this is, where the settings of several folders share one file. */
  readonly part?: string | undefined;
  readonly entries: readonly SettingsEntry[];
}

export interface EntryPaths {
  /** Where `profiles/` and `dist/` are. */
  readonly packageRoot: string;
  /** The hooks of another profile than the default one. */
  readonly hooksDir?: string | undefined;
  /** The words that start `stopgate`, unquoted. */
  readonly stopgate: readonly string[];
  /** The timeout of the stop hook, long enough for the checks of the folder. */
  readonly stopSeconds?: number;
  /** The timeout of the session start hook, when checks run then. */
  readonly startSeconds?: number | null;
}

export interface StartableAgent {
  /** Its name after `--agent`. */
  readonly flag: string;
  /** Whether our hooks run inside it: only then can a supervisor see that tools run. */
  readonly runsHooks: boolean;
  /** Whether it has nothing to do without a prompt. */
  readonly needsPrompt: boolean;
  load(): Promise<HostAgent>;
}

/** How an agent of one host is started, wired, and understood when it ends. */
export interface HostAgent {
  /** The subject of a sentence. */
  readonly title: string;
  /** Its command line, from the words after `--`. Throws a `UserError` for flags that it does not support. */
  command(request: AgentRequest): AgentCommand;
  /** The words that start it on a worker's first task. */
  taskWords(prompt: string, words: readonly string[]): readonly string[];
  /**
   * The words that continue a session with a text, for a host that can end although its stop was vetoed, or without being
   * asked: the launch then checks the stop itself and starts it again. `session` is null when its output did not name it.
   */
  continueWords?(session: string | null, text: string, words: readonly string[]): readonly string[];
  /** How many blocks of a stop it heeds in one prompt, whatever happens between them; absent when it heeds all. */
  readonly promptBlocks?: number;
  /** It has no event at which a stop can be vetoed. */
  readonly neverAsks?: boolean;
  /** Puts our hooks into its settings, until released. */
  wire(wish: WiringWish): Promise<WiredAgent>;
  /** Why its stops are not checked in this folder; null when they are. */
  whyChecksAreOff(command: AgentCommand, folder: string, world: World): Promise<string | OffByProject | null>;
  /** Which secrets a worker's agent gets. */
  readonly secrets: ChildKind;
  /** The account problem that made its process fail with this exit code; null without one. */
  accountTrouble(code: number, end: AgentWords): AccountTrouble | null;
  /** Whether a StopFailure hook writes the API error, possibly after the process ended. */
  readonly reportsFailures: boolean;
  /** Whether the exit code of a worker's agent settles its task. */
  readonly exitCodeSettles: boolean;
  /** Whether its output shows that it answered: it prints like Claude Code. */
  readonly printsAnswer: boolean;
  /** It prints our lines itself and enforces its own limits. */
  readonly isOwn: boolean;
  /** Whether Claude Code's flags and the `permissions` in its settings apply. */
  readonly readsPermissions: boolean;
  /** A sentence when a headless run with these words may only read; null when it may do more, or when that is unknown. */
  headlessHint?(words: readonly string[], folder: string, places: HostPlaces): string | null;
  /** Its exit codes above 128 are its own too, and no signals. */
  readonly exitsWithStatus?: boolean;
  /** How to install it, for the error when it is missing. */
  readonly install?: string;
}

/** Where a host's own files are. */
export interface HostPlaces {
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AgentRequest {
  /** As given after `--agent`. */
  readonly agent: string;
  /** The words after `--`. */
  readonly words: readonly string[];
  readonly tokenBudget?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** What it spends is to be read, if its other options allow that. */
  readonly showSpend?: boolean;
  /** It refuses to run where commands cannot be sandboxed. */
  readonly requireSandbox?: boolean;
  /** The agent gets this terminal. */
  readonly interactive?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `--agent` was given: the agent may start in another folder. Default: that of this process. */
  readonly cwd?: string;
}

export interface AgentCommand {
  /** In messages and reports. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly agent: HostAgent;
  /** Where its spending can be read: in its output, in a file of the launch, or nowhere. */
  readonly spend: { readonly in: 'output'; readonly reader: SpendReaderOf } | { readonly in: 'file' | 'nowhere' };
  /** How its output is converted for the reader of a launch. */
  readonly form: OutputForm;
  /** The session that a line of its output names, if it does. */
  readonly sessionIn?: (line: string) => string | undefined;
}

/** `end` is called when the agent is gone. */
export type OutputForm = (write: (text: string) => void) => { push(chunk: string): void; end(): void };

/** A file of the project itself switches the agent's hooks off. */
export interface OffByProject {
  readonly why: string;
  readonly file: string;
}

/** What an agent has reported as spent since it was launched. */
export interface Spend {
  readonly outputTokens: number;
  /** Null when no price is known. */
  readonly usd: number | null;
  /** Present while part of the count is estimated from the length of the text, or part of it has no known price. */
  readonly estimated?: true;
}

export interface SpendReader {
  /** Returns whether anything was counted. */
  push(chunk: string): boolean;
  readonly spend: Spend;
  /** What the agent printed when it ended itself at a limit. */
  readonly overBudget: string | undefined;
}
export type SpendReaderOf = (costOf: CostOf) => SpendReader;

/** What is known about an agent whose process has ended. */
export interface AgentWords {
  /** The end of its output, both streams. */
  readonly tail: string;
  /** The end of its stderr. */
  readonly stderr: string;
  /** The file of its StopFailure hook; any process of this user may have written it. */
  readonly failure: AgentFailure | null;
}

export interface AgentFailure {
  /** In the protocol's terms: `rate_limit`, `overloaded`, … */
  readonly error: string;
  readonly message: string;
  readonly text: string;
}

export type AccountTrouble = Pick<AgentFailure, 'error' | 'text'>;

/** Our hooks in an agent's settings, until released. */
export interface WiredAgent extends AsyncDisposable {
  readonly notes: readonly string[];
  /** Words for its command line, for a host that takes hooks there. */
  readonly args?: readonly string[];
  /** For the agent and for snapshots while it runs: hides our change of its settings from git. */
  readonly env: Readonly<Record<string, string>>;
  /** Restores the settings; returns sentences for the report. A second call does nothing. */
  release(): Promise<readonly string[]>;
}

export interface WiringWish {
  readonly command: AgentCommand;
  readonly features: readonly HostFeature[];
  readonly profile: string;
  readonly folder: string;
  readonly world: World;
  readonly git: Git;
}
