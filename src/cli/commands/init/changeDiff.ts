import { textOf } from '../../../hosts/settings/fileState.ts';
import type { SettingsChange } from '../../../hosts/settings/holdSettings.ts';
import type { Paint } from '../../output/colors.ts';
import { unifiedDiff } from '../../output/unifiedDiff.ts';
import { visibleText } from '../../output/visibleText.ts';

/** The diff of a settings file; control characters in it are made visible. */
export function changeDiff(
  { file, before, after }: Pick<SettingsChange, 'file' | 'before' | 'after'>,
  paint: Paint,
): string {
  const side = (state: SettingsChange['before']) =>
    state.type === 'absent' ? null : visibleText(textOf(state) ?? '(not text)\n');
  return unifiedDiff({ name: file, before: side(before), after: side(after) }, paint);
}
