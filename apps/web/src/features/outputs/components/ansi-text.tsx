import { type CSSProperties, useContext } from 'react';
import { parseAnsi, type Span } from '../ansi.ts';
import { OutputsContext } from '../outputs-context.tsx';
import classes from './outputs.module.css';

const cellPlace = /In ?\[(\d+)\](?:, line (\d+))?/;

/** A terminal's text in its colours; in a traceback, cells are links. */
export function AnsiText({ text, hasLinks = false }: { text: string; hasLinks?: boolean }) {
  const { goToCell } = useContext(OutputsContext);
  return parseAnsi(text).map((span, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no names.
    <span key={index} style={styleOf(span)}>
      {hasLinks && goToCell ? <Linked text={span.text} onGo={goToCell} /> : span.text}
    </span>
  ));
}

function Linked({ text, onGo }: { text: string; onGo(count: number, line: number | null): void }) {
  const found = cellPlace.exec(text);
  if (!found) return text;
  const [words, count, line] = found;
  return (
    <>
      {text.slice(0, found.index)}
      <button type="button" className={classes.link} onClick={() => onGo(Number(count), line ? Number(line) : null)}>
        {words}
      </button>
      {text.slice(found.index + words.length)}
    </>
  );
}

/** The terminal's own colours follow the mode; others were chosen for one mode and are drawn towards the ink of this one. */
const colourOf = (colour: number | string) =>
  typeof colour === 'number' ? `var(--ansi-${colour})` : `color-mix(in srgb, ${colour} 55%, var(--ink))`;

/** A background is a tint, on which every colour can be read. */
const tintOf = (colour: number | string) =>
  `color-mix(in srgb, ${typeof colour === 'number' ? `var(--ansi-${colour})` : colour} 16%, var(--surface))`;

function styleOf(span: Span): CSSProperties {
  const style: CSSProperties = {};
  if (span.colour !== null) style.color = colourOf(span.colour);
  if (span.background !== null) style.background = tintOf(span.background);
  if (span.isBold) style.fontWeight = 650;
  if (span.isFaint) style.color ??= 'var(--ink-muted)';
  if (span.isItalic) style.fontStyle = 'italic';
  if (span.isUnderlined) style.textDecoration = 'underline';
  return style;
}
