import type { LiveOutput } from '@atoll/contract/publications/entity';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Outputs } from '../../outputs/outputs.tsx';
import { liveOutputsQuery } from '../queries.ts';

/** Charts, long tables and HTML with scripts: drawn where the article has a still picture of them, once their data is there. */
export function LiveOutputs({ body, id, version }: { body: HTMLElement; id: string; version?: number }) {
  const hasLive = body.querySelector('[data-live]') !== null;
  const found = useQuery({ ...liveOutputsQuery(id, version), enabled: hasLive }).data?.entries;
  const [boxes, setBoxes] = useState<[HTMLElement, LiveOutput][]>([]);
  useLayoutEffect(() => {
    setBoxes(
      (found ?? []).flatMap((live): [HTMLElement, LiveOutput][] => {
        const cell = `[data-cell="${CSS.escape(live.cell_id)}"]`;
        const place = body.querySelector(`${cell} [data-live="${live.index}"]`);
        if (!place) return [];
        const box = document.createElement('div');
        place.replaceChildren(box);
        return [[box, live]];
      }),
    );
  }, [body, found]);
  return boxes.map(([box, { cell_id, index, output }]) =>
    createPortal(<Outputs outputs={[output]} />, box, `${cell_id} ${index}`),
  );
}
