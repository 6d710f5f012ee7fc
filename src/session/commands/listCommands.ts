import { readdir } from 'node:fs/promises';
import path from 'node:path';

export interface CommandNames {
  /** Slash commands; skills are among them. */
  readonly commands: readonly string[];
  readonly skills: readonly string[];
}

/** The names of all slash commands and skills that files define, sorted; a folder in a name is `folder:command`. */
export async function listCommands(places: {
  readonly projectDir: string;
  readonly userDir: string;
}): Promise<CommandNames> {
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
