import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { HookEntry } from '../../schemas/settingsHold.ts';
import { definedOnly } from '../../system/definedOnly.ts';
import { textIn } from '../../system/readTextFile.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { type ReadWords, readWords } from '../commandWords.ts';
import type { AgentCommand, AgentRequest, HostAgent, HostPlaces, WiredAgent, WiringWish } from '../host.ts';
import { launchPaths } from '../launchPaths.ts';
import { hasOption } from '../optionWords.ts';
import { asPrinted, PLAIN_AGENT, unwired } from '../plainAgent.ts';
import { hookKey, keyOfEntry } from '../settings/format.ts';
import { codexEntries } from './entries.ts';
import { ourHooks, SESSION_FLAGS } from './hookTrust.ts';
import { codexText, codexThread, codexTrouble } from './output.ts';
import { configFile, hooksFile, namesOf } from './places.ts';
import { codexSpend } from './spend.ts';
import { trustIn } from './trustTables.ts';

/** Of `codex exec`, 0.169.0. */
const VALUED = new Set([
  ...['-c', '--config', '--enable', '--disable', '-i', '--image', '-m', '--model', '--local-provider'],
  ...['-p', '--profile', '-s', '--sandbox', '-C', '--cd', '--add-dir', '--thread-source', '--cyber-access-program'],
  ...['--output-schema', '--color', '-o', '--output-last-message'],
]);

/** The others are the prompt, or a subcommand with its words. */
const readCodexWords = (words: readonly string[]): ReadWords => readWords(words, { valued: VALUED });

export const codexAgent: HostAgent = {
  ...PLAIN_AGENT,
  title: 'Codex',
  command: codexCommand,
  // a login shell may set its PATH anew, without the `stopgate` that settles the task
  taskWords: (prompt, words) => [prompt, ...words, '-c', 'allow_login_shell=false'],
  continueWords: (session, text, words) => [
    ...readCodexWords(words).options,
    'resume',
    ...(session === null ? ['--last'] : [session]),
    text,
  ],
  wire: wireCodex,
  whyChecksAreOff: async ({ args }) =>
    args.some((word, at) => /^(?:codex_)?hooks$/.test(word) && args[at - 1] === '--disable') ? '--disable hooks' : null,
  headlessHint,
  secrets: 'otherAgent',
  accountTrouble: codexTrouble,
  install: 'install Codex (npm install -g @openai/codex)',
};

/** `codex exec`: its JSON lines have the session and what it spends, and are shown as text unless `--json` is among the words. */
function codexCommand({ words, env, interactive }: AgentRequest): AgentCommand {
  const base = { name: 'codex', file: 'codex', agent: codexAgent } as const;
  if (interactive) return { ...base, args: words, spend: { in: 'nowhere' }, form: asPrinted };
  const own = words[0] === 'exec' || words[0] === 'e' ? words.slice(1) : words;
  const { others } = readCodexWords(own);
  if (others[0] === 'review')
    throw new UserError(
      'codex exec review has no session to hold; use a prompt, or launch it with --agent "codex exec".',
    );
  const isContinued = others[0] === 'resume' || others[0] === 'fork';
  const asked = hasOption(own, '--json');
  const spend = codexSpend({ env, isContinued });
  return {
    ...base,
    args: ['exec', ...(asked ? [] : ['--json']), ...own],
    spend: { in: 'output', reader: spend },
    form: asked ? asPrinted : codexText,
    sessionIn: codexThread,
  };
}

const GIVES_PERMISSION =
  /^(?:-s|--sandbox|-p|--profile|--approve-for-me|--full-auto|--yolo|--dangerously-bypass-approvals-and-sandbox)(?:=|$)|^(?:--config=|-c)?(?:sandbox_mode|default_permissions|permissions)\b/;

/** `codex exec` may only read, unless its command line or its settings say more. */
function headlessHint(words: readonly string[], _folder: string, places: HostPlaces): string | null {
  if (words.some((word) => GIVES_PERMISSION.test(word))) return null;
  if (/^[ \t]*(?:sandbox_mode|default_permissions)[ \t]*=/m.test(textIn(configFile(places)))) return null;
  return 'Codex runs headless and cannot ask for permission, and only reading is allowed in advance: add for example `-s workspace-write` after --. A worker settles its tasks with a command that writes outside of the folder, which needs `-s danger-full-access`.';
}

/** On its command line, so that no file is touched; hooks that `init` wrote and that it trusts are not added again. */
async function wireCodex(wish: WiringWish): Promise<WiredAgent> {
  const { features, folder, world } = wish;
  const entries = codexEntries(features, await launchPaths(wish));
  const isThere = await isWiredAlready(folder, world);
  return { ...unwired(world), args: hookFlags(entries.filter((entry) => !isThere(entry))) };
}

/** Words that add these hooks to one run of Codex, trusted: they come in addition to those of its files. */
export function hookFlags(entries: readonly HookEntry[]): readonly string[] {
  if (entries.length === 0) return [];
  const events = Map.groupBy(entries, ({ event }) => event);
  const hooks = Object.fromEntries([...events].map(([event, list]) => [event, list.map(groupOf)]));
  const states = ourHooks(JSON.stringify({ hooks }), SESSION_FLAGS).map(
    ({ key, hash }) => [key, { trusted_hash: hash }] as const,
  );
  return [
    ...Object.entries(hooks).flatMap(([event, groups]) => ['-c', `hooks.${event}=${toml(groups)}`]),
    '-c',
    `hooks.state=${toml(Object.fromEntries(states))}`,
  ];
}

const groupOf = ({ matcher, command, timeout, statusMessage }: HookEntry) =>
  definedOnly({ matcher, hooks: [definedOnly({ type: 'command', command, timeout, statusMessage })] });

/** A value of TOML; its basic strings are written like those of JSON. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}=${toml(inner)}`);
  return `{${members.join(',')}}`;
}

/** Whether a hook of ours is in Codex's own files and trusted: it would run twice if it were also on the command line. */
async function isWiredAlready(folder: string, world: World): Promise<(entry: HookEntry) => boolean> {
  const trusted = trustIn(textIn(configFile(world)));
  const keys = new Set<string>();
  // a folder's own hooks may be off for reasons that are not known here
  const file = hooksFile('user', { ...world, cwd: folder });
  const text = textIn(file);
  for (const name of await namesOf(file)) {
    const effective = ourHooks(text, name).filter(({ key, hash }) => trusted(key) === hash);
    for (const { key } of effective) keys.add(keyAt(text, key.slice(name.length + 1)));
  }
  return (entry) => keys.has(keyOfEntry(entry));
}

/** The key of the entry at a place like `stop:0:1`. */
function keyAt(text: string, place: string): string {
  const [snake = '', group = '', handler = ''] = place.split(':');
  const root = jsonValue(text.replace(/^\ufeff/, ''));
  const hooks = isObject(root) && isObject(root.hooks) ? root.hooks : {};
  const event = Object.keys(hooks).find((name) => name.toLowerCase() === snake.replaceAll('_', '')) ?? '';
  const groups = hooks[event] as readonly { readonly hooks: readonly { readonly command: string }[] }[] | undefined;
  return hookKey(event, groups?.[Number(group)]?.hooks[Number(handler)]?.command ?? '');
}
