import path from 'node:path';

/** Whether a config.toml switches hooks off, in any of the ways to write that. */
export function switchesHooksOff(config: string): boolean {
  const [top = ''] = config.split(/^[ \t]*\[/m);
  return (
    /^[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(sectionOf(config, 'features')) ||
    /^[ \t]*features[ \t]*\.[ \t]*(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(top) ||
    /^[ \t]*features[ \t]*=[ \t]*\{[^}\n]*\b(?:codex_)?hooks[ \t]*=[ \t]*false\b/m.test(top)
  );
}

/** What the user's config.toml says about a folder itself. */
export function trustLevel(config: string, folder: string): string | undefined {
  const section = sectionOf(config, `projects.${JSON.stringify(path.resolve(folder))}`);
  return /^[ \t]*trust_level[ \t]*=[ \t]*["'](\w+)/m.exec(section)?.[1];
}

/** The folder and those above it, as Codex looks for settings of a project; the nearest first. */
export function foldersUp(folder: string): readonly string[] {
  const at = path.resolve(folder);
  const parent = path.dirname(at);
  return parent === at ? [at] : [at, ...foldersUp(parent)];
}

/** The lines of a table of TOML. */
function sectionOf(text: string, name: string): string {
  const [, ...tables] = text.split(/^[ \t]*\[/m);
  return tables
    .filter((table) => table.trimStart().startsWith(name) && /^[ \t]*\]/.test(table.trimStart().slice(name.length)))
    .join('\n');
}
