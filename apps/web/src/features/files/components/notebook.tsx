import { useMemo } from 'react';
import { Markdown } from '../../../ui/markdown.tsx';
import { type NotebookCell, type NotebookOutput, parseNotebook } from '../notebook-model.ts';
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
      {outputs.map((output, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <div key={index} className={classes.output}>
          <Output output={output} />
        </div>
      ))}
    </div>
  );
}

function Output({ output }: { output: NotebookOutput }) {
  if (output.kind === 'image') return <img src={output.address} alt="Output of the cell" />;
  if (output.kind === 'html') {
    return <iframe title="Output of the cell" sandbox="allow-scripts" srcDoc={output.html} loading="lazy" />;
  }
  return <Scrolling text={output.text} label="Output" isError={output.isError} />;
}

function Scrolling({ text, label, isError }: { text: string; label: string; isError?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, also by keyboard.
    <section tabIndex={0} aria-label={label} className={classes.scrolling}>
      <pre data-error={isError || undefined}>{text}</pre>
    </section>
  );
}
