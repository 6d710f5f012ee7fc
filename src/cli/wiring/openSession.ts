import type { SessionStopWork } from '../../background/createStopWork.ts';
import type { BackgroundHooks } from '../../hooks/kinds/background.ts';
import { spendRecorder } from '../../launch/spendFile.ts';
import { SpendLedger } from '../../models/ledger.ts';
import { mayEdit } from '../../permissions/mayEdit.ts';
import type { QueryDeps } from '../../query/params.ts';
import type { Person } from '../../query/person.ts';
import type { SessionParams } from '../../query/prompt/runSession.ts';
import { subagentNames } from '../../query/subagent/subagentTypes.ts';
import type { PermissionContext, ToolUseContext } from '../../query/toolUseContext.ts';
import { ConversationLog } from '../../session/conversationLog.ts';
import { nestedInstructions, noNestedInstructions } from '../../session/instructions/nestedInstructions.ts';
import { claudeConfigDir } from '../../session/settings/settingsFiles.ts';
import { isTrustedAtAll } from '../../session/trust/folderTrust.ts';
import { type Demand, demandOf } from '../../stop/checks/demand.ts';
import { childEnvironment, withheldFromCommands } from '../../stop/childEnvironment.ts';
import type { GateEnding } from '../../stop/ending.ts';
import { workerIdentity } from '../../stop/worker/workerIdentity.ts';
import type { GateWorld } from '../../stop/world.ts';
import { MARKS } from '../../system/marks.ts';
import { terminalText } from '../../system/terminalText.ts';
import type { World } from '../../system/world.ts';
import type { TeamTasks } from '../../team/teamTasks.ts';
import { allTools } from '../../tools/allTools.ts';
import { toolServices } from '../../tools/toolServices.ts';
import type { chooseModel } from './chooseModel.ts';
import { offeredTools } from './gatherPermissions.ts';
import { type GatheredSession, gatherSession } from './gatherSession.ts';
import type { GitFacts } from './gitFacts.ts';
import { gatherMcpTools } from './mcp/gatherMcpTools.ts';
import type { McpTools } from './mcp/openMcpTools.ts';
import { openHooks } from './openHooks.ts';
import { type BackgroundWatcher, openStopWork } from './openStopWork.ts';
import { openTranscripts } from './openTranscripts.ts';
import { ownTools } from './ownAgent.ts';
import { isHeld, ownGates } from './ownGates.ts';
import type { PromptFlags } from './promptFlags.ts';
import { sessionHold } from './sessionHold.ts';
import { type SessionLeftovers, sessionLeftovers } from './sessionLeftovers.ts';
import { sessionTitleIn } from './sessionNames.ts';
import { hookEnvFile, taskOutputFolder, toolResultFolder } from './sessionPlaces.ts';
import { sessionPrompts } from './sessionPrompts.ts';
import { type SessionRecords, sessionRecords } from './sessionRecords.ts';
import { openTeamTasks } from './teammate.ts';
import { watchSession } from './watchSession.ts';
import { workProgress } from './workProgress.ts';

export type OpenSession = Awaited<ReturnType<typeof openSession>>;

/** How long background hooks may still take after the session. */
const DRAIN_MS = 5_000;

interface SessionOptions {
  readonly signal: AbortSignal;
  readonly warn: (sentence: string) => void;
  /** Another way to choose the model. */
  readonly choose?: typeof chooseModel;
  /** Of a git that was started earlier. */
  readonly git?: Promise<GitFacts>;
  /** The person in front of it; without one the session is headless. */
  readonly interactive?: Interactive;
}

export interface Interactive extends BackgroundWatcher, Required<Pick<GateWorld, 'onCheck' | 'onWait'>> {
  readonly person: Person;
}

/**
 * Everything a prompt needs, from flags, files and environment: the only place where all parts meet. What is opened first
 * ends last.
 */
