const FILE_LINE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm;

/** The files that a patch of OpenAI's form changes. Agents get it as a tool's input, or as the input of a command. */
export const patchPaths = (text: string): readonly string[] =>
  text.includes('*** Begin Patch') ? [...text.matchAll(FILE_LINE)].map(([, file = '']) => file) : [];
