import { Skeleton } from '@mantine/core';
import { Suspense, use } from 'react';
import classes from './markdown.module.css';

let renderer: Promise<(text: string) => string> | undefined;
const loadRenderer = () => {
  renderer ??= import('./markdown-renderer.ts').then((module) => module.renderMarkdown);
  return renderer;
};

/** Less than this is shown as it was typed until it can be drawn. */
const shortText = 600;

/** Text that people write. Raw HTML in it is shown as text, never run. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={text.length < shortText ? <Plain text={text} /> : <MarkdownSkeleton />}>
      <Rendered text={text} />
    </Suspense>
  );
}

function Rendered({ text }: { text: string }) {
  const render = use(loadRenderer());
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the renderer has HTML switched off and checks every link.
  return <div className={classes.markdown} dangerouslySetInnerHTML={{ __html: render(text) }} />;
}

/** About as high as it will be, so that nothing below it jumps. */
const Plain = ({ text }: { text: string }) => <p className={classes.plain}>{text}</p>;

function MarkdownSkeleton() {
  return ['90%', '100%', '96%', '70%'].map((width) => <Skeleton key={width} height={14} mb={12} width={width} />);
}
