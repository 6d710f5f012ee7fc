import { SECTIONS } from './sections.mjs';
import { COLUMNS, ROWS } from './tmux.mjs';

/** Above it the guide, written by hand; below it the screens. */
export const MARK = '<!-- Below this line: written by scripts/terminal-screens.mjs -->';

const NAMES = { stopgate: 'Stopgate', claudeCode: 'Claude Code' };

/** The part of the document below the guide. */
export function describeScreens(screens, versions) {
  const date = new Date().toISOString().slice(0, 10);
  const sections = Object.entries(SECTIONS).map(([name, { title, look }]) => {
    const blocks = Object.entries(NAMES).map(
      ([key, program]) => `${program}:\n\n\`\`\`text\n${screens[key][name]}\n\`\`\`\n`,
    );
    return `### ${title}\n\n${look}\n\n${blocks.join('\n')}`;
  });
  return `${MARK}

## Screens, beside Claude Code's

${versions}, ${COLUMNS} columns and ${ROWS} rows, on ${date}, with a model on loopback that gives both the same answers. Made by
\`node scripts/terminal-screens.mjs\`; with \`--check\` it compares Stopgate's screens with this file. Times, ids, paths and spinner words
are replaced, several empty lines are one, and most screens begin at the prompt.

${sections.join('\n')}`;
}

/** The screens of a document, by section and program. */
export function screensIn(document) {
  const parts = (document.split(MARK)[1] ?? '').split(/^### /m).slice(1);
  const found = parts.map((part) => {
    const name = Object.keys(SECTIONS).find((one) => part.startsWith(`${SECTIONS[one].title}\n`));
    const screens = Object.entries(NAMES).map(([key, program]) => {
      const [, rest = ''] = part.split(`\n${program}:\n\n\`\`\`text\n`);
      return [key, rest.split('\n```\n')[0]];
    });
    return [name, Object.fromEntries(screens)];
  });
  return Object.fromEntries(found);
}

/** A sentence for each fact that a screen does not show, of the programs and sections that are given. */
export function whyNotTrue(screens) {
  return Object.entries(screens).flatMap(([key, sections]) =>
    Object.entries(sections).flatMap(([name, screen]) =>
      SECTIONS[name].facts[key]
        .filter((pattern) => !pattern.test(screen))
        .map((pattern) => `${SECTIONS[name].title} (${NAMES[key]}): ${pattern} is not on this screen:\n${screen}`),
    ),
  );
}
