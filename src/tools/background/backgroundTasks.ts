/** A command or subagent that runs in the background. */
export interface BackgroundTask {
  readonly id: string;
  readonly type: 'shell' | 'subagent';
  readonly description: string;
  /** The call that started it. */
  readonly toolUseId: string;
  /** The subagent that started it; undefined for the main agent. */
  readonly owner: string | undefined;
  /** Its output; undefined when none is kept. */
  readonly outputFile: string | undefined;
  /** More fields for hooks: `command` or `agent_type`. */
  readonly facts: Readonly<Record<string, string>>;
  /** Ends with the subagent that owns it. */
  readonly endsWithOwner?: boolean;
}

export interface BackgroundTaskEnd {
  readonly status: 'completed' | 'failed' | 'killed';
  /** One sentence without a period. */
  readonly summary: string;
  /** A subagent's answer and figures, as tagged lines. */
  readonly more?: string;
}

interface EndedTask extends BackgroundTaskEnd {
  readonly task: BackgroundTask;
}

/** The background tasks of a session, and the ends that were not reported yet. */
export type BackgroundTasks = ReturnType<typeof backgroundTasks>;

interface Entry {
  task: BackgroundTask;
  readonly stop: () => void;
}

export function backgroundTasks() {
  const runningTasks = new Map<string, Entry>();
  /** Subagents whose callers wait for them. */
  const awaited = new Map<string, Entry>();
  let ended: EndedTask[] = [];
  let wake = Promise.withResolvers<void>();

  function settle(id: string, end: BackgroundTaskEnd | undefined): void {
    const entry = runningTasks.get(id);
    runningTasks.delete(id);
    if (entry && end) ended.push({ task: entry.task, ...end });
    wake.resolve();
    wake = Promise.withResolvers<void>();
  }

  const running = (owner?: string) =>
    [...runningTasks.values()].map(({ task }) => task).filter((task) => task.owner === owner);
  const hasEnded = (owner?: string) => ended.length > 0 && ended.some(({ task }) => task.owner === owner);
  return {
    /** `end` never rejects; undefined means that its agent stopped it and needs no notification. */
    add(task: BackgroundTask, end: Promise<BackgroundTaskEnd | undefined>, stop: () => void): void {
      runningTasks.set(task.id, { task, stop });
      void end.then((value) => settle(task.id, value));
    },
    running,
    /** Includes those of subagents: everything that ends with the session. */
    allRunning: (): readonly BackgroundTask[] => [...runningTasks.values()].map(({ task }) => task),
    hasEnded,
    /** Since the last call. */
    takeEnded(owner?: string): readonly EndedTask[] {
      const taken = ended.filter(({ task }) => task.owner === owner);
      ended = ended.filter(({ task }) => task.owner !== owner);
      return taken;
    },
    /** Resolves when a task of the main agent ended, when none runs, or when the signal aborts. */
    async nextEnd(signal: AbortSignal): Promise<void> {
      const aborted = Promise.withResolvers<void>();
      const abort = () => aborted.resolve();
      signal.addEventListener('abort', abort, { once: true });
      while (!signal.aborted && !hasEnded() && running().length > 0)
        await Promise.race([wake.promise, aborted.promise]);
      signal.removeEventListener('abort', abort);
    },
    /** After a subagent ended: moves its tasks to the main agent, or stops them. */
    adopt(owner: string): void {
      const own = [...runningTasks.values()].filter(({ task }) => task.owner === owner);
      for (const entry of own) {
        if (entry.task.endsWithOwner) entry.stop();
        else entry.task = { ...entry.task, owner: undefined };
      }
      ended = ended.map((end) =>
        end.task.owner === owner ? { ...end, task: { ...end.task, owner: undefined } } : end,
      );
    },
    /** Lists a subagent while its caller waits for it, so that a person can look into it and stop it. */
    attend(task: BackgroundTask, stop: () => void): Disposable {
      awaited.set(task.id, { task, stop });
      return { [Symbol.dispose]: () => void awaited.delete(task.id) };
    },
    /** Everything that a person may want to look into. */
    listed: (): readonly (BackgroundTask & { readonly isAwaited: boolean })[] => [
      ...[...awaited.values()].map(({ task }) => ({ ...task, isAwaited: true })),
      ...[...runningTasks.values()].map(({ task }) => ({ ...task, isAwaited: false })),
    ],
    /** False when it has ended. */
    stop(id: string): boolean {
      const entry = runningTasks.get(id) ?? awaited.get(id);
      entry?.stop();
      return entry !== undefined;
    },
    stopAll(): void {
      for (const { stop } of runningTasks.values()) stop();
    },
  };
}

/** A task as an entry of `background_tasks`. */
export function hookTask({ id, type, description, facts }: BackgroundTask) {
  return { id, type, status: 'running' as const, description, ...facts };
}

/** The notification of an end for its agent; UserPromptSubmit hooks see the same text. */
export function taskNotification({ task, status, summary, more }: EndedTask): string {
  return [
    '<task-notification>',
    `<task-id>${task.id}</task-id>`,
    `<tool-use-id>${task.toolUseId}</tool-use-id>`,
    ...(task.outputFile === undefined ? [] : [`<output-file>${task.outputFile}</output-file>`]),
    `<status>${status}</status>`,
    `<summary>${summary}</summary>`,
    ...(more === undefined ? [] : [more]),
    '</task-notification>',
  ].join('\n');
}
