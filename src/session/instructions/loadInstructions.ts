import { readdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../permissions/matchPath.ts';
import type { Environment } from '../../system/environment.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import { claudeConfigDir } from '../settings/settingsFiles.ts';
import { type FolderTrust, UNTRUSTED } from '../trust/folderTrust.ts';
import { importItem } from '../trust/trustItem.ts';
import { findImports, whyNotImported } from './imports.ts';
import type { InstructionFile, LoadedInstructions, PathRule } from './instructionFile.ts';
import { instructionFolders } from './instructionFolders.ts';
import { readRule } from './pathRules.ts';

export interface LoadInstructionsOptions {
  readonly cwd: string;
  /** Where the session started; `cwd` by default. */
  readonly projectDir?: string;
  readonly homeDir: string;
  readonly env: Environment;
  /** A trusted project's files may also import what was approved from the person's home folder. */
  readonly trust?: FolderTrust;
}

const MAX_FILE_BYTES = 256 * 1024;
const MAX_FILES = 100;

interface Loading {
  readonly files: InstructionFile[];
  readonly rules: PathRule[];
  readonly problems: string[];
  /** Real paths already read: nothing is loaded twice, and cycles end. */
  readonly seen: Set<string>;
  readonly homeDir: string;
  readonly trust: FolderTrust;
}

interface Wanted {
  readonly path: string;
  readonly memoryType: InstructionFile['memoryType'];
  /** Folders that the file must be in, links followed; undefined means anywhere. */
  readonly within: readonly string[] | undefined;
  readonly depth: number;
  readonly parentPath?: string;
  /** For a file of `.claude/rules`: the folder that its patterns start from. */
  readonly ruleRoot?: string;
}

/** Reads every file of instructions that holds in `cwd`; what is refused, missing or cut is a sentence. */
export async function loadInstructions(options: LoadInstructionsOptions): Promise<LoadedInstructions> {
  const homeDir = await real(options.homeDir);
  const { trust = UNTRUSTED } = options;
  const loading: Loading = { files: [], rules: [], problems: [], seen: new Set(), homeDir, trust };
  const user = join(claudeConfigDir(options), 'CLAUDE.md');
  await load({ path: user, memoryType: 'User', within: undefined, depth: 0 }, loading);
  const cwd = await real(options.cwd);
  const userRules = join(dirname(user), 'rules');
  for (const rule of await ruleFiles(userRules)) {
    // the person's own rules: their patterns start from `cwd`
    const path = join(userRules, rule);
    await load({ path, memoryType: 'User', within: undefined, depth: 0, ruleRoot: cwd }, loading);
  }
  const { folders, problems } = await instructionFolders(cwd, await real(options.projectDir ?? cwd));
  loading.problems.push(...problems);
  for (const folder of folders) await loadFolder(folder.path, [folder.root], loading);
  return { files: loading.files, rules: loading.rules, problems: loading.problems };
}

/** Reads the instructions of folders below the project, found while the session runs. */
export async function loadFolders(
  folders: readonly string[],
  facts: Pick<LoadInstructionsOptions, 'homeDir' | 'trust'> & {
    readonly projectDir: string;
    readonly loaded: ReadonlySet<string>;
  },
): Promise<LoadedInstructions> {
  const [homeDir, root] = await Promise.all([real(facts.homeDir), real(facts.projectDir)]);
  const seen = new Set(await Promise.all([...facts.loaded].map(real)));
  const { trust = UNTRUSTED } = facts;
  const loading: Loading = { files: [], rules: [], problems: [], seen, homeDir, trust };
  for (const folder of folders) await loadFolder(folder, [root], loading);
  const files = loading.files.map((file) =>
    file.loadReason === 'session_start' ? { ...file, loadReason: 'nested_traversal' as const } : file,
  );
  return { files, rules: loading.rules, problems: loading.problems };
}

/** AGENTS.md is only read in a folder without a CLAUDE.md. */
async function loadFolder(folder: string, within: readonly string[], loading: Loading): Promise<void> {
  const project = (name: string): Wanted => ({ path: join(folder, name), memoryType: 'Project', within, depth: 0 });
  const plain = await load(project('CLAUDE.md'), loading);
  const hidden = await load(project(join('.claude', 'CLAUDE.md')), loading);
  if (plain === 'missing' && hidden === 'missing') await load(project('AGENTS.md'), loading);
  for (const rule of await ruleFiles(join(folder, '.claude', 'rules'))) {
    await load({ ...project(join('.claude', 'rules', rule)), ruleRoot: folder }, loading);
  }
  await load({ ...project('CLAUDE.local.md'), memoryType: 'Local' }, loading);
}

/** Every `.md` below the folder of rules, in the order of their names; none when there is no such folder. */
async function ruleFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.md')).toSorted();
}

