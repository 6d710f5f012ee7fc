import type { QueryEvent } from '../../../../query/events.ts';

/** The fields of a `hook_progress` event that a status line shows. */
interface HookNews {
  readonly type: string;
  readonly hook_id: string;
  readonly hook_event: string;
  readonly command?: string;
  readonly statusMessage?: string;
}

/**
 * What a status line says while hooks run: the status message of one that still runs, or which event is asked, and how many
 * have ended. Undefined when the event is not about hooks.
 */
export function hookStatus(): (event: QueryEvent) => string | undefined {
  let running = new Map<string, string>();
  let started = 0;
  return (event) => {
    if (event.type !== 'hook_progress') return undefined;
    const news = event.data as unknown as HookNews;
    if (news.type === 'hook_started') {
      if (running.size === 0) started = 0;
      started++;
      running = new Map(running).set(news.hook_id, news.statusMessage ?? `${news.hook_event} hook`);
    }
    if (news.type === 'hook_response') {
      running = new Map(running);
      running.delete(news.hook_id);
    }
    const ended = started - running.size;
    const label = [...running.values()][0] ?? `${news.hook_event} hook`;
    return `${label.replace(/…$/, '')}… ${ended}/${started}`;
  };
}