export async function openSession(flags: PromptFlags, world: World, options: SessionOptions) {
  const { signal, warn } = options;
  await using opened = new AsyncDisposableStack();
  const gathered = await gatherSession(flags, world, {
    ...options,
    interactive: options.interactive !== undefined,
    hold: sessionHold(world, warn, opened),
  });
  const { config, armed, trust, agents } = gathered;
  const ledger = new SpendLedger(spendRecorder(world.env));
  const log = new ConversationLog();
  const transcripts = openTranscripts(gathered, world, { warn, log });
  opened.defer(transcripts.close);
  const records = opened.use(sessionRecords({ gathered, world, ledger, log, warn }));
  const leftovers = sessionLeftovers(world.processes, world.ids.uuid(), world.clock);
  opened.defer(() => endCommands(gathered, world, leftovers));
  const team = opened.use(openTeamTasks(flags, world, gathered));
  const { latest, answered, ...follows } = followGates(armed.ending, options.interactive);
  const { interactive } = options;
  const headless = interactive === undefined;
  const own = ownGates(world, { armed, demand: demandOfPrompt(flags, gathered, world, headless), ...follows });
  const watching = watchingOf(flags, records, headless);
  const hooks = openHooks({ gathered, world, log, ledger, own, ...watching, session: () => params });
  opened.defer(() => hooks.mcp.close());
  const mcp = await gatherMcpTools({ gathered, world, connections: hooks.mcp, signal });
  const transcriptPath = transcripts.main.path;
  const toolUseContext = toolUseContextFor(gathered, world, { signal, transcriptPath, team, mcp, leftovers });
  const stopWork = await openStopWork({ gathered, world, ledger, log, context: toolUseContext, watcher: interactive });
  opened.defer(() => drain(hooks.background, stopWork, { ...gathered.background, warn }));
  opened.defer(() => toolUseContext.toolServices.background.stopAll());
  opened.defer(() => answered(world.clock));
  const params: Omit<SessionParams, 'prompt'> = {
    ...beginning(gathered),
    setup: flags.setup,
    ...sessionPrompts(flags, gathered, world, mcp),
    toolUseContext,
    config: headless ? config : { ...config, querySource: 'repl_main_thread' },
    deps: {
      ...fixedDeps(flags, gathered, world),
      person: interactive?.person,
      ...{ hooks: hooks.runner, background: textsOf(hooks.background), ledger, stopWork },
      ...{ transcript: transcripts.main, openAgentTranscript: transcripts.openAgent },
      progress: workProgress(world, latest),
      ...(flags.sessionPersistence && { title: sessionTitleIn(gathered.sessionsDir, gathered.history.sessionId) }),
      watchPaths: (paths) => watch.add(paths),
    },
  };
  const watched = { flags, world, trust, agents, runner: hooks.runner, own, context: toolUseContext, warn };
  const watch = opened.use(await watchSession(watched));
  const session = opened.move();
  return {
    ...gatheredFacts(flags, gathered, world),
    ...{ gathered, params, ledger, records },
    mcpServers: mcp.status,
    warnings: [...gathered.warnings, ...mcp.warnings],
    /** How the checks answered the last stop. */
    checks: latest,
    /** Kills processes that commands left in other process groups, for an exit that cannot wait. */
    killLeftovers: leftovers.kill,
    /** The processes that commands left running, as they are now. */
    findLeftovers: leftovers.find,
    [Symbol.asyncDispose]: () => session.disposeAsync(),
  };
}

/** What is known of a session without anything that was opened. */
function gatheredFacts(flags: PromptFlags, gathered: GatheredSession, world: World) {
  const { armed, history, hooks } = gathered;
  return {
    sessionId: history.sessionId,
    armed,
    /** Our own stop gates are set. */
    isHeld: isHeld(armed, world),
    leftOut: hooks.leftOut,
    /** Names of slash commands, skills and kinds of subagents, read only when an output shows them. */
    listNames: () => listNames(flags, gathered, world),
  };
}

/** Those effects of a turn that need nothing that was opened. */
function fixedDeps(flags: PromptFlags, gathered: GatheredSession, world: World) {
  const { costOf, resolveModel, agents } = gathered;
  return {
    ...{ clock: world.clock, ids: world.ids, costOf, resolveModel, agents },
    findCommand: commandsFor(flags, gathered, world),
    nestedInstructions: nestedFor(flags, gathered, world),
  };
}

function beginning({ history, backgroundWaitMs, instructions: instructionFiles }: GatheredSession) {
  return { history: history.messages, source: history.source, backgroundWaitMs, instructionFiles };
}

/** In this order: the sandbox's folders can be removed when no command uses them. */
async function endCommands({ sandbox }: GatheredSession, { processes }: World, leftovers: SessionLeftovers) {
  await processes.endAll();
  for (const sentence of await leftovers.end()) process.stderr.write(terminalText(`stopgate: ${sentence}\n`));
  await sandbox?.[Symbol.asyncDispose]();
}

function followGates(first: GateEnding, { onCheck, onWait }: Partial<Interactive> = {}) {
  let ending = first;
  let pending: Promise<unknown> = Promise.resolve();
  const onEnding = (now: GateEnding) => {
    ending = now;
  };
  const onAsked = (answer: Promise<unknown>) => {
    pending = answer.catch(() => {});
  };
  // an interrupted check is ended and recorded before its session ends
  const answered = async (clock: World['clock']) => {
    const waited = new AbortController();
    await Promise.race([pending, clock.sleep(DRAIN_MS, waited.signal)]);
    waited.abort();
  };
  return { onEnding, onAsked, latest: () => ending, answered, ...(onCheck && { onCheck }), ...(onWait && { onWait }) };
}

function watchingOf(flags: PromptFlags, { hookEnded: onEnd }: SessionRecords, headless: boolean) {
  const showsStatus = !headless || (flags.outputFormat === 'text' && process.stderr.isTTY === true);
  return { watches: flags.includeHookEvents, showsStatus, onEnd };
}

