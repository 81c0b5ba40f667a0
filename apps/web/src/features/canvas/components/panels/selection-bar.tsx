import { boardColours, boundsOf, type PlacedItem, runs, type Shape, shapes, textSizes } from '@atoll/notebook';
import { Menu, Popover, Textarea, UnstyledButton } from '@mantine/core';
import {
  IconArrowsDiagonal,
  IconCircle,
  IconCopy,
  IconDiamond,
  IconEye,
  IconLayoutAlignBottom,
  IconLayoutAlignCenter,
  IconLayoutAlignLeft,
  IconLayoutAlignMiddle,
  IconLayoutAlignRight,
  IconLayoutAlignTop,
  IconLayoutDistributeHorizontal,
  IconLayoutDistributeVertical,
  IconLock,
  IconLockOpen,
  IconMessage,
  IconNotes,
  IconPlayerPlayFilled,
  IconRectangle,
  IconTrash,
} from '@tabler/icons-react';
import { type ComponentProps, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { DotsMenu } from '../../../../ui/buttons/dots-menu.tsx';
import { IconButton } from '../../../../ui/buttons/icon-button.tsx';
import { useNotebookMode, useSignal } from '../../../notebook/notebook-context.tsx';
import * as act from '../../actions.ts';
import type { Side } from '../../geometry.ts';
import { useBoard } from '../board-context.tsx';
import { BarMenu } from './bar-menu.tsx';
import { DownloadMenu } from './download-menu.tsx';
import classes from './panels.module.css';

const icon = { size: 16, stroke: 1.6 };

export const shapeIcons: Record<Shape, typeof IconCircle> = {
  rectangle: IconRectangle,
  ellipse: IconCircle,
  diamond: IconDiamond,
};
export const shapeWords: Record<Shape, string> = { rectangle: 'Rectangle', ellipse: 'Ellipse', diamond: 'Diamond' };

const sideIcons: [Side, string, typeof IconCircle][] = [
  ['left', 'Align left', IconLayoutAlignLeft],
  ['centre', 'Align centre', IconLayoutAlignCenter],
  ['right', 'Align right', IconLayoutAlignRight],
  ['top', 'Align top', IconLayoutAlignTop],
  ['middle', 'Align middle', IconLayoutAlignMiddle],
  ['bottom', 'Align bottom', IconLayoutAlignBottom],
];

const showWords = { both: 'Code and output', code: 'Code only', output: 'Output only' } as const;

/** The actions for the selection, right above it. */
export function SelectionBar() {
  const board = useBoard();
  const mode = useNotebookMode();
  const place = useRef<HTMLDivElement>(null);
  const ids = useSignal(board, 'selection', () => `${board.getSelection().join(' ')}|${board.getEditing() ?? ''}`);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    const follow = () => {
      const element = place.current;
      const box = boundsOf(board.boxesOf(board.getSelection()));
      if (!element || !box) return;
      const { x, y, zoom } = board.getCamera();
      const { w, h } = board.getScreen();
      const { offsetWidth: width, offsetHeight: height } = element;
      const [left, top, bottom] = [x + (box.x + box.w / 2) * zoom, y + box.y * zoom, y + (box.y + box.h) * zoom];
      const above = top - height - 14;
      const at = above > 8 ? above : Math.min(bottom + 14, h - height - 72);
      const isOut = left + (box.w * zoom) / 2 < 0 || left - (box.w * zoom) / 2 > w || bottom < 0 || top > h;
      element.style.transform = `translate(${Math.round(Math.min(Math.max(8, left - width / 2), Math.max(8, w - width - 8)))}px, ${Math.round(Math.max(8, at))}px)`;
      element.style.visibility = isOut || board.getGuides().length > 0 ? 'hidden' : 'visible';
    };
    follow();
    const stops = ['camera', 'selection-box', 'map'].map((key) => board.subscribe(key, follow));
    stops.push(board.subscribe('map', redraw));
    return () => {
      for (const stop of stops) stop();
    };
  });
  const things = board.selected();
  if (mode === 'view' || things.length === 0 || ids.split('|')[1]) return null;
  return (
    <div ref={place} className={classes.bar} role="toolbar" aria-label="Selection" data-no-board>
      {mode === 'edit' ? <Tools /> : <RunTool />}
    </div>
  );
}

