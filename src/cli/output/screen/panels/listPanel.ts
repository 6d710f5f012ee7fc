import { fuzzyFilter, truncateToWidth } from '@earendil-works/pi-tui';
import { terminalText } from '../../../../system/terminalText.ts';
import type { Paint } from '../../colors.ts';
import { isCharacter, isKey, type KeyName } from '../keys.ts';
import type { Panel } from './panel.ts';

export interface ListItem {
  readonly label: string;
  /** Shown dimmed after it. */
  readonly detail?: string;
}

interface ListAction<Item> {
  readonly key: KeyName;
  readonly label: string;
  run(item: Item): void;
}

interface ListOptions<Item extends ListItem> {
  readonly title: string;
  /** Read again at each frame. */
  readonly items: () => readonly Item[];
  readonly paint: Paint;
  /** The first one is enter's. */
  readonly actions: readonly ListAction<NoInfer<Item>>[];
  readonly filter?: string;
  close(): void;
}

const MOST_ROWS = 10;

/** A list to choose from: arrows or a number choose, typing filters. */
export function listPanel<Item extends ListItem>({
  title,
  items,
  paint,
  actions,
  close,
  filter: given = '',
}: ListOptions<Item>): Panel {
  let filter = given;
  let at = 0;
  const matching = () => (filter === '' ? [...items()] : fuzzyFilter([...items()], filter, ({ label }) => label));
  const chosen = () => matching()[at];
  const move = (by: number) => {
    at = Math.max(0, Math.min(matching().length - 1, at + by));
  };
  return {
    lines: ({ width, height }) => {
      const all = matching();
      const rows = Math.max(1, Math.min(MOST_ROWS, height - 4));
      const first = Math.max(0, Math.min(at - Math.floor(rows / 2), all.length - rows));
      const line = ({ label, detail = '' }: Item, index: number) => {
        const number = index < 9 ? String(index + 1) : ' ';
        const text = `${number}  ${label}${detail === '' ? '' : paint('dim', ` · ${detail}`)}`;
        return index === at ? paint('cyan', `> ${text}`) : `  ${text}`;
      };
      const keys = [...actions.map(({ key, label }) => `${key} ${label}`), 'type to filter', 'esc closes'];
      const lines = [
        paint('bold', filter === '' ? title : `${title} [${filter}]`),
        ...(all.length === 0 ? [paint('dim', '  nothing matches')] : []),
        ...all.slice(first, first + rows).map((item, index) => line(item, first + index)),
        paint('dim', `${keys.join(' · ')}${all.length > rows ? ` · ${all.length} in all` : ''}`),
      ];
      return lines.map((one) => truncateToWidth(terminalText(one), width));
    },
    key: (data) => {
      const action = actions.find(({ key }) => isKey(data, key));
      const item = chosen();
      if (action !== undefined && item !== undefined) action.run(item);
      else if (isKey(data, 'escape')) close();
      else if (isKey(data, 'up')) move(-1);
      else if (isKey(data, 'down')) move(1);
      else if (isKey(data, 'backspace')) filter = filter.slice(0, -1);
      else if (filter === '' && /^[1-9]$/.test(data)) {
        const numbered = matching()[Number(data) - 1];
        if (numbered !== undefined) actions[0]?.run(numbered);
      } else if (isCharacter(data)) {
        filter += data;
        at = 0;
      }
      return true;
    },
  };
}
