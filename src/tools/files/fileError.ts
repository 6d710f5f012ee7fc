import { ownValue } from '../../system/ownValue.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'access is not permitted',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left on the device',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links lead in a circle',
};

/** One sentence for a failure of the file system. */
export function describeFileError(doing: string, path: string, error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  return `Could not ${doing} ${path}: ${ownValue(SENTENCES, code) ?? message}.`;
}
