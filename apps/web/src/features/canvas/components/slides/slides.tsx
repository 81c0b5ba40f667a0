import type { PlacedItem } from '@atoll/notebook';
import { ActionIcon, Button, Tooltip, UnstyledButton } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDeviceProjector,
  IconLayoutGrid,
  IconPresentation,
  IconX,
} from '@tabler/icons-react';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../../../../platform/features/lazy-part.ts';
import { IconButton } from '../../../../ui/buttons/icon-button.tsx';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import { useBoard } from '../board-context.tsx';
import { FramePicture } from './frame-picture.tsx';
import classes from './slides.module.css';

const Presenter = lazyPart(() => import('./presenter.tsx'), 'Presenter');

/** Shows the frames in their order as slides. */
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
  // The presenter window closes with the slides, and is opened again by hand.
  const [presenter, setPresenter] = useState<Window | null>(null);
  // The callback stays the same, because a new one would close the presenter's window.
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
  const areThumbnailsShown = useSignal(board, 'thumbnails', board.getThumbnails);
  return (
    <>
      <Matte />
      <div className={classes.foot} data-no-board data-slides>
        {areThumbnailsShown && <Thumbnails number={number} onGo={go} />}
        <Controls {...{ board, frame, number, count: frames.length, go, onPresenter, areThumbnailsShown }} />
      </div>
    </>
  );
}

interface ControlsProps {
  board: ReturnType<typeof useBoard>;
  frame: PlacedItem | undefined;
  number: number;
  count: number;
  areThumbnailsShown: boolean;
  go(to: number): void;
  onPresenter(page: Window | null): void;
}

function Controls({ board, frame, number, count, areThumbnailsShown, go, onPresenter }: ControlsProps) {
  return (
    <div className={classes.slides} role="toolbar" aria-label="Slides">
      <ActionIcon size={32} aria-label="Previous slide" disabled={number === 0} onClick={() => go(number - 1)}>
        <IconChevronLeft size={18} />
      </ActionIcon>
      <span role="status">
        {frame?.text ? `${frame.text}: ` : ''}
        {number + 1} of {count}
      </span>
      <ActionIcon size={32} aria-label="Next slide" disabled={number >= count - 1} onClick={() => go(number + 1)}>
        <IconChevronRight size={18} />
      </ActionIcon>
      <IconButton label="Thumbnails" size={32} isPressed={areThumbnailsShown} onClick={() => board.toggleThumbnails()}>
        <IconLayoutGrid size={18} stroke={1.6} />
      </IconButton>
      <IconButton
        label="Presenter view"
        tip="Presenter view: this slide, the next, notes and clock in a window of its own"
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

/** Hides the board around the frame. */
function Matte() {
  const board = useBoard();
  const { x, y, zoom } = useSignal(board, 'camera', board.getCamera);
  const frame = board.shownFrame();
  if (!frame) return null;
  const place = { left: frame.x * zoom + x, top: frame.y * zoom + y, width: frame.w * zoom, height: frame.h * zoom };
  return <div className={classes.matte} style={place} data-slides data-matte />;
}

const thumbnail = { w: 120, h: 68 };

function Thumbnails({ number, onGo }: { number: number; onGo(to: number): void }) {
  const board = useBoard();
  const shown = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the one that is shown is another one then.
  useEffect(() => {
    void shown.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [number]);
  return (
    <ol className={classes.thumbnails} aria-label="All slides">
      {board.frames().map((frame, at) => (
        <li key={frame.id}>
          <UnstyledButton
            ref={at === number ? shown : undefined}
            aria-current={at === number ? 'step' : undefined}
            aria-label={`Slide ${at + 1}${frame.text ? `: ${frame.text}` : ''}`}
            onClick={() => onGo(at)}
          >
            <FramePicture frame={frame} size={thumbnail} />
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}
