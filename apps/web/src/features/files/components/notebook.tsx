import { useMemo } from 'react';
import { Markdown } from '../../../ui/markdown.tsx';
import { useMode, useTheme } from '../../../ui/theme-context.tsx';
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
    return <HtmlOutput html={output.html} />;
  }
  return <Scrolling text={output.text} label="Output" isError={output.isError} />;
}

/** In a frame of its own that may do nothing; its height can only be guessed from outside. */
function HtmlOutput({ html }: { html: string }) {
  const theme = useTheme();
  const { text, surface, border } = theme.palettes[useMode().mode];
  const style = `body{margin:8px 12px;font:13px/1.5 sans-serif;color:${text};background:${surface}}
    table{border-collapse:collapse}th,td{padding:3px 10px;border:1px solid ${border};text-align:left}`;
  const rows = html.match(/<(tr|p|li|h\d|br)\b/gi)?.length ?? 0;
  const height = Math.min(480, rows ? 40 + rows * 29 : 240);
  return (
    <iframe
      title="Output of the cell"
      sandbox=""
      srcDoc={`<style>${style}</style>${html}`}
      style={{ height }}
      loading="lazy"
    />
  );
}

function Scrolling({ text, label, isError }: { text: string; label: string; isError?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, also by keyboard.
    <figure tabIndex={0} aria-label={label} className={classes.scrolling}>
      <pre data-error={isError || undefined}>{text}</pre>
    </figure>
  );
}
