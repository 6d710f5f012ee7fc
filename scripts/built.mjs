// Whether dist/ is what the sources give: `npm install` builds, and `npm test` right after it need not build again.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
// outside of dist/, which is published
const record = path.join(root, 'node_modules/.cache/stopgate/built');
const FOLDERS = ['src', 'scripts', 'dist'];
const FILES = ['package.json', 'node_modules/.package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

function filesIn(folder) {
  const at = path.join(root, folder);
  if (!existsSync(at)) return [];
  const entries = readdirSync(at, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** By content, of everything that goes in and everything that came out. */
function digest() {
  const hash = createHash('sha256').update(process.version);
  const files = [...FILES.map((file) => path.join(root, file)), ...FOLDERS.flatMap(filesIn)];
  for (const file of files.toSorted()) {
    hash.update(`\0${path.relative(root, file)}\0`);
    if (existsSync(file)) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

export const isBuilt = () => existsSync(record) && readFileSync(record, 'utf8') === digest();

export function recordBuilt() {
  mkdirSync(path.dirname(record), { recursive: true });
  writeFileSync(record, digest());
}
