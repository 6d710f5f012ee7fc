import type { QueryEvent } from '../../../../query/events.ts';

/** The fields of a `hook_progress` event that are shown. */
export interface HookProgress {
  readonly type: string;
  readonly hook_id: string;
  readonly hook_event: string;
  readonly command?: string;
  readonly statusMessage?: string;
  readonly outcome?: string;
  readonly isBlocking?: boolean;
}

/** The status line while hooks run: one hook's status message or event, and how many have ended. */
export function hookStatus(): (event: QueryEvent) => string | undefined {
  const running = new Map<string, string>();
  let started = 0;
  return (event) => {
    if (event.type !== 'hook_progress') return undefined;
    const progress = event.data as unknown as HookProgress;
    if (progress.type === 'hook_started') {
      if (running.size === 0) started = 0;
      started++;
      running.set(progress.hook_id, progress.statusMessage ?? `${progress.hook_event} hook`);
    }
    if (progress.type === 'hook_response') running.delete(progress.hook_id);
    const ended = started - running.size;
    const label = [...running.values()][0] ?? `${progress.hook_event} hook`;
    return `${label.replace(/…$/, '')}… ${ended}/${started}`;
  };
}
