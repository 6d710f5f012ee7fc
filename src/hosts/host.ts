import type { Git } from '../git/git.ts';
import type { CostOf } from '../models/prices.ts';
import type { StopAnswer } from '../stop/answer.ts';
import type { Payload } from '../stop/payload.ts';
import type { Asker } from '../stop/world.ts';
import type { ChildKind } from '../system/secretPolicy.ts';
import type { World } from '../system/world.ts';

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
  /** By fields that only this host sends. `ownHome` is STOPGATE_HOME, if set. */
  recognizes(payload: Payload, ownHome: string | undefined): boolean;
  /** Whether a command line is this agent's own process: what it starts belongs to an agent. */
  isProcess?(words: readonly string[]): boolean;
  /**
   * The files that hold its hooks, as ends of paths; with a slash at its end, a folder. An agent that may write them can
   * take its own gate away. profiles/default/hooks/gate-guard.sh knows them by a word of each.
   */
  readonly settingsFiles?: readonly string[];
  /** The object to print for an answer; null prints nothing, which means "continue" to every host. */
  speak(answer: HookAnswer): object | null;
  /** For a host that Stopgate can start. */
  readonly agent?: StartableAgent;
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
  /** Puts our hooks into its settings, until released. */
  wire(wish: WiringWish): Promise<WiredAgent>;
  /** Why its stops are not checked in this folder; null when they are. */
  whyChecksAreOff(command: AgentCommand, folder: string, world: World): Promise<string | null>;
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
  /** How to install it, for the error when it is missing. */
  readonly install?: string;
}

export interface AgentRequest {
  /** As given after `--agent`. */
  readonly agent: string;
  /** The words after `--`. */
  readonly words: readonly string[];
  readonly tokenBudget?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** It refuses to run where commands cannot be sandboxed. */
  readonly requireSandbox?: boolean;
  /** The agent gets this terminal. */
  readonly interactive?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
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
}

/** `end` is called when the agent is gone. */
export type OutputForm = (write: (text: string) => void) => { push(chunk: string): void; end(): void };

export const asPrinted: OutputForm = (write) => ({ push: write, end: () => {} });

/** What an agent has reported as spent since it was launched. */
export interface Spend {
  readonly outputTokens: number;
  /** Null when a price is not known. */
  readonly usd: number | null;
  /** Present while part of the count is estimated from the length of the text. */
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

/** For an agent whose settings are not changed. */
export function unwired({ env }: World, notes: readonly string[] = []): WiredAgent {
  return { notes, env, release: async () => [], [Symbol.asyncDispose]: async () => {} };
}
