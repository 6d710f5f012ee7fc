import { constants, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Filters } from '../filters.ts';
import { type Git, type GitFailure, readLines } from '../git.ts';
import type { IndexScope } from '../privateIndex.ts';
import { absolutePath } from '../quotedPath.ts';
import type { WorkTree } from '../workTree.ts';
import { attributesOf, conversionOf, type FileConversion, hasAttributes, lineEndSettings } from './attributes.ts';
import { type Conversion, isAsCheckedOut, objectId, type StoredFile } from './checkedOut.ts';
import { unlikeFiltered } from './unlikeFiltered.ts';

export interface UnlikeRequest {
  readonly workTree: WorkTree;
  /** A copy of the index, in which all files but `changed` are as in HEAD. */
  readonly scope: IndexScope;
  /** Files that git lists as changed, whose bytes are always kept. */
  readonly changed: ReadonlySet<string>;
  readonly filters: Filters;
}

export interface Unlike {
  readonly type: 'unlike';
  /** Files whose bytes are neither committed nor what a checkout would write. */
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

/** A tracked file with the object that the index names for it. */
export interface IndexedFile {
  readonly path: string;
  readonly object: string;
}

const NONE: Unlike = { type: 'unlike', paths: [], notes: [] };
const FILES_IN_A_ROW = 64;

/**
 * Files that git considers unchanged because it compares them after conversion (line ends, `$Id$`, filters), although a
 * checkout would write other bytes. Reads every file that is converted; without attributes, none.
 */
export async function unlikeCheckout(git: Git, request: UnlikeRequest): Promise<Unlike | GitFailure> {
  const { scope, changed } = request;
  const settings = await lineEndSettings(git, scope.topLevel);
  const isPlain = settings.autocrlf !== 'true' && settings.autocrlf !== 'input';
  if (isPlain && !(await hasAttributes(git, scope.topLevel, changed))) return NONE;
  const files = await unchangedFiles(git, scope, changed);
  if (!Array.isArray(files)) return files;
  const attributes = await attributesOf(
    git,
    scope.topLevel,
    files.map(({ path }) => path),
  );
  if ('type' in attributes) return attributes;
  const converted = files.flatMap((file) => {
    const conversion = conversionOf(attributes.get(file.path) ?? new Map(), settings);
    return conversion === undefined ? [] : [{ file, conversion }];
  });
  return await sortOut(git, request, converted);
}

interface Converted {
  readonly file: IndexedFile;
  readonly conversion: FileConversion;
}

async function sortOut(git: Git, request: UnlikeRequest, all: readonly Converted[]): Promise<Unlike> {
  const paths: string[] = [];
  const filtered: { readonly file: IndexedFile; readonly filter: string | undefined }[] = [];
  for (const [index, { file, conversion }] of all.entries()) {
    if (conversion.type === 'other') {
      filtered.push({ file, filter: conversion.filter });
      continue;
    }
    if (index % FILES_IN_A_ROW === 0) await setImmediate();
    const bytes = readNow(absolutePath(request.scope.topLevel, file.path));
    // gone or unreadable by now, and git did not list it as changed
    if (bytes === undefined || isCommitted({ bytes, object: file.object }, conversion)) continue;
    paths.push(file.path);
  }
  const more = await unlikeFiltered(git, request, filtered);
  const note = paths.length + more.paths.length > 0 ? [onlyConverted(paths.length + more.paths.length)] : [];
  return { type: 'unlike', paths: [...paths, ...more.paths], notes: [...note, ...more.notes] };
}

/** Committed bytes cannot be lost, even where a checkout would write others. */
const isCommitted = (file: StoredFile, conversion: Conversion) =>
  objectId(file.bytes, file.object) === file.object || isAsCheckedOut(file, conversion);

/** Synchronous: 20,000 small files take a third of a second, and seconds with promises. */
function readNow(path: Buffer): Buffer | undefined {
  try {
    // opening a pipe would otherwise wait for a writer
    return readFileSync(path, { flag: constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW });
  } catch {
    return undefined;
  }
}

const onlyConverted = (count: number) =>
  `${count} ${count === 1 ? 'file differs' : 'files differ'} only in what git converts (line ends, $Id$, filters), so git status does not show ${count === 1 ? 'it' : 'them'}`;

async function unchangedFiles(
  git: Git,
  { topLevel: folder, indexFile }: IndexScope,
  changed: ReadonlySet<string>,
): Promise<IndexedFile[] | GitFailure> {
  return readLines(git, { folder, args: ['ls-files', '--stage'], indexFile }, (line) => {
    const [, object = '', path = ''] = /^100\d{3} (\w+) 0\t(.*)$/.exec(line) ?? [];
    return path === '' || changed.has(path) ? undefined : { path, object };
  });
}
