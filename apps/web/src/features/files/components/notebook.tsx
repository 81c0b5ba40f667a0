import { useMemo } from 'react';
import { Markdown } from '../../../ui/markdown.tsx';
import { Outputs } from '../../outputs/components/outputs.tsx';
import { type NotebookCell, parseNotebook } from '../notebook-model.ts';
import { PageNotice } from './page-notice.tsx';
import classes from './preview.module.css';

/** A notebook to read: its cells and what they last showed. */
export function Notebook({ text }: { text: string }) {
  const cells = useMemo(() => parseNotebook(text), [text]);
  if (!cells) return <PageNotice title="This is not a notebook">Open it as code to see what is in it.</PageNotice>;
  if (!cells.some(({ source }) => source.trim())) {
    return <PageNotice title="An empty notebook">Its cells have nothing in them yet.</PageNotice>;
  }
  // biome-ignore lint/suspicious/noArrayIndexKey: the cells are only read, in their order.
  return cells.map((cell, index) => <Cell key={index} {...cell} />);
}

function Cell({ kind, source, count, outputs }: NotebookCell) {
  if (kind === 'markdown') {
    return (
      <div className={classes.cell}>
        <Markdown text={source} />
      </div>
    );
  }
  return (
    <div className={classes.cell}>
      <div className={classes.code}>
        {count !== null && <span className={classes.count}>{count}</span>}
        <Scrolling text={source} label="Code" />
      </div>
      <Outputs outputs={outputs} />
    </div>
  );
}

function Scrolling({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, also by keyboard.
    <figure tabIndex={0} aria-label={label} className={classes.scrolling}>
      <pre>{text}</pre>
    </figure>
  );
}
