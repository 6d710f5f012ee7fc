/** What differs from run to run, and what stands for it. */
const VARYING = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'SESSION'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T10:00:00.000Z'],
  [/\b\d+(?:\.\d+)?m?s\b/g, '1s'],
  [/ ?\b\d{1,2}:\d\d [AP]M\b/g, ' 10:00 AM'],
  // a spinner of Claude Code, and its random word
  [/^(\s*)[·✢✳✶✻✽*] \p{Lu}[\p{L}-]+… /gmu, '$1✻ Working… '],
  [/^(\s*)[·✢✳✶✻✽*] \p{Lu}[\p{L}-]+ for /gmu, '$1✻ Worked for '],
  [/[↑↓] \d+ tokens/g, '↓ 20 tokens'],
];

/** A screen without what varies; several empty lines are one. */
export function cleaned(lines, folder) {
  const text = lines.join('\n').replaceAll('\u00a0', ' ').replaceAll(`${folder}/project`, '~/project');
  return VARYING.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), text)
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\s+$/g, '');
}

/** From the line with the prompt on: what is above it belongs to another section. */
export function since(prompt, lines) {
  const at = lines.findLastIndex((line) => line.endsWith(prompt) && /^[>❯]/.test(line));
  return at === -1 ? lines : lines.slice(at);
}

/** The last lines of a screen. */
export const lastOf = (count, lines) => lines.slice(0, lines.findLastIndex((line) => line !== '') + 1).slice(-count);
