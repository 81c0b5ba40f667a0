import { memo, Suspense, useContext } from 'react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { HtmlOutput } from './components/html-output.tsx';
import { JsonTree } from './components/json-tree.tsx';
import classes from './components/outputs.module.css';
import { TextOutput } from './components/text-output.tsx';
import { FrameGrid } from './frame-grid.tsx';
import { type Shown, shownOutputs } from './model.ts';
import { OutputsContext } from './outputs-context.tsx';

const ChartOutput = lazyPart(() => import('./components/chart-output.tsx'), 'ChartOutput');
const RichText = lazyPart(() => import('../notebook/rich-text.tsx'), 'RichText');

/** What a cell shows, as a notebook's file or a run has it. */
export const Outputs = memo(function Outputs({ outputs }: { outputs: unknown }) {
  const shown = shownOutputs(outputs);
  if (!shown.length) return null;
  return (
    <div className={classes.outputs} data-outputs>
      {shown.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outputs are known by their place.
        <Output key={index} {...each} />
      ))}
    </div>
  );
});

function Output(shown: Shown) {
  const place = useContext(OutputsContext);
  switch (shown.kind) {
    case 'image':
      return (
        <img className={classes.image} src={shown.address} alt={shown.alt} width={shown.width} height={shown.height} />
      );
    case 'html':
      return <HtmlOutput html={shown.html} />;
    case 'markdown':
      return (
        <div className={classes.markdown}>
          <Suspense fallback={<Markdown text={shown.text} />}>
            <RichText text={shown.text} />
          </Suspense>
        </div>
      );
    case 'json':
      return <JsonTree value={shown.value} />;
    case 'chart':
      return (
        <Suspense>
          <ChartOutput library={shown.library} spec={shown.spec} />
        </Suspense>
      );
    case 'frame': {
      const { loadFrame } = place;
      const { frame_id: id } = shown.page;
      return <FrameGrid page={shown.page} load={loadFrame && ((query) => loadFrame(id, query))} />;
    }
    case 'widget':
      return place.drawWidget?.(shown.modelId) ?? <TextOutput kind="text" pieces={[shown.text]} tone="plain" />;
    case 'text':
      return <TextOutput {...shown} />;
  }
}
