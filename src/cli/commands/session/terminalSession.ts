import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { matchesKey } from '@earendil-works/pi-tui';
import { PERMISSION_MODES, type PermissionMode } from '../../../permissions/types.ts';
import { updatePermissions } from '../../../permissions/updatePermissions.ts';
import type { PermissionQuestion, Person, PersonsAnswer } from '../../../query/person.ts';
import { endSession, runSession, type SessionEvent } from '../../../query/prompt/runSession.ts';
import type { PromptEnd } from '../../../query/prompt/submitPrompt.ts';
import type { ToolUseContext } from '../../../query/toolUseContext.ts';
import { textOf } from '../../../session/conversation.ts';
import { listSessions } from '../../../session/transcript/sessionFiles.ts';
import { hookClock } from '../../../stop/clock.ts';
import { wallNow } from '../../../system/clock.ts';
import { formatAgo, formatDuration } from '../../../system/formatDuration.ts';
import { formatTokens } from '../../../system/formatTokens.ts';
import { packageRoot } from '../../../system/packageRoot.ts';
import type { World } from '../../../system/world.ts';
import { paintFor } from '../../output/colors.ts';
import { ENDING_OUTCOMES, paintedOutcome } from '../../output/outcomes.ts';
import { type OpenSession, openSession } from '../../wiring/openSession.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import { describeEnd } from '../prompt/ending.ts';
import { terminalReason } from '../prompt/output/resultLine.ts';
import { completion } from './completion.ts';
import { type Drafts, drafts } from './drafts.ts';
import { permissionPanel } from './permissionPanel.ts';
import { type Panel, SessionScreen } from './sessionScreen.ts';
import { SLASH_COMMANDS } from './slashCommands.ts';
import { TypedPrompts } from './typedPrompts.ts';
import { footerText } from './view/footer.ts';

const run = promisify(execFile);

/** Why one conversation ends: the terminal goes on with another one, or closes. */
export type Leaving =
  | { readonly type: 'exit' }
  | { readonly type: 'clear' }
  | { readonly type: 'resume'; readonly id: string };

const COMMAND_BYTES = 4_000_000;

/** One conversation on the terminal. */
export class TerminalSession {
  readonly #world: World;
  readonly #flags: PromptFlags;
  readonly #prompts = new TypedPrompts(() => this.screen.update());
  readonly #session = new AbortController();
  readonly screen: SessionScreen;
  readonly paint;
  #opened: OpenSession | undefined;
  #turn: AbortController | undefined;
  #leaving: Leaving = { type: 'exit' };
  #context: Partial<Pick<ToolUseContext, 'model' | 'permissions'>> = {};
  #drafts: Drafts | undefined;
  #budget: { pct: number; tokens: number } | null = null;
  #asking: Promise<unknown> = Promise.resolve();

  constructor(flags: PromptFlags, world: World) {
    this.#flags = flags;
    this.#world = world;
    this.paint = paintFor(true, world.env);
    this.screen = new SessionScreen({
      paint: this.paint,
      clock: world.clock,
      prompts: this.#prompts,
      footer: () => this.#footer(),
      events: {
        typed: (text, key) => void this.#typed(text, key),
        interrupt: () => this.#interrupt(),
        leave: () => this.leave({ type: 'exit' }),
        cycleMode: () => this.#cycleMode(),
        changed: (draft) => this.#drafts?.keep(draft),
        suspend: () => void this.#suspend(),
      },
    });
  }

  get id(): string {
    return this.#opened?.sessionId ?? '';
  }

