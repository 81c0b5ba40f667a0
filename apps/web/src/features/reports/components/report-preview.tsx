import { Alert, Loader, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { RetryButton } from '../../../ui/problem.tsx';
import type { PrintableCell } from '../model.ts';
import { printPageUrl } from '../print-page.ts';
import { type ReportFile, reportFileQuery, reportProgressQuery } from '../queries.ts';
import classes from './report.module.css';

const PdfPages = lazyPart(() => import('./pdf-pages.tsx'), 'PdfPages');

interface PreviewProps {
  id: string;
  /** Changes with everything that is printed. */
  printed: string;
  isSaving: boolean;
  cells: PrintableCell[];
}

/** The very pages that are printed. */
export function ReportPreview({ id, printed, isSaving, cells }: PreviewProps) {
  const { data, error, isFetching, refetch } = useQuery(reportFileQuery(id, printed));
  const progress = useQuery(reportProgressQuery(id, isFetching)).data?.drawing;
  if (error instanceof ApiError && error.details.reason === 'no_renderer') return <InFrame id={id} printed={printed} />;
  const isDrawing = isFetching || isSaving;
  return (
    <section className={classes.preview} aria-label="Preview" aria-busy={isDrawing}>
      <p className={classes.state} role="status">
        {isDrawing ? (
          <>
            <Loader size={14} /> Rendering preview…
            {progress && ` ${progress.drawn} of ${progress.expected} cells`}
          </>
        ) : (
          data && !error && (data.pages === 1 ? '1 page' : `${data.pages} pages`)
        )}
      </p>
      {error ? (
        <Alert color="danger" role="alert" title="The report could not be drawn">
          <p className={classes.words}>{messageOf(error)}</p>
          <RetryButton onClick={() => void refetch()} />
        </Alert>
      ) : (
        <>
          {data && data.failedParts.length > 0 && <FailedParts parts={data.failedParts} cells={cells} />}
          <Suspense fallback={<Skeleton className={classes.sheet} style={{ aspectRatio: '210 / 297' }} />}>
            {data ? (
              <div data-old={isDrawing || undefined} className={classes.document}>
                <PdfPages content={data.content} />
              </div>
            ) : (
              <Skeleton className={classes.sheet} style={{ aspectRatio: '210 / 297' }} />
            )}
          </Suspense>
        </>
      )}
    </section>
  );
}

function FailedParts({ parts, cells }: { parts: ReportFile['failedParts']; cells: PrintableCell[] }) {
  const nameOf = (cellId: string) =>
    cells.find(({ id }) => id === cellId)?.line ?? (cellId === 'cover' ? 'Cover' : cellId);
  return (
    <Alert color="warning" role="alert" title="Some cells could not be drawn">
      <ul className={classes.failed}>
        {parts.map(({ cellId, reason }) => (
          <li key={cellId}>
            <strong>{nameOf(cellId)}</strong>: {reason}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Where the server has no browser: the same page, not yet on paper. */
function InFrame({ id, printed }: { id: string; printed: string }) {
  return (
    <section className={classes.preview} aria-label="Preview">
      <Alert color="warning">
        This server has no browser to make PDFs with. You can print the page from your own browser. An admin can install
        Chromium on the server or set CHROMIUM_PATH.
      </Alert>
      <iframe key={printed} src={printPageUrl(id)} title="Page to print" className={classes.frame} />
    </section>
  );
}
