import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readTextFile } from '../../../../system/readTextFile.ts';
import { textPanel } from '../../../output/screen/panels/textPanel.ts';
import type { SessionControls } from '../sessionControls.ts';

const MAX_BYTES = 100_000;

export async function showMemory({ view, paint }: SessionControls, folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).sort();
  const files = await Promise.all(names.map((name) => readTextFile(path.join(folder, name), MAX_BYTES)));
  const texts = files.flatMap((read, index) =>
    read.type === 'read' ? [`── ${names[index]}`, ...read.text.trimEnd().split('\n'), ''] : [],
  );
  const lines = texts.length === 0 ? [`Nothing is remembered of this project (${folder}).`] : [folder, '', ...texts];
  const close = view.show(textPanel({ title: 'Memory', text: () => lines, paint, close: () => close() }));
}
