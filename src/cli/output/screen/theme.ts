import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui';
import { terminalText } from '../../../system/terminalText.ts';
import type { Paint } from '../colors.ts';

/** The library writes escapes as they are, around text that is safe already; ours carry a mark until they are printed. */
function raw(paint: Paint, style: Parameters<Paint>[0]): (text: string) => string {
  const [open = '', close = ''] = terminalText(paint(style, '\n')).split('\n');
  return (text) => `${open}${text}${close}`;
}

function selectTheme(paint: Paint): SelectListTheme {
  return {
    selectedPrefix: raw(paint, 'cyan'),
    selectedText: raw(paint, 'cyan'),
    description: raw(paint, 'dim'),
    scrollInfo: raw(paint, 'dim'),
    noMatch: raw(paint, 'dim'),
  };
}

export const editorTheme = (paint: Paint): EditorTheme => ({
  borderColor: raw(paint, 'dim'),
  selectList: selectTheme(paint),
});

/** Only the terminal's own colors, which are readable on its background, be it light or dark. */
export function markdownTheme(paint: Paint): MarkdownTheme {
  return {
    heading: raw(paint, 'bold'),
    link: raw(paint, 'underline'),
    linkUrl: raw(paint, 'dim'),
    code: raw(paint, 'cyan'),
    codeBlock: (text) => text,
    codeBlockBorder: raw(paint, 'dim'),
    quote: raw(paint, 'italic'),
    quoteBorder: raw(paint, 'dim'),
    hr: raw(paint, 'dim'),
    listBullet: raw(paint, 'cyan'),
    bold: raw(paint, 'bold'),
    italic: raw(paint, 'italic'),
    strikethrough: raw(paint, 'strikethrough'),
    underline: raw(paint, 'underline'),
  };
}
