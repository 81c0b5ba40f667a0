import { messageOf } from '../../../platform/api-error.ts';
import type { DocumentViewProps } from '../../../platform/features/document-kind.ts';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import { contentUrl } from '../addresses.ts';
import { useDocument } from '../documents.ts';
import { TextSkeleton } from '../lazy-editor.tsx';
import { PageNotice } from '../page-notice.tsx';
import classes from './preview.module.css';

// Previews of files. Content of people never runs as this page.

export const ImagePreview = ({ file }: DocumentViewProps) => (
  <div className={classes.stage}>
    <img src={contentUrl(file)} alt={file.name} />
  </div>
);

export const VideoPreview = ({ file }: DocumentViewProps) => (
  <div className={classes.stage}>
    {/* biome-ignore lint/a11y/useMediaCaption: people's own films come without captions. */}
    <video src={contentUrl(file)} controls aria-label={file.name} />
  </div>
);

export const PdfPreview = ({ file }: DocumentViewProps) => (
  <iframe title={file.name} src={contentUrl(file)} className={classes.frame} />
);

export function HtmlPreview({ file }: DocumentViewProps) {
  const url = contentUrl(file);
  return <iframe key={url} title={file.name} src={url} sandbox="allow-scripts" className={classes.frame} />;
}

export function MarkdownPreview({ file }: DocumentViewProps) {
  const { data: document, error } = useDocument(file);
  if (error) return <PageNotice title="Could not display the file">{messageOf(error)}</PageNotice>;
  if (!document) return <TextSkeleton />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.scroll} tabIndex={0} aria-label={`Preview of ${file.name}`}>
      <div className={classes.paper}>
        <Markdown text={document.text} />
      </div>
    </section>
  );
}