function Tool({ keys, ...button }: ComponentProps<typeof IconButton> & { keys?: string }) {
  return <IconButton {...button} tip={keys && `${button.label} (${keys})`} openDelay={300} size={30} />;
}

function RunTool() {
  const board = useBoard();
  const cells = board.selected().filter(({ id }) => runs(board.store.getCell(id)?.type ?? 'raw'));
  if (cells.length === 0) return null;
  return (
    <Tool
      label={cells.length === 1 ? 'Run' : `Run ${cells.length} cells`}
      keys="Shift Enter"
      onClick={() => act.run(board)}
    >
      <IconPlayerPlayFilled size={14} />
    </Tool>
  );
}

function Tools() {
  const board = useBoard();
  const things = board.selected();
  const [first] = things;
  const items = things.filter(
    (thing): thing is PlacedItem => thing.kind !== 'cell' && thing.kind !== 'frame' && thing.kind !== 'unknown',
  );
  const cells = things.filter((thing) => thing.kind === 'cell');
  const isLocked = things.every((thing) => thing.isLocked);
  const runnable = cells.filter(({ id }) => runs(board.store.getCell(id)?.type ?? 'raw'));
  return (
    <>
      <RunTool />
      {runnable.length > 0 && <ShowMenu />}
      {items.length === things.length && !isLocked && <Colours colour={items[0]?.colour} />}
      {things.every(({ kind }) => kind === 'shape') && !isLocked && <ShapeMenu />}
      {things.every(({ kind }) => kind === 'text') && !isLocked && <SizeMenu />}
      {things.length === 1 && first?.kind === 'frame' && <FrameTools key={first.id} frame={first as PlacedItem} />}
      {things.length > 1 && !isLocked && <AlignMenu count={things.length} />}
      {first && things.length === 1 && (
        <Tool label="Comment" onClick={() => act.commentOn(board, first.id)}>
          <IconMessage {...icon} />
        </Tool>
      )}
      <Tool label="Duplicate" keys="Ctrl D" onClick={() => act.duplicate(board)}>
        <IconCopy {...icon} />
      </Tool>
      <Tool label={isLocked ? 'Unlock' : 'Lock'} keys="Ctrl Shift L" onClick={() => act.toggleLock(board)}>
        {isLocked ? <IconLockOpen {...icon} /> : <IconLock {...icon} />}
      </Tool>
      {!isLocked && (
        <Tool label="Delete" keys="Del" onClick={() => act.remove(board)}>
          <IconTrash {...icon} />
        </Tool>
      )}
      <DotsMenu label="More actions" size={30} icon={icon} width={230}>
        <Menu.Item rightSection="]" onClick={() => act.raise(board, 'front')}>
          Bring to front
        </Menu.Item>
        <Menu.Item rightSection="[" onClick={() => act.raise(board, 'back')}>
          Send to back
        </Menu.Item>
        <Menu.Divider />
        {things.length > 1 && (
          <Menu.Item rightSection="Ctrl G" onClick={() => act.group(board)}>
            Group
          </Menu.Item>
        )}
        {things.some(({ group }) => group) && (
          <Menu.Item rightSection="Ctrl ⇧ G" onClick={() => act.ungroup(board)}>
            Ungroup
          </Menu.Item>
        )}
        {things.length === 2 && (
          <Menu.Item rightSection="K" onClick={() => act.connect(board)}>
            Connect with an arrow
          </Menu.Item>
        )}
        <Menu.Item rightSection="Ctrl C" onClick={() => act.copy(board)}>
          Copy
        </Menu.Item>
        <Menu.Item rightSection="⇧ 2" onClick={() => board.fit(board.getSelection(), 2)}>
          Zoom to selection
        </Menu.Item>
        {cells.length === things.length && (
          <>
            <Menu.Divider />
            <Menu.Item
              onClick={() => act.change(board, { plain: first?.kind === 'cell' && first.isPlain ? null : true })}
            >
              {first?.kind === 'cell' && first.isPlain ? 'Show border and title' : 'Hide border and title'}
            </Menu.Item>
            <Menu.Item onClick={() => act.takeOffBoard(board)}>Remove from canvas, keep cell</Menu.Item>
          </>
        )}
      </DotsMenu>
    </>
  );
}

