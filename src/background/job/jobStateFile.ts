import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type JobState, jobState } from '../../schemas/jobState.ts';
import { readJsonFile } from '../../schemas/jsonFile.ts';
import { writeFileAtomically } from '../../system/atomicFile.ts';

const jobStateFile = (jobDir: string): string => path.join(jobDir, 'state.json');

export async function writeJobState(jobDir: string, state: JobState): Promise<void> {
  await mkdir(jobDir, { recursive: true, mode: 0o700 });
  await writeFileAtomically(jobStateFile(jobDir), `${JSON.stringify(state, null, 2)}\n`);
}

export interface FoundJob extends JobState {
  readonly jobDir: string;
}

/** The jobs of a directory, which is a job directory or a folder of them. */
export async function readJobs(jobDir: string): Promise<readonly FoundJob[]> {
  const entries = await readdir(jobDir, { withFileTypes: true }).catch(() => []);
  const folders = [jobDir, ...entries.filter((e) => e.isDirectory()).map(({ name }) => path.join(jobDir, name))];
  const found = await Promise.all(
    folders.map(async (folder): Promise<FoundJob[]> => {
      const job = await readJsonFile(jobStateFile(folder), jobState);
      return job ? [{ ...job, jobDir: folder }] : [];
    }),
  );
  return found.flat();
}
