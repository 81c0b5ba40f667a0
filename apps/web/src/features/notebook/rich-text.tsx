import { type MouseEvent, useContext, useEffect, useMemo, useRef } from 'react';
import { useMode } from '../../ui/theme/theme-context.tsx';
import { type Attachments, renderText } from './markdown/render.ts';
import classes from './markdown/rich-text.module.css';
import { TextPlaceContext } from './markdown/text-place.tsx';

/** A text with formulas, drawings and pictures. Everything that could run is removed from it. */
export function RichText({ text, attachments = null }: { text: string; attachments?: Attachments }) {
  const place = useContext(TextPlaceContext);
  const html = useMemo(() => renderText(text, attachments, place), [text, attachments, place]);
  const box = useRef<HTMLDivElement>(null);
  const { mode } = useMode();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other formulas.
  useEffect(() => {
    const root = box.current;
    if (!root) return;
    let isGone = false;
    const formulas = [...root.querySelectorAll<HTMLElement>('[data-tex]')];
    if (formulas.length > 0) {
      void import('./markdown/formulas.ts').then(({ drawFormula }) => {
        if (isGone) return;
        for (const formula of formulas) drawFormula(formula);
        // A formula that is wider than its place gets the focus, so that the keyboard can scroll it.
        for (const formula of formulas) if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      });
    }
    const drawings = [...root.querySelectorAll<HTMLElement>('[data-mermaid]')];
    if (drawings.length > 0) {
      void import('./markdown/drawings.ts').then(async ({ drawDiagram }) => {
        for (const drawing of drawings) if (!isGone) await drawDiagram(drawing, mode === 'dark');
      });
    }
    return () => {
      isGone = true;
    };
  }, [html, mode]);
  const follow = (event: MouseEvent) => {
    const { file } = (event.target as Element).closest<HTMLElement>('a[data-file]')?.dataset ?? {};
    if (!file || !place || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    place.open(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the links in it, which have keys.
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised right above.
    <div ref={box} className={classes.text} onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
