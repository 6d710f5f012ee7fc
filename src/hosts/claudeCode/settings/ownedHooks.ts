import { getNodeValue } from 'jsonc-parser';
import { entryKey, lastMember, memberValue, ownedEntries } from './ownedEntries.ts';
import { type BrokenSettings, readDocument } from './settingsDocument.ts';
import { isBlank, withoutBom } from './settingsText.ts';

/** One entry of ours as a settings file has it. */
interface OwnedHook {
  readonly event: string;
  readonly matcher: string | undefined;
  readonly command: string;
  readonly key: string;
}

export type OwnedHooks = { readonly type: 'found'; readonly hooks: readonly OwnedHook[] } | BrokenSettings;

/** What in a settings file is ours, by its mark. */
export function ownedHooks(text: string): OwnedHooks {
  const [, body] = withoutBom(text);
  if (isBlank(body)) return { type: 'found', hooks: [] };
  const read = readDocument(body);
  if (read.type === 'broken') return read;
  const hooks = ownedEntries(read.document).map(({ event, command, group }) => {
    const member = lastMember(group, 'matcher');
    const matcher: unknown = member && getNodeValue(memberValue(member) ?? member);
    return {
      event,
      matcher: typeof matcher === 'string' ? matcher : undefined,
      command,
      key: entryKey(event, command),
    };
  });
  return { type: 'found', hooks };
}
