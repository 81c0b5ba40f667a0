import type { PlacedItem } from '@atoll/notebook';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { overlaps } from '../../geometry.ts';
import boardClasses from '../board/board.module.css';
import { useBoard } from '../board-context.tsx';
import { StandIn } from '../things/board-cell.tsx';
import classes from '../things/cell.module.css';
import { ItemView } from '../things/item-view.tsx';
import styles from './presenter.module.css';

/** What only the presenter sees, in a window of its own: notes, the next slide, the time. */
export function Presenter({ page, number, onClose }: { page: Window; number: number; onClose(): void }) {
  const board = useBoard();
  const frames = board.frames();
  const [frame, next] = [frames[number], frames[number + 1]];
  useEffect(() => {
    const { document: own } = page;
    own.title = 'Presenter view';
    own.documentElement.lang = document.documentElement.lang;
    for (const { name, value } of document.documentElement.attributes) own.documentElement.setAttribute(name, value);
    // By their rules: some are written by scripts, and a copy of their element would be empty.
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
      <section aria-label="Notes" className={styles.notes}>
        {frame?.notes || <p className={styles.quiet}>No notes. Select the frame on the canvas to write some.</p>}
      </section>
      <section aria-label="Next slide" className={styles.next}>
        <h2>{next ? `Next: ${next.text || `Slide ${number + 2}`}` : 'This is the last slide'}</h2>
        {next && <FramePicture frame={next} />}
        <Button.Group>
          <Button variant="default" disabled={number === 0} onClick={() => board.present(number - 1)}>
            Previous
          </Button>
          <Button disabled={!next} onClick={() => board.present(number + 1)}>
            Next
          </Button>
        </Button.Group>
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

const largest = { w: 360, h: 300 };

/** What is in a frame, small; for cells the picture that stands for them from afar. */
function FramePicture({ frame }: { frame: PlacedItem }) {
  const board = useBoard();
  const scale = Math.min(largest.w / frame.w, largest.h / frame.h);
  const inside = board
    .all()
    .filter((thing) => thing.kind !== 'frame' && thing.kind !== 'arrow' && overlaps(frame, thing))
    .sort((one, other) => board.rankOf(one.id) - board.rankOf(other.id));
  return (
    <div
      className={`${boardClasses.stage} ${styles.picture}`}
      style={{ width: frame.w * scale, height: frame.h * scale }}
      aria-hidden
    >
      {inside.map((thing) => (
        <div
          key={thing.id}
          className={styles.thing}
          style={{
            transform: `scale(${scale}) translate(${thing.x - frame.x}px, ${thing.y - frame.y}px)`,
            width: thing.w,
            height: thing.h,
          }}
        >
          {thing.kind === 'cell' ? (
            <article className={classes.cell} data-type={board.store.getCell(thing.id)?.type}>
              <StandIn id={thing.id} />
            </article>
          ) : (
            <ItemView item={thing} />
          )}
        </div>
      ))}
    </div>
  );
}
