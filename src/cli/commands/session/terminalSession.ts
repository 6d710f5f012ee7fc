import { endSession, runSession, type SessionEvent, type TurnChoices } from '../../../query/prompt/runSession.ts';
import type { Prompt, PromptEnd } from '../../../query/prompt/submitPrompt.ts';
import type { ToolUseContext } from '../../../query/toolUseContext.ts';
import { projectSessionsDir } from '../../../session/transcript/sessionFiles.ts';
import { hookClock } from '../../../stop/clock.ts';
import { wallNow } from '../../../system/clock.ts';
import type { World } from '../../../system/world.ts';
import { processWriter } from '../../../system/writer.ts';
import type { Paint } from '../../output/colors.ts';
import { themedPaint } from '../../output/screen/themes.ts';
import { oneLine } from '../../output/visibleText.ts';
import { type OpenSession, openSession } from '../../wiring/openSession.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import { readSessionNames } from '../../wiring/sessionNames.ts';
import { decideTokenBudget } from '../prompt/promptBudget.ts';
import { breathing } from './breathing.ts';
import { drafts } from './drafts.ts';
import { notifyTerminal, runNotificationHooks } from './notifyPerson.ts';
import { personOf } from './personOf.ts';
import { personsActions } from './personsActions.ts';
import { PersonsChoices } from './personsChoices.ts';
import { personsStatusLine } from './personsStatusLine.ts';
import { PlainScreen } from './plainScreen.ts';
import { listFiles } from './projectFiles.ts';
import { promptHistory } from './promptHistory.ts';
import type { Leaving, SessionControls } from './sessionControls.ts';
import { SessionScreen } from './sessionScreen.ts';
import type { SessionView } from './sessionView.ts';
import { SideQuestions } from './sideQuestions.ts';
import { SLASH_COMMANDS } from './slash/slashCommands.ts';
import { TurnChecks } from './turnChecks.ts';
import { TypedPrompts } from './typedPrompts.ts';
import { footerLines } from './view/footer.ts';
import { historyLines, promptsIn } from './view/historyLines.ts';
import { backgroundNotice } from './view/notices.ts';
import { endLine, farewell } from './view/turnEnd.ts';

/** A turn that took longer ends with a notification: the person may look elsewhere. */
const LONG_TURN_MS = 30_000;
const IDLE_MS = 60_000;

/** One conversation on the terminal. */
export class TerminalSession implements SessionControls {
  readonly world: World;
  readonly flags: PromptFlags;
  readonly paint: Paint;
  readonly view: SessionView;
  readonly choices = new PersonsChoices();
  readonly checks: TurnChecks;
  readonly sessionsDir: string;
  readonly history;
  readonly prompts: TypedPrompts;
  /** Commands that the person runs beside the conversation. */
  readonly lines = new Set<AbortController>();
  readonly #session = new AbortController();
  readonly #drafts;
  #opened: OpenSession | undefined;
  #turn: AbortController | undefined;
  #leaving: Leaving = { type: 'exit' };
  #budget: { readonly pct: number; readonly tokens: number } | null = null;
  #usedTokens = 0;
  /** There is something to come back to. */
  hasTalked = false;
  side: SideQuestions | undefined;
  #statusLine: ReturnType<typeof personsStatusLine> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #suggestion: string | undefined;