/** The actions of a slide: its notes, and pictures of it. */
function FrameTools({ frame }: { frame: PlacedItem }) {
  const board = useBoard();
  const [notes, setNotes] = useState(frame.notes);
  const save = () => notes !== frame.notes && act.change(board, { notes: notes || null }, [frame.id]);
  return (
    <>
      <Popover width={320} trapFocus onClose={save}>
        <Popover.Target>
          <UnstyledButton className={classes.barWords}>
            <IconNotes {...icon} aria-hidden /> Notes
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={8}>
          <Textarea
            aria-label="Presenter notes"
            placeholder="What you want to say. Only the presenter view shows it."
            autosize
            minRows={4}
            maxRows={12}
            maxLength={10_000}
            data-autofocus
            value={notes}
            onChange={(event) => setNotes(event.currentTarget.value)}
            onBlur={save}
          />
        </Popover.Dropdown>
      </Popover>
      <DownloadMenu frameId={frame.id} />
    </>
  );
}

function ShowMenu() {
  const board = useBoard();
  const [first] = board.selected().filter((thing) => thing.kind === 'cell');
  const shown = first?.kind === 'cell' ? first.show : 'both';
  return (
    <BarMenu label={`Show: ${showWords[shown]}`} icon={IconEye} words={showWords[shown]} width={180}>
      {(['both', 'code', 'output'] as const).map((show) => (
        <Menu.Item key={show} fw={show === shown ? 600 : undefined} onClick={() => act.change(board, { show })}>
          {showWords[show]}
        </Menu.Item>
      ))}
    </BarMenu>
  );
}

function Colours({ colour }: { colour: string | undefined }) {
  const board = useBoard();
  return (
    <Menu width={148}>
      <Menu.Target>
        <UnstyledButton className={classes.barSwatch} aria-label="Colour">
          <span className={classes.swatch} data-colour={colour} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.swatches}>
        {boardColours.map((each) => (
          <Menu.Item
            key={each}
            className={classes.swatchItem}
            aria-label={each}
            onClick={() => act.change(board, { colour: each })}
          >
            <span className={classes.swatch} data-colour={each} data-current={each === colour || undefined} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ShapeMenu() {
  const board = useBoard();
  return shapes.map((shape) => {
    const Icon = shapeIcons[shape];
    return (
      <Tool key={shape} label={shapeWords[shape]} onClick={() => act.change(board, { shape })}>
        <Icon {...icon} />
      </Tool>
    );
  });
}

const sizeWords = { s: 'Small', m: 'Medium', l: 'Large', xl: 'Heading' } as const;

function SizeMenu() {
  const board = useBoard();
  return (
    <BarMenu label="Text size" icon={IconArrowsDiagonal} words="Size" width={140}>
      {textSizes.map((size) => (
        <Menu.Item key={size} onClick={() => act.change(board, { size })}>
          {sizeWords[size]}
        </Menu.Item>
      ))}
    </BarMenu>
  );
}

function AlignMenu({ count }: { count: number }) {
  const board = useBoard();
  return (
    <BarMenu label="Align and distribute" icon={IconLayoutAlignLeft} words="Align" width={200}>
      {sideIcons.map(([side, label, Icon]) => (
        <Menu.Item key={side} leftSection={<Icon {...icon} />} onClick={() => act.align(board, side)}>
          {label}
        </Menu.Item>
      ))}
      {count > 2 && (
        <>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLayoutDistributeVertical {...icon} />}
            onClick={() => act.distribute(board, 'x')}
          >
            Distribute across
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLayoutDistributeHorizontal {...icon} />}
            onClick={() => act.distribute(board, 'y')}
          >
            Distribute down
          </Menu.Item>
        </>
      )}
    </BarMenu>
  );
}
