import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconDeviceProjector, IconPresentation, IconX } from '@tabler/icons-react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { lazyPart } from '../../../../platform/features/lazy-part.ts';
import { IconButton } from '../../../../ui/buttons/icon-button.tsx';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import { useBoard } from '../board-context.tsx';
import classes from './slides.module.css';

const Presenter = lazyPart(() => import('./presenter.tsx'), 'Presenter');

/** Frames in their order are slides. */
export function PresentButton() {
  const board = useBoard();
  const count = useSignal(board, 'map', () => board.frames().length);
  const slide = useSignal(board, 'slide', board.getSlide);
  if (count === 0 || slide !== null) return null;
  return (
    <div className={classes.present} data-no-board>
      <Tooltip label="Show the frames as slides">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPresentation size={15} stroke={1.6} />}
          onClick={() => board.present(0)}
        >
          Present
        </Button>
      </Tooltip>
    </div>
  );
}

export function Slides() {
  const board = useBoard();
  const slide = useSignal(board, 'slide', board.getSlide);
  // It goes with the slides: whoever presents again opens it again.
  const [presenter, setPresenter] = useState<Window | null>(null);
  // Always the same one: with another the presenter's window would be closed and left.
  const closePresenter = useCallback(() => setPresenter(null), []);
  const isPresenting = slide !== null;
  useEffect(() => {
    if (isPresenting) return () => setPresenter(null);
  }, [isPresenting]);
  if (slide === null) return null;
  return (
    <>
      <Slide number={slide} onPresenter={setPresenter} />
      <Suspense>{presenter && <Presenter page={presenter} number={slide} onClose={closePresenter} />}</Suspense>
    </>
  );
}

function Slide({ number, onPresenter }: { number: number; onPresenter(page: Window | null): void }) {
  const board = useBoard();
  const frames = board.frames();
  const go = useCallback((to: number) => board.present(Math.max(0, Math.min(board.frames().length - 1, to))), [board]);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if ((event.target as Element).closest('input, textarea, select, .cm-editor')) return;
      const step = { ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1 }[event.key];
      if (step === undefined && event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      if (step === undefined) board.present(null);
      else go(number + step);
    };
    addEventListener('keydown', key, { capture: true });
    return () => removeEventListener('keydown', key, { capture: true });
  }, [board, go, number]);
  useEffect(() => {
    const stage = board.stage();
    void stage?.requestFullscreen?.().catch(() => {});
    return () => {
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, [board]);
  const frame = frames[number];
  return (
    <div className={classes.slides} role="toolbar" aria-label="Slides" data-no-board data-slides>
      <ActionIcon size={32} aria-label="Previous slide" disabled={number === 0} onClick={() => go(number - 1)}>
        <IconChevronLeft size={18} />
      </ActionIcon>
      <span role="status">
        {frame?.text ? `${frame.text}: ` : ''}
        {number + 1} of {frames.length}
      </span>
      <ActionIcon
        size={32}
        aria-label="Next slide"
        disabled={number >= frames.length - 1}
        onClick={() => go(number + 1)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
      <IconButton
        label="Presenter view"
        tip="Presenter view: notes, next slide and clock in a window of its own"
        size={32}
        onClick={() => {
          const page = open('', '', 'popup,width=960,height=640');
          if (page) onPresenter(page);
          else board.store.options.notify('Could not open the presenter view. Allow pop-ups for this site.', true);
        }}
      >
        <IconDeviceProjector size={18} stroke={1.6} />
      </IconButton>
      <ActionIcon size={32} aria-label="Stop presenting" onClick={() => board.present(null)}>
        <IconX size={18} />
      </ActionIcon>
    </div>
  );
}
