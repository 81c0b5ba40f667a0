import type { ProjectFile } from '@atoll/contract/files/entity';
import { messageOf } from '../../../platform/api-error.ts';
import { Markdown } from '../../../ui/markdown.tsx';
import { contentUrl } from '../addresses.ts';
import { useDocument } from '../documents.ts';
import { previewOf } from '../model.ts';
import { TextSkeleton } from './lazy-editor.tsx';
import { PageNotice } from './page-notice.tsx';
import classes from './preview.module.css';

/** What a file shows. What people put into it never runs as this page. */
export function Preview({ file }: { file: ProjectFile }) {
  const kind = previewOf(file.name);
  const url = contentUrl(file);
  if (kind === 'image') {
    return (
      <div className={classes.stage}>
        <img src={url} alt={file.name} />
      </div>
    );
  }
  if (kind === 'video') {
    return (
      <div className={classes.stage}>
        {/* biome-ignore lint/a11y/useMediaCaption: people's own films come without captions. */}
        <video src={url} controls aria-label={file.name} />
      </div>
    );
  }
  if (kind === 'pdf') return <iframe title={file.name} src={url} className={classes.frame} />;
  if (kind === 'html') {
    return <iframe key={url} title={file.name} src={url} sandbox="allow-scripts" className={classes.frame} />;
  }
  return <TextPreview file={file} />;
}

function TextPreview({ file }: { file: ProjectFile }) {
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
