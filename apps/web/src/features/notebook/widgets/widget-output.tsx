import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Outputs } from '../../outputs/outputs.tsx';
import type { NotebookStore } from '../store.ts';
import { WidgetManager } from './manager.ts';
import { onOutputPlaces, outputPlaces } from './output-widget.ts';

const managers = new WeakMap<NotebookStore, WidgetManager>();

/** All widgets of a notebook share one manager, because they refer to each other. */
function managerOf(store: NotebookStore): WidgetManager {
  const known = managers.get(store);
  if (known) return known;
  const made = new WidgetManager(store);
  store.options.onComm = (message) => made.hear(message);
  managers.set(store, made);
  return made;
}

/** A widget of the kernel, live. */
export function WidgetOutput({ store, modelId }: { store: NotebookStore; modelId: string }) {
  const element = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const places = useSyncExternalStore(onOutputPlaces, outputPlaces);
  useEffect(() => {
    let isGone = false;
    let remove = () => {};
    const host = element.current;
    if (!host) return;
    managerOf(store)
      .draw(modelId, host)
      .then(
        (undo) => {
          if (isGone) undo();
          else remove = undo;
        },
        (error: Error) => !isGone && setProblem(error.message),
      );
    return () => {
      isGone = true;
      remove();
    };
  }, [store, modelId]);
  return (
    <>
      {problem && <p style={{ padding: '2px 12px', color: 'var(--ink-muted)' }}>{problem}</p>}
      <div ref={element} className="atoll-widget" />
      {places
        .filter((place) => element.current?.contains(place.element))
        .map((place) => createPortal(<Outputs outputs={place.model.get('outputs')} />, place.element, place.model.cid))}
    </>
  );
}
