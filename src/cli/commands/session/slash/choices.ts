import { PERMISSION_MODES } from '../../../../permissions/types.ts';
import type { SessionControls } from '../sessionControls.ts';

export function chooseModel(session: SessionControls, name: string): void {
  const { choices, paint } = session;
  if (name === '') {
    session.print([`The model is ${choices.model?.id ?? 'not known yet'}; /model NAME changes it.`]);
    return;
  }
  const resolved = session.opened.gathered.resolveModel(name);
  if (resolved.type === 'ok') choices.model = resolved.model;
  session.print([
    resolved.type === 'ok' ? `From the next prompt on: ${resolved.model.id}.` : paint('red', resolved.message),
  ]);
}

export function chooseMode(session: SessionControls, text: string): void {
  const { choices } = session;
  const mode = choices.chooseMode(text);
  const known = PERMISSION_MODES.join(', ');
  session.print([
    mode === undefined ? `The mode is ${choices.mode}; /mode NAME changes it (${known}).` : `From now on: ${mode}.`,
  ]);
}

export function showRules(session: SessionControls): void {
  const { choices } = session;
  const { allow, ask, deny } = choices.permissions?.rules ?? { allow: [], ask: [], deny: [] };
  const list = (name: string, rules: readonly string[]) =>
    `  ${name}: ${rules.length === 0 ? 'none' : rules.join(', ')}`;
  session.print([`mode: ${choices.mode}`, list('allow', allow), list('ask', ask), list('deny', deny)]);
}
