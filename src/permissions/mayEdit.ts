import { ownValue } from '../system/ownValue.ts';
import { starPattern } from '../system/starPattern.ts';
import { parseRule } from './parseRule.ts';
import { namesIn, sameRow } from './shell/sameRow.ts';

export interface EditFacts {
  /** A permission mode of ours or of another host. */
  readonly mode: string;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

const EDITORS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];
const EDITING_MODES: ReadonlySet<string> = new Set(['acceptEdits', 'bypassPermissions', 'auto']);

/**
 * Whether a headless agent was given the permission to change files: by its mode, or by a rule for an editing tool, for
 * commands that can change any file, or for an MCP tool that writes. A rule for one command (`Bash(npm test)`) is none.
 */
export function mayEdit({ mode, allow, deny }: EditFacts): boolean {
  const denied = new Set(deny.flatMap((text) => unlimitedTool(text) ?? []));
  const isOffered = (name: string) => !denied.has(name);
  if (EDITING_MODES.has(mode) && EDITORS.some(isOffered)) return true;
  if (mode === 'bypassPermissions' && isOffered('Bash')) return true;
  return allow.some((text) => {
    const { toolName = '', content } = parseRule(text).rule ?? {};
    if (!isOffered(toolName)) return false;
    return EDITORS.includes(toolName) || (toolName === 'Bash' ? editsByCommand(content) : editsByMcp(toolName));
  });
}

function unlimitedTool(text: string): string | undefined {
  const { rule } = parseRule(text);
  return rule?.content === undefined ? rule?.toolName : undefined;
}

/** Change files whatever their arguments are. */
const WRITERS = namesIn(
  'mv cp rm rmdir ln mkdir touch rsync install dd truncate tee sponge patch ed ex vi vim nvim nano emacs unzip',
);
/** Run what their arguments say: only a rule that leaves these open is one for any file. */
const RUNNERS = namesIn(
  'python python2 python3 pypy pypy3 ipython node nodejs deno bun ruby perl php lua luajit Rscript julia tsx ts-node osascript bash sh zsh dash ksh fish env xargs parallel sudo doas eval exec command nohup nice time timeout watch script npx bunx uvx pipx sed git npm pnpm yarn uv poetry pipenv pdm hatch bundle docker podman ssh',
);
/** Of these, first arguments after which anything may stand, or with which they write. */
const OPEN_ARGUMENTS: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*i.*|--in-place.*)$/,
  git: /^(?:apply|am|checkout|switch|restore|reset|stash|merge|rebase|pull|cherry-pick|revert|rm|mv|clean)$/,
  npm: /^(?:exec|x|run|run-script|install|i|add|remove|rm|uninstall|update|init|create|pkg)$/,
  pnpm: /^(?:exec|dlx|run|install|i|add|remove|rm|update|create)$/,
  yarn: /^(?:exec|dlx|run|install|add|remove|upgrade|create)$/,
  bun: /^(?:x|run|install|i|add|remove|update|create|-e|--eval)$/,
  uv: /^(?:run|tool|add|remove|sync)$/,
  ...sameRow('poetry pdm', /^(?:run|add|remove)$/),
  pipenv: /^(?:run|install|uninstall)$/,
  ...sameRow('pipx hatch', /^run$/),
  bundle: /^(?:exec|add|update)$/,
  ...sameRow('docker podman', /^(?:run|exec|compose)$/),
  deno: /^(?:run|eval|fmt)$/,
};
/** For every other runner: its argument is a program text. */
const CODE_OPTION = /^(?:-[a-zA-Z]*[cepin]|--(?:eval|print|command))$/;
/** Options of an editing git command or a manager's `run` narrow it: `npm run test *` is one script. */
const NARROWED_BY_NEXT = /^(?:run|run-script|exec|x|dlx|tool|compose)$/;

/** `content` is what stands in the parentheses of `Bash(…)`. */
function editsByCommand(content: string | undefined): boolean {
  if (content === undefined) return true;
  const written = content.replace(/:\*$/, ' *').trim();
  if (!written.includes('*')) return false;
  const [program = '', ...args] = written.split(/\s+/).filter((word) => !/^\w+=/.test(word));
  const expression = starPattern(program.slice(program.lastIndexOf('/') + 1));
  // a name in a rule may itself have a wildcard: `py*`
  const fits = (name: string) => expression.test(name);
  if (WRITERS.values().some(fits)) return true;
  return RUNNERS.values()
    .filter(fits)
    .some((name) => isOpen(name, args));
}

function isOpen(name: string, args: readonly string[]): boolean {
  const [first = '*', next = '*'] = args;
  if (first.includes('*')) return true;
  const open = ownValue(OPEN_ARGUMENTS, name);
  if (open === undefined) return CODE_OPTION.test(first);
  return open.test(first) && (!NARROWED_BY_NEXT.test(first) || next.includes('*'));
}

const MCP = /^mcp__(.+?)(?:__(.*))?$/;
const MCP_RUNS = /(?:^|_)(?:exec|execute|run|shell|bash|terminal|command|eval)/;
const MCP_VERB =
  /(?:^|_)(?:write|edit|create|update|delete|remove|move|rename|copy|patch|apply|insert|replace|append|save|put|push|modify|set|format)(?:_|$)/;
/** A tool that creates an issue changes no file here. */
const MCP_OBJECT =
  /(?:^|_)(?:files?|dir|directory|directories|folders?|paths?|text|contents?|symbols?|lines?|regex|blocks?|code|notebooks?|cells?|buffers?|patch|diff|body|workspace)(?:_|$)/;
/** Servers whose tools are allowed as a whole, by what they are called. */
const MCP_FILE_SERVER =
  /(?:^|[-_])(?:files?|filesystem|fs|editor|serena|(?:desktop-?)?commander|shell|terminal|workspace|git|ide|vscode)(?:$|[-_])/i;

function editsByMcp(toolName: string): boolean {
  const [, server, tool = '*'] = MCP.exec(toolName) ?? [];
  if (server === undefined) return false;
  if (tool === '' || tool === '*') return MCP_FILE_SERVER.test(server);
  const name = tool
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[-.]/g, '_')
    .toLowerCase();
  if (MCP_RUNS.test(name)) return true;
  const isVerbAlone = !name.replaceAll('*', '').includes('_');
  return MCP_VERB.test(name.replaceAll('*', '_')) && (isVerbAlone || MCP_OBJECT.test(name));
}
