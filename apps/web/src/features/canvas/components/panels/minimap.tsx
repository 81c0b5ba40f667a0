import { boundsOf } from '@atoll/notebook';
import { Menu, UnstyledButton } from '@mantine/core';
import { IconMap, IconMaximize, IconMinus, IconPlus, IconSitemap } from '@tabler/icons-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { readLocal, writeLocal } from '../../../../platform/storage.ts';
import { IconButton } from '../../../../ui/buttons/icon-button.tsx';
import { useSignal } from '../../../notebook/notebook-context.tsx';
import { minimap as size } from '../../camera.ts';
import { mapOf } from '../../geometry.ts';
import { useBoard } from '../board-context.tsx';
import classes from './panels.module.css';

/** How near one is, and where. */
export function Minimap() {
  const board = useBoard();
  const [isShown, setShown] = useState(readLocal(size.key) !== 'off');
  const toggle = () => {
    writeLocal(size.key, isShown ? 'off' : null);
    setShown(!isShown);
  };
  return (
    <div className={classes.corner} data-no-board>
      {isShown && <Map_ />}
      <div className={classes.zoomBar} role="toolbar" aria-label="Zoom">
        <IconButton label="Zoom out" tip="Zoom out (−)" size={28} onClick={() => board.zoomBy(1 / 1.25)}>
          <IconMinus size={15} stroke={1.8} />
        </IconButton>
        <Zoom />
        <IconButton label="Zoom in" tip="Zoom in (+)" size={28} onClick={() => board.zoomBy(1.25)}>
          <IconPlus size={15} stroke={1.8} />
        </IconButton>
        <IconButton label="Fit to screen" tip="Fit (Shift 1)" size={28} onClick={() => board.fit()}>
          <IconMaximize size={15} stroke={1.8} />
        </IconButton>
        <DependenciesButton />
        <IconButton label="Minimap" size={28} className={classes.mapButton} aria-pressed={isShown} onClick={toggle}>
          <IconMap size={15} stroke={1.8} />
        </IconButton>
      </div>
    </div>
  );
}

function DependenciesButton() {
  const board = useBoard();
  const isShown = useSignal(board, 'dependencies', board.getDependencies);
  return (
    <IconButton
      label="Dependencies"
      tip={`${isShown ? 'Hide' : 'Show'} dependencies between cells (D)`}
      size={28}
      isPressed={isShown}
      onClick={() => board.toggleDependencies()}
    >
      <IconSitemap size={15} stroke={1.8} />
    </IconButton>
  );
}

function Zoom() {
  const board = useBoard();
  const zoom = useSignal(board, 'camera', () => Math.round(board.getCamera().zoom * 100));
  return (
    <Menu position="top" width={180}>
      <Menu.Target>
        <UnstyledButton className={classes.zoom} aria-label={`Zoom: ${zoom}%`}>
          {zoom}%
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item rightSection="⇧ 1" onClick={() => board.fit()}>
          Fit to screen
        </Menu.Item>
        <Menu.Item rightSection="⇧ 2" onClick={() => board.fit(board.getSelection(), 2)}>
          Zoom to selection
        </Menu.Item>
        <Menu.Divider />
        {[50, 100, 200].map((each) => (
          <Menu.Item
            key={each}
            rightSection={each === 100 ? '⇧ 0' : undefined}
            onClick={() => board.zoomTo(each / 100)}
          >
            {each}%
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The whole board in small; a press goes to that place. */
function Map_() {
  const board = useBoard();
  const surface = useRef<HTMLCanvasElement>(null);
  const scale = useRef(mapOf({ x: 0, y: 0, w: 1, h: 1 }, size, 6));
  useEffect(() => {
    let isAsked = false;
    const draw = () => {
      isAsked = false;
      const context = surface.current?.getContext('2d');
      if (!context || !surface.current) return;
      const style = getComputedStyle(surface.current);
      const view = board.getView();
      const things = board.all().filter(({ kind }) => kind !== 'arrow');
      const all = boundsOf([...things, view]) ?? view;
      const camera = mapOf(all, size, 6);
      scale.current = camera;
      const ratio = devicePixelRatio || 1;
      [surface.current.width, surface.current.height] = [size.w * ratio, size.h * ratio];
      context.setTransform(camera.zoom * ratio, 0, 0, camera.zoom * ratio, camera.x * ratio, camera.y * ratio);
      for (const thing of things) {
        const box = board.boxOf(thing.id) ?? thing;
        context.globalAlpha = thing.kind === 'frame' ? 0.25 : 0.7;
        context.fillStyle = style.getPropertyValue(thing.kind === 'cell' ? '--map-cell' : '--map-item');
        context.fillRect(box.x, box.y, box.w, box.h);
      }
      context.globalAlpha = 1;
      context.lineWidth = 1.5 / camera.zoom;
      context.strokeStyle = style.getPropertyValue('--map-view');
      context.strokeRect(view.x, view.y, view.w, view.h);
    };
    const soon = () => {
      if (isAsked) return;
      isAsked = true;
      // The minimap is small, so ten updates a second are enough.
      setTimeout(draw, 100);
    };
    soon();
    const stops = [board.subscribe('map', soon), board.subscribe('camera', soon)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [board]);
  const go = (event: PointerEvent<HTMLCanvasElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const { x, y, zoom } = scale.current;
    const at = { x: (event.clientX - left - x) / zoom, y: (event.clientY - top - y) / zoom };
    const { w, h } = board.getScreen();
    const near = board.getCamera().zoom;
    board.show({ x: w / 2 - at.x * near, y: h / 2 - at.y * near, zoom: near });
  };
  return (
    <canvas
      ref={surface}
      className={classes.map}
      style={{ width: size.w, height: size.h }}
      aria-label="Minimap"
      role="img"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}
    />
  );
}
