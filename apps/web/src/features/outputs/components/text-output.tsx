import { Button } from '@mantine/core';
import { useState } from 'react';
import { clip, hasLongLine, type Shown, shortenLines } from '../model.ts';
import { AnsiText } from './ansi-text.tsx';
import classes from './outputs.module.css';

const firstLines = 24;
const lastLines = 8;
const moreLines = 2_000;
const grouped = (number: number) => number.toLocaleString('en');

/** What was printed; of something long the beginning and the end, and the rest when asked for. */
export function TextOutput({ pieces, tone }: Extract<Shown, { kind: 'text' }>) {
  const [lines, setLines] = useState(firstLines);
  const [areWhole, setWhole] = useState(false);
  const { head, hidden, tail } = clip(pieces, lines, lastLines);
  const next = Math.min(hidden, moreLines);
  const isCut = hasLongLine(head) || hasLongLine(tail);
  return (
    <figure
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={labels[tone]}
      className={classes.text}
      data-tone={tone}
      data-open={lines > firstLines || (isCut && areWhole) || undefined}
      data-wrapped={(isCut && areWhole) || undefined}
    >
      <Block text={head} areWhole={areWhole} hasLinks={tone === 'error'} />
      {hidden > 0 && (
        <div className={classes.hidden}>
          <Button size="compact-xs" variant="default" onClick={() => setLines(lines + moreLines)}>
            {next < hidden
              ? `Show ${grouped(next)} of ${grouped(hidden)} more lines`
              : `Show ${grouped(next)} more lines`}
          </Button>
        </div>
      )}
      {tail && <Block text={tail} areWhole={areWhole} hasLinks={tone === 'error'} />}
      {isCut && (
        <div className={classes.hidden}>
          <Button size="compact-xs" variant="default" onClick={() => setWhole(!areWhole)}>
            {areWhole ? 'Truncate long lines' : 'Show full lines'}
          </Button>
        </div>
      )}
      {lines > firstLines && (
        <div className={classes.hidden}>
          <Button size="compact-xs" variant="default" onClick={() => setLines(firstLines)}>
            Show less
          </Button>
        </div>
      )}
    </figure>
  );
}

const labels = { plain: 'Output', stderr: 'Error output', error: 'Error' };
const blockLength = 16_000;

/** In parts that the browser need not lay out before they are looked at. */
function Block({ text, areWhole, hasLinks }: { text: string; areWhole: boolean; hasLinks: boolean }) {
  return (
    <pre>
      {partsOf(text).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end.
        <span key={index} className={classes.part}>
          <AnsiText text={areWhole ? part : shortenLines(part)} hasLinks={hasLinks} />
        </span>
      ))}
    </pre>
  );
}

function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.length - from > blockLength ? text.indexOf('\n', from + blockLength) + 1 : 0;
    parts.push(text.slice(from, end || undefined));
    from = end || text.length;
  }
  return parts;
}
