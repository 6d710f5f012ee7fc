import type { Git } from '../git/git.ts';
import type { CostOf } from '../models/prices.ts';
import type { StopAnswer } from '../stop/answer.ts';
import type { Payload } from '../stop/payload.ts';
import type { Asker } from '../stop/world.ts';
import type { ChildKind } from '../system/secretPolicy.ts';
import type { World } from '../system/world.ts';
import type { HostFeature } from './claudeCode/entries.ts';

/** What `stopgate hook` answers an event with, whichever host asks. */
export type HookAnswer =
  | StopAnswer
  | { readonly type: 'deny'; readonly reason: string; readonly notes?: readonly string[] }
  | { readonly type: 'context'; readonly event: string; readonly text: string; readonly notes?: readonly string[] };

/**
 * One agent that Stopgate works with. Everything that differs between agents is in its folder; `all.ts` lists the rows. What
 * a hook needs at every event stands in the row; what starts and wires an agent is loaded with `agent.load`.
 */
export interface Host extends Asker {
  /** By fields that only this host sends. `ownHome` is STOPGATE_HOME, where that is set. */
  recognizes(payload: Payload, ownHome: string | undefined): boolean;
  /** The object to print for an answer; null prints nothing, which every host takes for "go on". */
  speak(answer: HookAnswer): object | null;
  /** Of a host that Stopgate can start. */
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
  /** At the beginning of a sentence to people. */
  readonly title: string;
  /** Its command line, from the words after `--`. Throws a `UserError` for what this agent cannot do. */
  command(request: AgentRequest): AgentCommand;
  /** The words that start it on a worker's first task. */
  taskWords(prompt: string, words: readonly string[]): readonly string[];
  /** Puts our hooks where it reads them, until released. */
  wire(wish: WiringWish): Promise<WiredAgent>;
  /** Why its stops are not checked in this folder; null when they are. */
  whyChecksAreOff(command: AgentCommand, folder: string, world: World): Promise<string | null>;
  /** Which secrets a worker's agent gets. */
  readonly secrets: ChildKind;
  /** What its account has met when its process failed with this exit code; null when it met nothing. */
  accountTrouble(code: number, end: AgentWords): AccountTrouble | null;
  /** Whether a StopFailure hook writes what ended its turn, a while after the process ended. */
  readonly reportsFailures: boolean;
  /** Whether the exit code of a worker's agent settles its task. */
  readonly exitCodeSettles: boolean;
  /** It prints our own lines itself and keeps its own limits. */
  readonly isOwn: boolean;
  /** Whether `permissions` of Claude Code's settings files and flags say what it may do. */
  readonly readsPermissions: boolean;
  /** How to install it, for the sentence that it is missing. */
  readonly install?: string;
}

export interface AgentRequest {
  /** As given after `--agent`. */
  readonly agent: string;
  /** What stands after `--`. */
  readonly words: readonly string[];
  readonly tokenBudget?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** It refuses to run where commands cannot be sandboxed. */
  readonly requireSandbox?: boolean;
  /** The agent gets this terminal, and a person answers its questions. */
  readonly interactive?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AgentCommand {
  /** In messages and reports. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly agent: HostAgent;
  /** Where what it spends can be read: in what it prints, in a file of the launch, or nowhere. */
  readonly spend: { readonly in: 'output'; readonly reader: SpendReaderOf } | { readonly in: 'file' | 'nowhere' };
  /** What its output becomes for the reader of a launch. */
  readonly form: OutputForm;
}

export type OutputForm = (write: (text: string) => void) => FormedOutput;

export interface FormedOutput {
  push(chunk: string): void;
  /** The agent is gone. */
  end(): void;
}

export const asPrinted: OutputForm = (write) => ({ push: write, end: () => {} });

/** What an agent has spent since it was launched, as far as it shows it. */
export interface Spend {
  readonly outputTokens: number;
  /** Null when no price is known for what it used. */
  readonly usd: number | null;
  /** Present while part of the count is a guess from the length of what was written. */
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

/** What is known of an agent whose process has ended. */
export interface AgentWords {
  /** The last of what it printed, both streams. */
  readonly tail: string;
  /** The last of its stderr. */
  readonly stderr: string;
  /** What is in the file that its StopFailure hook writes; anything that runs as this user can have written it. */
  readonly failure: AgentFailure | null;
}

export interface AgentFailure {
  /** As the protocol names it: `rate_limit`, `overloaded`, … */
  readonly error: string;
  readonly message: string;
  readonly text: string;
}

export interface AccountTrouble {
  readonly error: string;
  readonly text: string;
}

/** Our hooks in an agent's settings, until released. */
export interface WiredAgent extends AsyncDisposable {
  readonly notes: readonly string[];
  /** For the agent and for snapshots meanwhile: git does not see what we put into its settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Brings the settings back; sentences for the report. A second call does nothing. */
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

/** Of an agent whose settings hold nothing of ours. */
export function unwired({ env }: World, notes: readonly string[] = []): WiredAgent {
  return { notes, env, release: async () => [], [Symbol.asyncDispose]: async () => {} };
}
