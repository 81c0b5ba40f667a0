import { Alert, Skeleton } from '@mantine/core';
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import classes from './report.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

interface OpenPdf {
  pdf: PDFDocumentProxy;
  width: number;
  height: number;
}

/** The pages of a PDF, each drawn when it comes near the window. */
export function PdfPages({ content }: { content: Blob }) {
  const [open, setOpen] = useState<OpenPdf | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isGone = false;
    const loading = content.arrayBuffer().then((data) => getDocument({ data }));
    loading
      .then(async ({ promise }) => {
        const pdf = await promise;
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
        if (!isGone) setOpen({ pdf, width, height });
      })
      .catch(() => {
        if (!isGone) setBroken(true);
      });
    return () => {
      isGone = true;
      void loading.then((task) => task.destroy());
    };
  }, [content]);
  if (isBroken)
    return (
      <Alert color="danger" role="alert">
        The preview could not be shown. Download the PDF instead.
      </Alert>
    );
  if (!open) return <Skeleton className={classes.sheet} style={{ aspectRatio: '210 / 297' }} />;
  return (
    <ol className={classes.pages} aria-label="Pages">
      {Array.from({ length: open.pdf.numPages }, (_, index) => index + 1).map((number) => (
        <PdfPage key={number} open={open} number={number} />
      ))}
    </ol>
  );
}

function PdfPage({ open: { pdf, width, height }, number }: { open: OpenPdf; number: number }) {
  const box = useRef<HTMLLIElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const [place, surface] = [box.current, canvas.current];
    if (!place || !surface) return;
    let cancel = () => {};
    const draw = async () => {
      const page = await pdf.getPage(number);
      const shown = place.clientWidth * Math.min(2, devicePixelRatio || 1);
      const viewport = page.getViewport({ scale: shown / page.getViewport({ scale: 1 }).width });
      surface.width = viewport.width;
      surface.height = viewport.height;
      const drawing = page.render({ canvas: surface, viewport });
      cancel = () => drawing.cancel();
      await drawing.promise;
      place.dataset.drawn = 'true';
    };
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        watch.disconnect();
        // Left before it was drawn.
        draw().catch(() => {});
      },
      { rootMargin: '800px' },
    );
    watch.observe(place);
    return () => {
      watch.disconnect();
      cancel();
    };
  }, [pdf, number]);
  return (
    <li ref={box} className={classes.sheet} style={{ aspectRatio: `${width} / ${height}` }}>
      <canvas ref={canvas} role="img" aria-label={`Page ${number} of ${pdf.numPages}`} />
    </li>
  );
}
