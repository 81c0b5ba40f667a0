import { useQuery } from '@tanstack/react-query';
import { Fragment, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Outputs } from '../../outputs/components/outputs.tsx';
import { liveOutputsQuery } from '../queries.ts';

interface Place {
  key: string;
  element: Element;
}

const keyOf = (cellId: string, index: number | string) => `${cellId} ${index}`;

/** Charts, long tables and HTML with scripts: drawn where the article has a still picture of them, once their data is there. */
export function LiveOutputs({ body, id, version }: { body: HTMLElement; id: string; version?: number }) {
  const [places, setPlaces] = useState<Place[]>([]);
  const found = useQuery({ ...liveOutputsQuery(id, version), enabled: places.length > 0 }).data?.entries;
  useLayoutEffect(() => {
    const marked = [...body.querySelectorAll<HTMLElement>('[data-live]')];
    setPlaces(
      marked.map((element) => ({
        key: keyOf(element.closest<HTMLElement>('[data-cell]')?.dataset.cell ?? '', element.dataset.live ?? ''),
        element,
      })),
    );
  }, [body]);
  useLayoutEffect(() => {
    const known = new Set(found?.map(({ cell_id, index }) => keyOf(cell_id, index)));
    for (const { key, element } of places) if (known.has(key)) element.replaceChildren();
  }, [found, places]);
  return found?.map(({ cell_id, index, output }) => {
    const place = places.find(({ key }) => key === keyOf(cell_id, index));
    return place && <Fragment key={place.key}>{createPortal(<Outputs outputs={[output]} />, place.element)}</Fragment>;
  });
}
