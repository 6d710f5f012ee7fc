import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { splitToolList } from '../../permissions/splitToolList.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import { fieldText, frontMatterProblem, readFrontMatter } from '../frontMatter.ts';
import { type FolderTrust, TRUSTED } from '../trust/folderTrust.ts';
import { commandItem } from '../trust/trustItem.ts';
import { commandParts } from './fillArguments.ts';

/** A slash command or a skill, found by the first word of a prompt. */
export interface FoundCommand {
  readonly name: string;
  readonly args: string;
  /** As UserPromptExpansion hooks see it. */
  readonly source: 'projectSettings' | 'userSettings';
  readonly text: string;
  /** The folder of a skill. */
  readonly baseDir?: string;
  /** Names of the words after it. */
  readonly argumentNames: readonly string[];
  /** Tools it may use without permission; empty for a project that is not trusted. */
  readonly allowedTools: readonly string[];
  readonly model?: string;
  /** Whether its `!` commands may run. */
  readonly trusted: boolean;
  /** One sentence about a front matter that cannot be read. */
  readonly problem?: string;
}

export interface CommandPlaces {
  readonly projectDir: string;
  /** Claude Code's folder in the person's home. */
  readonly userDir: string;
  readonly trust: FolderTrust;
}

const MAX_BYTES = 256 * 1024;

/** The command that a prompt begins with, if a file defines it; the project's before the person's. */
export async function findCommand(prompt: string, places: CommandPlaces): Promise<FoundCommand | undefined> {
  const match = /^\/([A-Za-z0-9][\w-]*(?::[A-Za-z0-9][\w-]*)*)(?:\s+([\s\S]*))?$/.exec(prompt.trim());
  const name = match?.[1];
  if (name === undefined) return undefined;
  const args = (match?.[2] ?? '').trim();
  const sources = [
    { source: 'projectSettings', folder: path.join(places.projectDir, '.claude'), trust: places.trust },
    { source: 'userSettings', folder: places.userDir, trust: TRUSTED },
  ] as const;
  for (const { source, folder, trust } of sources) {
    const skill = path.join(folder, 'skills', ...name.split(':'));
    const files = [
      { file: `${path.join(folder, 'commands', ...name.split(':'))}.md` },
      { file: path.join(skill, 'SKILL.md'), baseDir: skill },
    ];
    for (const { file, baseDir } of files) {
      const read = await readTextFile(file, MAX_BYTES);
      if (read.type === 'read') {
        const whyNot = trust.whyNot(commandItem(path.relative(places.projectDir, file), read.text));
        const found = await commandFrom(file, read.text, whyNot);
        const isChanged = trust.level === 'content' && whyNot !== null && grantsOf(read.text, found.text).length > 0;
        const problem = found.problem ?? (isChanged ? grantsNothing(file, whyNot) : null);
        return { ...found, name, args, source, ...(baseDir && { baseDir }), ...(problem !== null && { problem }) };
      }
    }
  }
  return undefined;
}

const grantsNothing = (file: string, whyNot: string) =>
  `${file}: its commands do not run and it grants no tools: ${whyNot}.`;

async function commandFrom(file: string, text: string, whyNot: string | null) {
  const trusted = whyNot === null;
  const { fields, body, problem } = await readFrontMatter(text);
  const model = fieldText(fields.model);
  return {
    text: body.trim(),
    argumentNames: (fieldText(fields.arguments) ?? '').split(/[\s,]+/).filter(Boolean),
    allowedTools: trusted ? splitToolList(fieldText(fields['allowed-tools']) ?? '') : [],
    ...(model && model !== 'inherit' ? { model } : {}),
    trusted,
    ...(problem && { problem: frontMatterProblem(file, problem, 'the command runs without it') }),
  };
}

const shellParts = (body: string) => commandParts(body, '').filter((part) => part.type === 'shell');

/** What a command may do only with trust: what it runs, the tools it grants, the files it shows. */
function grantsOf(text: string, body: string): readonly string[] {
  const [, tools] = /^allowed-tools:[ \t]*(.+)$/m.exec(text.slice(0, text.length - body.length)) ?? [];
  const runs = shellParts(body).map(({ written }) => written);
  const shows = [...body.matchAll(/(?<=^|\s)@[^\s`@]+/g)].map(([name]) => name);
  return [...(tools ? [`allowed-tools: ${tools}`] : []), ...runs, ...shows];
}

export interface ProjectCommand {
  /** `/NAME`. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly grants: readonly string[];
  /** Its shell commands. */
  readonly runs: readonly string[];
}

/** The slash commands and skills of a project that do something only with trust. */
export async function projectCommands(projectDir: string): Promise<readonly ProjectCommand[]> {
  const folder = path.join(projectDir, '.claude');
  const filesOf = async (kind: string, ending: RegExp) =>
    (await filesIn(path.join(folder, kind), ending)).map((file) => ({
      name: `/${commandName(file, ending)}`,
      file: path.join(folder, kind, file),
    }));
  const files = await Promise.all([filesOf('commands', /\.md$/), filesOf('skills', /\/SKILL\.md$/)]);
  const found: ProjectCommand[] = [];
  for (const { name, file } of files.flat()) {
    const read = await readTextFile(file, MAX_BYTES);
    if (read.type !== 'read') continue;
    const { text: body } = await commandFrom(file, read.text, null);
    const grants = grantsOf(read.text, body);
    const runs = shellParts(body).map(({ command }) => command);
    if (grants.length > 0) found.push({ name, file, text: read.text, grants, runs });
  }
  return found;
}

/**
 * The names of all slash commands that files define, skills among them, and of all skills, sorted; a folder in a name is
 * `folder:command`.
 */
export async function listCommands(places: Pick<CommandPlaces, 'projectDir' | 'userDir'>) {
  const folders = [path.join(places.projectDir, '.claude'), places.userDir];
  const [commands, skills] = await Promise.all([
    Promise.all(folders.map((folder) => namesIn(path.join(folder, 'commands'), /\.md$/))),
    Promise.all(folders.map((folder) => namesIn(path.join(folder, 'skills'), /\/SKILL\.md$/))),
  ]);
  return { commands: sorted([...commands.flat(), ...skills.flat()]), skills: sorted(skills.flat()) };
}

const sorted = (names: readonly string[]) => [...new Set(names)].sort();

const namesIn = async (folder: string, ending: RegExp): Promise<readonly string[]> =>
  (await filesIn(folder, ending)).map((file) => commandName(file, ending));

const commandName = (file: string, ending: RegExp) => file.replace(ending, '').replaceAll('/', ':');

async function filesIn(folder: string, ending: RegExp): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  return files.filter((file) => ending.test(file));
}
