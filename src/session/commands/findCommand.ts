import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { splitToolList } from '../../permissions/splitToolList.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import { fieldText, frontMatterProblem, readFrontMatter } from '../frontMatter.ts';

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
  readonly trusted: boolean;
}

const MAX_BYTES = 256 * 1024;

/** The command that a prompt begins with, if a file defines it; the project's before the person's. */
export async function findCommand(prompt: string, places: CommandPlaces): Promise<FoundCommand | undefined> {
  const match = /^\/([A-Za-z0-9][\w-]*(?::[A-Za-z0-9][\w-]*)*)(?:\s+([\s\S]*))?$/.exec(prompt.trim());
  const name = match?.[1];
  if (name === undefined) return undefined;
  const args = (match?.[2] ?? '').trim();
  const sources = [
    { source: 'projectSettings', folder: path.join(places.projectDir, '.claude'), trusted: places.trusted },
    { source: 'userSettings', folder: places.userDir, trusted: true },
  ] as const;
  for (const { source, folder, trusted } of sources) {
    const skill = path.join(folder, 'skills', ...name.split(':'));
    const files = [
      { file: `${path.join(folder, 'commands', ...name.split(':'))}.md` },
      { file: path.join(skill, 'SKILL.md'), baseDir: skill },
    ];
    for (const { file, baseDir } of files) {
      const read = await readTextFile(file, MAX_BYTES);
      if (read.type === 'read')
        return { ...(await commandFrom(file, read.text, trusted)), name, args, source, ...(baseDir && { baseDir }) };
    }
  }
  return undefined;
}

async function commandFrom(file: string, text: string, trusted: boolean) {
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

async function namesIn(folder: string, ending: RegExp): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  return files.filter((file) => ending.test(file)).map((file) => file.replace(ending, '').replaceAll('/', ':'));
}