const textsOf = ({ take, wakersEnded }: BackgroundHooks) => ({
  take: () => take().map(({ text }) => text),
  wakersEnded,
});

/** The result was printed: nothing more may be printed to stdout. */
async function drain(
  hooks: BackgroundHooks,
  work: SessionStopWork,
  { limits, warn }: { readonly limits: GatheredSession['background']['limits'] } & Pick<SessionOptions, 'warn'>,
): Promise<void> {
  const [late, notices] = await Promise.all([hooks.drain(DRAIN_MS), work.drain(limits.drainMs)]);
  for (const label of late) warn(`The background hook ${label} was still running and was ended.`);
  for (const notice of notices) process.stderr.write(terminalText(`stopgate: ${notice}\n`));
}

/** `-p` with permission to edit is a request for work; without it, a question. */
function demandOfPrompt(
  { requireProof }: PromptFlags,
  { permissions }: GatheredSession,
  { env }: World,
  headless: boolean,
): Demand {
  return demandOf({
    requireProof,
    launched: Boolean(env[MARKS.launch]),
    worker: workerIdentity(env) !== null,
    headless,
    mayEdit: mayEdit({ mode: permissions.mode, ...permissions.rules }),
  });
}

function nestedFor({ bare }: PromptFlags, { trust, instructions, rules }: GatheredSession, world: World) {
  const { cwd: projectDir, homeDir } = world;
  const loaded = instructions.map(({ path }) => path);
  return bare ? noNestedInstructions : nestedInstructions({ projectDir, homeDir, trust, loaded, rules });
}

function commandsFor({ bare }: PromptFlags, { trust }: GatheredSession, world: World): QueryDeps['findCommand'] {
  if (bare) return async () => undefined;
  const places = { ...commandFolders(world), trust };
  return async (prompt) => {
    const { findCommand } = await import('../../session/commands/findCommand.ts');
    return findCommand(prompt, places);
  };
}

const commandFolders = (world: World) => ({ projectDir: world.cwd, userDir: claudeConfigDir(world) });

async function listNames({ bare }: PromptFlags, { agents }: GatheredSession, world: World) {
  const { listCommands } = await import('../../session/commands/findCommand.ts');
  const names = bare ? { commands: [], skills: [] } : await listCommands(commandFolders(world));
  return { ...names, agents: subagentNames(agents) };
}

function toolUseContextFor(
  gathered: GatheredSession,
  world: World,
  turn: {
    readonly signal: AbortSignal;
    readonly transcriptPath: string;
    readonly team: TeamTasks | undefined;
    readonly leftovers: SessionLeftovers;
    readonly mcp: McpTools;
  },
): ToolUseContext {
  const { permissions, teammate, ownAgent: own } = gathered;
  return {
    model: gathered.model,
    tools: ownTools(offeredTools([...allTools(), ...turn.mcp.tools], permissions.rules.deny, gathered.toolNames), own),
    permissions: withOwnOutput(permissions, [taskOutputFolder(gathered), toolResultFolder(gathered)]),
    signal: turn.signal,
    effort: effortOf(gathered, world),
    session: { id: gathered.history.sessionId, transcriptPath: turn.transcriptPath, promptId: world.ids.uuid() },
    queryTracking: { chainId: world.ids.uuid(), depth: 0 },
    toolServices: toolServices({
      projectDir: world.cwd,
      env: turn.leftovers.mark(childEnvironment(world.env, gathered.settings.merged.env, gathered.history.sessionId)),
      withheld: withheldFromCommands(world.env, gathered.settings.merged.env),
      envFile: hookEnvFile(gathered),
      repositoryPrograms: isTrustedAtAll(gathered.trust) ? 'run' : 'off',
      outputFolder: taskOutputFolder(gathered),
      sandbox: gathered.sandbox?.sandbox,
      processes: turn.leftovers.processes,
      clock: world.clock,
      ...(turn.team ? { tasks: turn.team.list } : {}),
    }),
    ...(own ? { agentType: own.name } : {}),
    ...(teammate ? { teammate } : {}),
  };
}

/** As in Claude Code, for hooks only: our requests to models do not use it. */
function effortOf({ settings }: GatheredSession, world: World): string {
  const { env, other } = settings.merged;
  const named = { ...world.env, ...env }.CLAUDE_CODE_EFFORT_LEVEL ?? other.effortLevel;
  return typeof named === 'string' && named !== '' ? named : 'medium';
}

/** An agent may read the output of its own background commands and MCP servers. */
function withOwnOutput(permissions: PermissionContext, folders: readonly string[]): PermissionContext {
  const { rules } = permissions;
  const allow = [...rules.allow, ...folders.map((folder) => `Read(/${folder}/**)`)];
  return { ...permissions, rules: { ...rules, allow } };
}
