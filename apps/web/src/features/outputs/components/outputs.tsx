import { memo } from 'react';
import { Markdown } from '../../../ui/markdown.tsx';
import { type Shown, shownOutputs } from '../model.ts';
import { HtmlOutput } from './html-output.tsx';
import classes from './outputs.module.css';
import { TextOutput } from './text-output.tsx';

/** What a cell shows, as a notebook's file or a run has it. */
export const Outputs = memo(function Outputs({ outputs }: { outputs: unknown }) {
  const shown = shownOutputs(outputs);
  if (!shown.length) return null;
  return (
    <div className={classes.outputs}>
      {shown.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs are known by their place.
        <Output key={index} {...each} />
      ))}
    </div>
  );
});

function Output(shown: Shown) {
  if (shown.kind === 'image') return <img className={classes.image} src={shown.address} alt={shown.alt} />;
  if (shown.kind === 'html') return <HtmlOutput html={shown.html} />;
  if (shown.kind === 'markdown') {
    return (
      <div className={classes.markdown}>
        <Markdown text={shown.text} />
      </div>
    );
  }
  return <TextOutput {...shown} />;
}