  /** Shown at once; what a session needs is opened while the person may already type. */
  async run(first: string | undefined): Promise<Leaving> {
    const { paint, screen } = this;
    screen.open();
    try {
      const warn = (sentence: string) => screen.print([paint('yellow', `! ${sentence}`)]);
      await using opened = await openSession(this.#flags, this.#world, {
        signal: this.#session.signal,
        warn,
        interactive: { person: this.#person(), onSuggestion: ({ text }) => this.#suggested(text) },
      });
      this.#opened = opened;
      this.#drafts = drafts(opened.gathered.sessionsDir);
      await this.#begin(opened, warn);
      if (first !== undefined) this.#prompts.add(first, 'queue');
      await this.#follow(opened);
      for (const notice of await endSession(
        opened.params,
        this.#leaving.type === 'clear' ? 'clear' : 'prompt_input_exit',
      ))
        screen.print([notice]);
      await this.#drafts.kept();
    } finally {
      await screen.close();
    }
    return this.#leaving;
  }

  async #begin(opened: OpenSession, warn: (sentence: string) => void): Promise<void> {
    const { screen, paint } = this;
    const { model, tools: _tools } = opened.params.toolUseContext;
    screen.print([paint('dim', `${model.id} in ${this.#world.cwd} · session ${opened.sessionId}`)]);
    for (const warning of opened.warnings) warn(warning);
    if (opened.armed.checks.length > 0 && opened.armed.sentence !== null) screen.print([opened.armed.sentence]);
    this.#showHistory(opened);
    const draft = await this.#drafts?.read();
    if (draft && screen.draft === '') screen.setDraft(draft);
    const { commands, skills } = await opened.listNames();
    const own = Object.entries(SLASH_COMMANDS).map(([name, { about }]) => ({
      value: `/${name}`,
      label: `/${name}`,
      description: about,
    }));
    const others = [...commands, ...skills].map((name) => ({ value: `/${name}`, label: `/${name}` }));
    screen.completeWith(completion({ commands: () => [...own, ...others], files: () => this.#files() }));
  }

  #showHistory({ params }: OpenSession): void {
    const shown: string[] = [];
    const prompts: string[] = [];
    for (const message of params.history) {
      if (message.type === 'user' && !message.isMeta && typeof message.message.content === 'string') {
        shown.push('', this.paint('bold', `> ${message.message.content}`));
        prompts.push(message.message.content);
      }
      if (message.type === 'assistant') shown.push(textOf(message));
    }
    this.screen.remember(prompts);
    if (shown.length > 0) this.screen.print([...shown.flatMap((text) => text.split('\n')).slice(-60), '']);
  }

  async #files(): Promise<readonly string[]> {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
    const found = await run('git', args, { cwd: this.#world.cwd, maxBuffer: COMMAND_BYTES }).catch(() => null);
    return found === null ? [] : found.stdout.split('\n').filter(Boolean);
  }

  async #follow(opened: OpenSession): Promise<void> {
    const { params, records } = opened;
    if (!opened.isHeld) records.started(params.source);
    const running = runSession({
      ...params,
      inbox: this.#prompts,
      refresh: (context) => this.#refreshed(context),
    });
    let startedAt = this.#world.clock.now();
    for (let step = await running.next(); !step.done; step = await running.next()) {
      const event: SessionEvent = step.value;
      if (event.type === 'prompt_started') {
        startedAt = this.#world.clock.now();
        this.screen.suggest(undefined);
        this.screen.working(true);
      } else if (event.type === 'prompt_ended') await this.#ended(opened, event.end, startedAt);
      else if (event.type === 'waiting')
        this.screen.notice(`Waiting for ${event.tasks.length} background tasks · /tasks`);
      else if (event.type !== 'gave_up') {
        if (event.type === 'token_budget') this.#budget = { pct: event.pct, tokens: event.budget };
        records.event(event);
        this.screen.event(event);
      }
    }
  }

  /** A turn has its own interrupt, and what was chosen since the last one holds. */
  #refreshed(context: ToolUseContext): ToolUseContext {
    this.#turn = new AbortController();
    const signal = AbortSignal.any([context.signal, this.#turn.signal]);
    return { ...context, ...this.#context, signal };
  }

  /** Why it ended, in one line, always. */
  async #ended(opened: OpenSession, end: PromptEnd, startedAt: number): Promise<void> {
    const { paint, screen } = this;
    this.#turn = undefined;
    screen.working(false);
    const durationMs = this.#world.clock.now() - startedAt;
    const hasChecks = opened.armed.sentence !== null;
    const checks = hasChecks ? { ending: opened.checks(), requireProof: this.#flags.requireProof } : null;
    const ending = terminalReason(end.reason, checks);
    await opened.records.turnEnded(end, { ending, words: describeEnd(end), durationMs });
    const words = describeEnd(end) || 'Done.';
    const proof =
      checks === null
        ? ''
        : ` · checks: ${paintedOutcome(ENDING_OUTCOMES[checks.ending.type], paint, checks.ending.reason)}`;
    screen.print([`${paint('dim', `⏹ ${words} ${formatDuration(durationMs)}`)}${proof}`, '']);
    if (durationMs > 30_000) process.stdout.write('\u0007');
  }

  #suggested(text: string): void {
    if (this.#turn === undefined || !this.screen.hasPanel) this.screen.suggest(text);
  }

  // what the person does

  async #typed(text: string, key: 'enter' | 'tab'): Promise<void> {
    this.screen.suggest(undefined);
    const [, name = '', argument = ''] = /^\/([\w:-]+)\s*(.*)$/s.exec(text) ?? [];
    const command = Object.hasOwn(SLASH_COMMANDS, name) ? SLASH_COMMANDS[name] : undefined;
    try {
      if (command !== undefined) {
        this.screen.print([this.paint('dim', `> ${text}`)]);
        return await command.run(this, argument.trim());
      }
      if (text.startsWith('!')) return await this.#shell(text.slice(1).trim());
    } catch (error) {
      return this.screen.print([this.paint('red', (error as Error).message)]);
    }
    this.#prompts.add(text, this.#turn !== undefined && key === 'enter' ? 'steer' : 'queue');
  }

  #interrupt(): void {
    if (this.#turn !== undefined) this.#turn.abort();
  }

  leave(leaving: Leaving): void {
    this.#leaving = leaving;
    this.#turn?.abort();
    this.#prompts.close();
    this.#session.abort();
  }

  async #suspend(): Promise<void> {
    await this.screen.without(
      () =>
        new Promise<void>((resolve) => {
          process.once('SIGCONT', () => resolve());
          process.kill(process.pid, 'SIGTSTP');
        }),
    );
  }

  async #shell(command: string): Promise<void> {
    if (command === '') return;
    this.screen.print(['', this.paint('bold', `! ${command}`)]);
    const ended = this.#world.processes.start({
      file: '/bin/sh',
      args: ['-c', command],
      cwd: this.#world.cwd,
      env: this.#world.env,
      timeoutMs: 600_000,
      maxOutputBytes: COMMAND_BYTES,
    }).ended;
    const end = await ended;
    if (end.type === 'notStarted') return this.screen.print([this.paint('red', end.error)]);
    this.screen.print([end.stdout, end.stderr].flatMap((text) => text.trimEnd().split('\n')).filter(Boolean));
    if (end.type === 'exited' && end.code !== 0) this.screen.print([this.paint('red', `exit code ${end.code}`)]);
  }

  /** Runs `stopgate …` and prints it. */
  async runCommand(args: readonly string[]): Promise<void> {
    const cli = path.join(packageRoot(), 'bin', 'stopgate.js');
    const env = { ...this.#world.env, COLUMNS: String(process.stdout.columns) };
    const options = { cwd: this.#world.cwd, env, maxBuffer: COMMAND_BYTES };
    const ended = await run(process.execPath, [cli, ...args], options).catch(
      (error: { stdout?: string; stderr?: string }) => error,
    );
    this.screen.print([ended.stdout ?? '', ended.stderr ?? ''].flatMap((text) => text.trimEnd().split('\n')));
  }

  print(lines: readonly string[]): void {
    this.screen.print(lines);
  }

  async askBeside(question: string): Promise<void> {
    if (question === '') return this.print(['Write the question after it: /btw why did you choose that file?']);
    const close = this.screen.show({ lines: () => ['', this.paint('dim', `btw: ${question}`), '…'], key: () => false });
    const cli = path.join(packageRoot(), 'bin', 'stopgate.js');
    const asked = await run(process.execPath, [cli, 'ask', '--session', this.id, question], {
      cwd: this.#world.cwd,
      env: this.#world.env,
      maxBuffer: COMMAND_BYTES,
    }).catch((error: { stderr?: string }) => ({ stdout: '', stderr: error.stderr ?? 'It failed.' }));
    close();
    const answer = (asked.stdout || asked.stderr).trimEnd().split('\n');
    const shown = this.screen.show(this.#answerPanel(question, answer, () => shown()));
  }

  #answerPanel(question: string, answer: readonly string[], close: () => void): Panel {
    return {
      lines: () => [
        this.paint('magenta', `btw: ${question}`),
        ...answer,
        this.paint('dim', 'esc closes; nothing of this is in the conversation'),
      ],
      key: (data) => {
        if (matchesKey(data, 'escape') || matchesKey(data, 'enter')) close();
        return true;
      },
    };
  }

  async resume(id: string): Promise<void> {
    const sessions = (await listSessions(this.#opened?.gathered.sessionsDir ?? '')).filter((one) => one.id !== this.id);
    if (id !== '') return this.leave({ type: 'resume', id });
    if (sessions.length === 0) return this.print(['There is no other session in this folder.']);
    const shown = sessions.slice(0, 9);
    const now = wallNow(this.#world.clock);
    const close = this.screen.show({
      lines: () => [
        this.paint('bold', 'Which session?'),
        ...shown.map(
          (one, index) => `  ${this.paint('cyan', String(index + 1))}  ${one.id} · ${formatAgo(one.modifiedAt, now)}`,
        ),
        this.paint('dim', 'a number chooses; esc goes back'),
      ],
      key: (data) => {
        const chosen = shown[Number(data) - 1];
        if (chosen !== undefined || matchesKey(data, 'escape')) close();
        if (chosen !== undefined) this.leave({ type: 'resume', id: chosen.id });
        return true;
      },
    });
  }

  chooseModel(name: string): void {
    const now = this.#context.model ?? this.#opened?.params.toolUseContext.model;
    if (name === '') return this.print([`The model is ${now?.id ?? 'not known yet'}; /model NAME changes it.`]);
    const resolved = this.#opened?.gathered.resolveModel(name);
    if (resolved?.type !== 'ok')
      return this.print([this.paint('red', resolved?.message ?? 'The session has not begun.')]);
    this.#context = { ...this.#context, model: resolved.model };
    this.print([`From the next prompt on: ${resolved.model.id}.`]);
  }

  get #permissions() {
    return this.#context.permissions ?? this.#opened?.params.toolUseContext.permissions;
  }

  chooseMode(text: string): void {
    const mode = PERMISSION_MODES.find((one) => one === text);
    if (mode === undefined)
      return this.print([`The mode is ${this.#permissions?.mode}; /mode ${PERMISSION_MODES.join('|')} changes it.`]);
    this.#setMode(mode);
    this.print([`From now on: ${mode}.`]);
  }

  #setMode(mode: PermissionMode): void {
    const permissions = this.#permissions;
    if (permissions !== undefined) this.#context = { ...this.#context, permissions: { ...permissions, mode } };
  }

  /** The modes that a key may choose; switching all questions off takes a command. */
  #cycleMode(): void {
    const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];
    const at = modes.indexOf(this.#permissions?.mode ?? 'default');
    this.#setMode(modes[(at + 1) % modes.length] ?? 'default');
  }

  rules(): readonly string[] {
    const { mode, rules } = this.#permissions ?? { mode: 'default', rules: { allow: [], ask: [], deny: [] } };
    const list = (name: string, all: readonly string[]) => `  ${name}: ${all.length === 0 ? 'none' : all.join(', ')}`;
    return [`mode: ${mode}`, list('allow', rules.allow), list('ask', rules.ask), list('deny', rules.deny)];
  }

  spend(): readonly string[] {
    const ledger = this.#opened?.ledger;
    if (ledger === undefined) return ['Nothing yet.'];
    return [`$${ledger.totalUsd.toFixed(4)} · ${formatTokens(ledger.totalOutputTokens)} output tokens`];
  }

  goal(): readonly string[] {
    return [this.#opened?.armed.sentence ?? 'No checks: there is no stopgate.config.json in this project.'];
  }

  tasks(what: string): void {
    const background = this.#opened?.params.toolUseContext.toolServices.background;
    const running = background?.allRunning() ?? [];
    if (running.length === 0) return this.print(['Nothing runs in the background.']);
    if (what === 'stop') {
      background?.stopAll();
      return this.print([`Ended: ${running.map(({ description }) => description).join(', ')}.`]);
    }
    this.print(
      running.map(
        ({ id, type, description, outputFile }) =>
          `  ${id} · ${type} · ${description}${outputFile ? ` · ${outputFile}` : ''}`,
      ),
    );
  }

  /** Its questions need the terminal. */
  async trust(): Promise<void> {
    const cli = path.join(packageRoot(), 'bin', 'stopgate.js');
    const { spawn } = await import('node:child_process');
    await this.screen.without(
      () =>
        new Promise<void>((resolve) => {
          const child = spawn(process.execPath, [cli, 'trust'], {
            cwd: this.#world.cwd,
            env: this.#world.env,
            stdio: 'inherit',
          });
          child.on('close', () => resolve());
          child.on('error', () => resolve());
        }),
    );
  }

  // what the turn asks the person

  #person(): Person {
    return {
      takeSteering: () => this.#prompts.takeSteering(),
      askPermission: (question, signal) => {
        // one after the other: several agents may ask
        const answer = this.#asking.then(() => this.#ask(question, signal));
        this.#asking = answer;
        return answer;
      },
    };
  }

  async #ask(question: PermissionQuestion, signal: AbortSignal): Promise<PersonsAnswer> {
    if (signal.aborted) return { type: 'deny', reason: 'The turn was interrupted.', ends: true };
    const { promise, resolve } = Promise.withResolvers<PersonsAnswer | 'why'>();
    const onAbort = () => resolve({ type: 'deny', reason: 'The turn was interrupted.', ends: true });
    signal.addEventListener('abort', onAbort, { once: true });
    const { paint, screen } = this;
    const close = screen.show(
      permissionPanel({ question, paint, answer: resolve, isBusy: () => screen.isBeingTyped() }),
    );
    process.stdout.write('\u0007');
    const answer = await promise;
    signal.removeEventListener('abort', onAbort);
    close();
    if (answer === 'why') {
      screen.notice('Say what to do instead.');
      return { type: 'deny', reason: 'The user said no, and will say what to do instead.', ends: true };
    }
    if (answer.type === 'allow' && answer.updates !== undefined) this.#always(answer.updates, question);
    return answer;
  }

  #always(
    updates: NonNullable<Extract<PersonsAnswer, { type: 'allow' }>['updates']>,
    question: PermissionQuestion,
  ): void {
    const permissions = this.#permissions;
    if (permissions === undefined) return;
    this.#context = { ...this.#context, permissions: updatePermissions(permissions, updates) };
    this.print([this.paint('dim', `Allowed in this session: ${question.suggestion}`)]);
  }

  #footer(): string {
    const context = this.#opened?.params.toolUseContext;
    const clock = hookClock(this.#world.env, wallNow(this.#world.clock));
    return footerText(
      {
        model: (this.#context.model ?? context?.model)?.id ?? 'opening',
        mode: this.#permissions?.mode ?? 'default',
        spentUsd: this.#opened?.ledger.totalUsd ?? 0,
        outputTokens: this.#opened?.ledger.totalOutputTokens ?? 0,
        budget: this.#budget,
        secondsLeft: clock?.remainingSeconds ?? null,
        goal: this.#opened?.armed.checks ?? [],
        isWorking: this.#turn !== undefined,
      },
      this.paint,
    );
  }
}
