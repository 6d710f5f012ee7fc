import { link, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProposedCheck } from './proposeChecks.ts';

export const CONFIG_NAME = 'stopgate.config.json';

export const configFile = (folder: string): string => path.join(folder, CONFIG_NAME);

export function configText(checks: readonly ProposedCheck[]): string {
  const lines = checks.map((check) => {
    const members = Object.entries(check).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
    return `    { ${members.join(', ')} }`;
  });
  return `{\n  "checks": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** False when the file exists by now: a hard link creates it completely and never replaces another. */
export async function writeConfig(folder: string, text: string): Promise<boolean> {
  const beside = path.join(folder, `.${CONFIG_NAME}.${process.pid}.tmp`);
  try {
    // never write through a link that was placed under this name
    await rm(beside, { force: true });
    await writeFile(beside, text, { flush: true, flag: 'wx' });
    await link(beside, configFile(folder));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}
