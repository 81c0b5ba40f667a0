import { useEffect, useRef, useState } from 'react';
import type { NotebookStore } from '../store.ts';
import { WidgetManager } from './manager.ts';

const managers = new WeakMap<NotebookStore, WidgetManager>();

/** All widgets of a notebook know each other. */
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
    </>
  );
}