async function load(wanted: Wanted, loading: Loading): Promise<'missing' | 'found'> {
  const { path, memoryType, parentPath, ruleRoot } = wanted;
  const realPath = await realpath(path).catch(() => undefined);
  if (realPath === undefined) return 'missing';
  const content = await readInstructions(wanted, realPath, loading);
  if (content === undefined) return 'found';
  const rule = ruleRoot !== undefined && parentPath === undefined ? await readRule(path, content) : undefined;
  if (rule?.problem) loading.problems.push(rule.problem);
  const file = { path, memoryType, content: rule?.body ?? content };
  // a rule for some paths waits until such a file is read
  if (rule?.globs) {
    const held = { ...file, loadReason: 'path_glob_match' as const, globs: rule.globs };
    loading.rules.push({ file: held, root: ruleRoot ?? '', globs: rule.globs });
    return 'found';
  }
  if (parentPath === undefined) loading.files.push({ ...file, loadReason: 'session_start' });
  else loading.files.push({ ...file, loadReason: 'include', parentPath });
  await loadImports({ ...wanted, path: realPath }, file.content, loading);
  return 'found';
}

/** Undefined when it was read before or is not read; the reason is then a problem. */
async function readInstructions(wanted: Wanted, realPath: string, loading: Loading): Promise<string | undefined> {
  if (loading.seen.has(realPath)) return undefined;
  const name = `${wanted.path}${imported(wanted.parentPath)}`;
  const refuse = (why: string) => {
    loading.problems.push(`${name} is not read: ${why}.`);
    return undefined;
  };
  const refused = whyNotImported({ ...wanted, realPath, whyNot: whyNotFromHome(realPath, loading) });
  if (refused !== undefined) return refuse(refused);
  loading.seen.add(realPath);
  if (loading.files.length >= MAX_FILES) return refuse(`there are more than ${MAX_FILES} files of instructions`);
  // the real path, so that a link cannot change after the decision
  const file = await readTextFile(realPath, MAX_FILE_BYTES);
  if (file.type !== 'read') return refuse(file.type === 'missing' ? 'it is gone' : file.message);
  if (file.text.includes('\0')) return refuse('it is not text');
  if (file.cut) {
    const read = `${MAX_FILE_BYTES / 1024} KB of ${Math.ceil(file.bytes / 1024)} KB`;
    loading.problems.push(`${name} is long: only the first ${read} are read; shorten it or split it.`);
  }
  return file.text.trim();
}

const ONLY_HOME = 'a project may import only its own files and yours';

function whyNotFromHome(realPath: string, { trust, homeDir }: Loading): string | null {
  if (trust.level === 'none') return 'only a trusted project may import from elsewhere';
  return isInside(realPath, [homeDir]) ? trust.whyNot(importItem(realPath)) : ONLY_HOME;
}

async function loadImports(parent: Wanted, content: string, loading: Loading): Promise<void> {
  for (const written of findImports(content)) {
    const path = resolve(dirname(parent.path), written.replace(/^~(?=\/|$)/, loading.homeDir));
    const outcome = await load({ ...parent, path, parentPath: parent.path, depth: parent.depth + 1 }, loading);
    // `@someone` and `@scope/package` are not imports; a name that ends like a document is one
    if (outcome === 'missing' && /\.(?:md|mdx|txt)$/i.test(written)) {
      loading.problems.push(`${path}${imported(parent.path)} does not exist.`);
    }
  }
}

function imported(parentPath: string | undefined): string {
  return parentPath === undefined ? '' : ` (imported by ${parentPath})`;
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
