/** Where an entry is, the one that answers first. A launch brings entries of its own. */
export type EntrySource = 'user' | 'launch' | 'project';

/** The option of an entry that names its source; those of Claude Code have none. */
export const FROM = '--from';
