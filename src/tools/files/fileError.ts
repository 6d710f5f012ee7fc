import { ownValue } from '../../system/ownValue.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'access is not permitted',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the device has no space left',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
};

/** One sentence for a file system error. */
export function describeFileError(action: string, path: string, error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  return `Could not ${action} ${path}: ${ownValue(SENTENCES, code) ?? message}.`;
}
