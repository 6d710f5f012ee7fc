import type { BrokenSettings } from './settingsDocument.ts';

export type SettingsEdit = { readonly type: 'edited'; readonly text: string } | BrokenSettings;

/** The mark some editors begin a file with, and the rest. */
export function withoutBom(text: string): readonly [bom: string, body: string] {
  return text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text];
}

/** A file that was made but never filled counts as one without settings. */
export const isBlank = (body: string): boolean => body.trim() === '';
