import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Everything from the theme's own variables, which are readable in both modes. */
const styles = {
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--primary-ink)', padding: '8px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--primary-ink)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--ink-muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--ink) 3%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--primary) 24%, transparent)',
  },
  '.cm-line::selection, .cm-line ::selection': {
    backgroundColor: 'color-mix(in srgb, var(--primary) 24%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--primary) 14%, transparent)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-tint)', outline: '1px solid var(--warning-ink)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--primary-tint)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--pressed)', outline: 'none' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--hover)', border: 'none', color: 'var(--ink-muted)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', fontFamily: 'var(--mantine-font-family)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 12px', fontSize: '13px' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--mantine-radius-sm)',
    color: 'var(--ink)',
    padding: '4px 8px',
    fontSize: '13px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--mantine-radius-sm)',
    color: 'var(--ink)',
    padding: '4px 10px',
    fontSize: '12px',
  },
  '.cm-panel button[name=close]': { color: 'var(--ink-muted)', fontSize: '18px', right: '8px', top: '8px' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', border: '1px solid var(--line)', color: 'var(--ink)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--primary-tint)', color: 'var(--ink)' },
};

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--primary-ink)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--success-ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warning-ink)' },
  { tag: [tags.comment, tags.meta], color: 'var(--ink-muted)', fontStyle: 'italic' },
  { tag: [tags.heading, tags.strong], fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--link)', textDecoration: 'underline' },
  { tag: [tags.tagName, tags.typeName, tags.className], color: 'var(--primary-ink)', fontWeight: '550' },
  { tag: [tags.attributeName, tags.definition(tags.variableName), tags.propertyName], fontWeight: '550' },
  { tag: tags.invalid, color: 'var(--danger-ink)' },
]);

export const editorTheme = (isDark: boolean): Extension => [
  EditorView.theme(styles, { dark: isDark }),
  syntaxHighlighting(colours),
];
