import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useBoard } from '../board-context.tsx';
import { FramePicture, useDrawnFrames } from './frame-picture.tsx';
import styles from './presenter.module.css';

const [thisSize, nextSize] = [
  { w: 560, h: 380 },
  { w: 320, h: 240 },
];

/** The window of the presenter: this slide and the next, notes, the time. */
export function Presenter({ page, number, onClose }: { page: Window; number: number; onClose(): void }) {
  const board = useBoard();
  const frames = board.frames();
  const [frame, next] = [frames[number], frames[number + 1]];
  const drawn = useDrawnFrames([frame, next]);
  useEffect(() => {
    const { document: own } = page;
    own.title = 'Presenter view';
    own.documentElement.lang = document.documentElement.lang;
    for (const { name, value } of document.documentElement.attributes) own.documentElement.setAttribute(name, value);
    // Style sheets are copied rule by rule, because a copy of an element that a script has filled would be empty.
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
      const style = own.createElement('style');
      style.textContent = [...sheet.cssRules].map(({ cssText }) => cssText).join('\n');
      own.head.append(style);
    }
    page.addEventListener('pagehide', onClose);
    return () => page.close();
  }, [page, onClose]);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const step = { ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1 }[event.key];
      if (step === undefined && event.key !== 'Escape') return;
      event.preventDefault();
      if (step === undefined) board.present(null);
      else board.present(Math.max(0, Math.min(board.frames().length - 1, number + step)));
    };
    page.addEventListener('keydown', key);
    return () => page.removeEventListener('keydown', key);
  }, [page, board, number]);
  return createPortal(
    <main className={styles.presenter}>
      <header>
        <h1>{frame?.text || `Slide ${number + 1}`}</h1>
        <span>
          {number + 1} of {frames.length}
        </span>
        <Clock />
      </header>
      <section aria-label="This slide" className={styles.slide}>
        {frame && <FramePicture frame={frame} size={thisSize} drawn={drawn.get(frame.id)} />}
      </section>
      <section aria-label="Next slide" className={styles.slide}>
        <h2>{next ? `Next: ${next.text || `Slide ${number + 2}`}` : 'This is the last slide'}</h2>
        {next && <FramePicture frame={next} size={nextSize} drawn={drawn.get(next.id)} />}
        <Button.Group>
          <Button variant="default" disabled={number === 0} onClick={() => board.present(number - 1)}>
            Previous
          </Button>
          <Button disabled={!next} onClick={() => board.present(number + 1)}>
            Next
          </Button>
        </Button.Group>
      </section>
      <section aria-label="Notes" className={styles.notes}>
        {frame?.notes || <p className={styles.quiet}>No notes. Select the frame on the canvas to write some.</p>}
      </section>
    </main>,
    page.document.body,
  );
}

function Clock() {
  const [began] = useState(() => Date.now());
  const [now, setNow] = useState(began);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - began) / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return (
    <>
      <strong role="timer" aria-label="Elapsed">
        {two(Math.floor(seconds / 60))}:{two(seconds % 60)}
      </strong>
      <time>{new Date(now).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}</time>
    </>
  );
}
