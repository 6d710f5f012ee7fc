import { readConfig } from '../../../../stop/checks/readConfig.ts';

/** Whether the project of a folder has a check that can keep an agent from stopping. */
export async function hasBlockingCheck(folder: string): Promise<boolean> {
  const config = await readConfig(folder);
  return config.type === 'config' && config.done.checks.some(({ severity }) => severity === 'block');
}