  constructor(flags: PromptFlags, world: World, isPlain: boolean) {
    this.flags = flags;
    this.checks = new TurnChecks(flags.requireProof);
    this.world = world;
    this.paint = themedPaint(world.env, isPlain);
    this.sessionsDir = projectSessionsDir(world.stopgateHome, world.cwd);
    this.#drafts = drafts(this.sessionsDir);
    this.history = promptHistory(this.sessionsDir, flags.sessionPersistence);
    this.prompts = new TypedPrompts(() => {
      this.keepDraft();
      this.view.update();
    });
    const shared = { paint: this.paint, clock: world.clock, events: personsActions(this) };
    this.view = isPlain
      ? new PlainScreen({ ...shared, writer: processWriter(() => this.leave({ type: 'exit' })) })
      : new SessionScreen({ ...shared, waiting: () => this.prompts.waiting, footer: () => this.#footer() });
  }

  get id(): string {
    return this.opened.sessionId;
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  get opened(): OpenSession {
    if (this.#opened === undefined) throw new Error('The session is still being opened; try again.');
    return this.#opened;
  }

  get isWorking(): boolean {
    return this.#turn !== undefined;
  }

  print(lines: readonly string[]): void {
    this.view.print(lines);
  }

  /** Shown immediately; what a session needs is opened while the person may already type. */
  async run(first: string | undefined): Promise<Leaving> {
    const { view, world, paint } = this;
    view.open();
    try {
      const warn = (sentence: string) => view.print([paint('yellow', `! ${sentence}`)]);
      await using opened = await openSession(this.flags, world, {
        signal: this.#session.signal,
        warn,
        interactive: {
          person: personOf(this),
          onSuggestion: ({ text }) => {
            // it may be there before the end of its turn was seen
            this.#suggestion = oneLine(text);
            if (this.#turn === undefined) view.suggest(this.#suggestion);
          },
          onBackgroundRun: (run) => {
            const notice = backgroundNotice(run);
            if (notice !== null) view.notice(notice);
          },
          onCheck: (progress) => view.check(progress),
          onWait: (sentence) => view.notice(sentence.replace(/^Stopgate: /, '')),
        },
      });
      this.#begin(opened);
      if (first !== undefined) this.prompts.add(first, 'queue');
      await this.#follow(opened);
      const reason = this.#leaving.type === 'exit' ? 'prompt_input_exit' : this.#leaving.type;
      view.print([...(await endSession(opened.params, reason)), ...farewell(this)]);
    } finally {
      clearTimeout(this.#idle);
      await view.close();
    }
    return this.#leaving;
  }

  #begin(opened: OpenSession): void {
    const { view, world, paint, choices } = this;
    const { toolUseContext, history } = opened.params;
    this.#opened = opened;
    choices.begin(toolUseContext);
    this.side = new SideQuestions(opened, world, this.#session.signal);
    this.#statusLine = personsStatusLine(opened, world, choices, () => view.update());
    const name = readSessionNames(this.sessionsDir)[opened.sessionId];
    const heading = `${toolUseContext.model.id} in ${world.cwd} · session ${name ?? opened.sessionId}`;
    const { armed } = opened;
    view.print([
      paint('dim', heading),
      ...opened.warnings.map((warning) => paint('yellow', `! ${warning}`)),
      ...(armed.checks.length > 0 && armed.sentence !== null ? [armed.sentence] : []),
      ...(opened.leftOut.length > 0 ? [paint('yellow', '! /trust shows what this project wants to switch on.')] : []),
      ...historyLines(history, paint),
    ]);
    view.remember([...this.history.all(), ...promptsIn(history)]);
    const draft = this.#drafts.takeOver();
    if (draft !== '') view.draft = [draft, view.draft].filter(Boolean).join('\n');
    void this.#offerCompletions(opened);
    void this.#statusLine.refresh();
  }

  async #offerCompletions(opened: OpenSession): Promise<void> {
    const { commands, skills } = await opened.listNames();
    const own = Object.entries(SLASH_COMMANDS).map(([name, { about }]) => ({ name: `/${name}`, about }));
    const others = [...commands, ...skills].map((name) => ({ name: `/${name}` }));
    this.view.completeWith({ commands: () => [...own, ...others], files: () => listFiles(this.world) });
  }

  async #follow(opened: OpenSession): Promise<void> {
    const { params, records } = opened;
    if (!opened.isHeld) records.started(params.source);
    const refresh = (context: ToolUseContext, prompt: Prompt) => this.#choicesFor(context, prompt);
    const running = runSession({ ...params, inbox: this.prompts, refresh });
    const breathe = breathing(this.world.clock);
    let startedAt = this.world.clock.now();
    for (let step = await running.next(); !step.done; step = await running.next()) {
      await breathe();
      const event: SessionEvent = step.value;
      if (event.type === 'prompt_started') {
        startedAt = this.world.clock.now();
        this.#began(opened);
      } else if (event.type === 'prompt_ended') await this.#ended(opened, event.end, startedAt);
      else if (event.type === 'waiting') {
        this.view.notice(`${event.tasks.length} in the background · ctrl+t to see`);
      } else if (event.type === 'gave_up') {
        const names = event.tasks.map(({ description }) => description).join(', ');
        this.print([this.paint('yellow', `! Ended with the session: ${names}.`)]);
      } else this.#emitted(opened, event);
    }
  }

  #emitted(
    { records }: OpenSession,
    event: Exclude<SessionEvent, { type: 'prompt_started' | 'prompt_ended' | 'waiting' | 'gave_up' }>,
  ): void {
    // a message is in the transcript before it is emitted
    if (event.type === 'submitted' || event.type === 'user') this.prompts.saved();
    if (event.type === 'token_budget') this.#budget = { pct: event.pct, tokens: event.budget };
    if (event.type === 'assistant') {
      const { content, usage } = event.message;
      const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
      this.#usedTokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
      if (!event.apiError) this.side?.answered({ role: 'assistant', content });
    }
    records.event(event);
    this.view.event(event);
  }

  /** A turn has its own interrupt and budget, and what was chosen since the last one holds. */
  #choicesFor(context: ToolUseContext, { text, shown }: Prompt): TurnChoices {
    this.#turn = new AbortController();
    this.#budget = null;
    const signal = AbortSignal.any([context.signal, this.#turn.signal]);
    const isTyped = shown === undefined;
    const budget = isTyped
      ? decideTokenBudget(this.flags.tokenBudget ?? null, { text, argument: text })
      : { tokens: null };
    if ('sentence' in budget && budget.sentence !== undefined) this.print([this.paint('dim', budget.sentence)]);
    return { toolUseContext: { ...this.choices.applied(context), signal }, tokenBudget: budget.tokens };
  }

  #began(opened: OpenSession): void {
    clearTimeout(this.#idle);
    this.checks.began(opened);
    this.hasTalked = true;
    this.#suggestion = undefined;
    this.view.suggest(undefined);
    this.view.working(true);
  }

  /** Why it ended, in one line, always. */
  async #ended(opened: OpenSession, end: PromptEnd, startedAt: number): Promise<void> {
    const { view, paint, world } = this;
    const checks = this.checks.ended(opened);
    const durationMs = world.clock.now() - startedAt;
    const line = endLine(end, { checks, durationMs, paint });
    await opened.records.turnEnded(end, { ending: line.ending, words: line.words, durationMs });
    this.#turn = undefined;
    this.prompts.saved();
    view.working(false);
    view.print([line.text]);
    if (view.draft === '') view.suggest(this.#suggestion);
    if (end.reason === 'prompt_blocked' && view.draft === '') view.draft = this.history.all().at(-1) ?? '';
    if (durationMs > LONG_TURN_MS) notifyTerminal(`Stopgate: ${line.words || 'done'}`, world.env);
    void this.#statusLine?.refresh();
    const waits = () => void runNotificationHooks(opened, 'Stopgate is waiting for your input', 'idle_prompt');
    this.#idle = setTimeout(waits, IDLE_MS).unref();
  }

  /** With what waits: until it is in the transcript, it is only here. */
  keepDraft(): void {
    this.#drafts.keep([...this.prompts.unsaved, this.view.draft].filter(Boolean).join('\n'));
  }

  /** The running turn; undefined between turns. */
  get turn(): AbortController | undefined {
    return this.#turn;
  }

  leave(leaving: Leaving): void {
    this.#leaving = leaving;
    this.#turn?.abort();
    this.prompts.close();
    this.#session.abort();
  }

  #footer(): readonly string[] {
    const { choices } = this;
    const { armed, ledger } = this.#opened ?? {};
    const clock = hookClock(this.world.env, wallNow(this.world.clock));
    const facts = {
      model: choices.model?.id ?? 'opening …',
      mode: choices.mode,
      spentUsd: ledger?.totalUsd ?? 0,
      outputTokens: ledger?.totalOutputTokens ?? 0,
      contextShare: this.#usedTokens / (choices.model?.contextWindow ?? Number.POSITIVE_INFINITY),
      budget: this.#budget,
      secondsLeft: clock?.remainingSeconds ?? null,
      goal: armed?.checks ?? [],
      isWorking: this.isWorking,
    };
    const own = this.#statusLine?.text() ?? null;
    return [...(own === null ? [] : [own]), ...footerLines(facts, this.paint)];
  }
}
