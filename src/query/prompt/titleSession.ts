import type { HookVerdict } from '../../hooks/types.ts';
import type { Turn } from '../turn.ts';

/** The title of the session for a hook's input, when it has one. */
export function titleField({ deps: { title } }: Turn): { readonly session_title?: string } {
  const given = title.current();
  return given === undefined ? {} : { session_title: given };
}

/** Gives the session the title that a hook answered with. */
export async function titleSession({ deps: { title } }: Turn, { specific }: HookVerdict): Promise<void> {
  const { sessionTitle } = specific;
  if (typeof sessionTitle === 'string' && sessionTitle.trim() !== '') await title.change(sessionTitle.trim());
}
