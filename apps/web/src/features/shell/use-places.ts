import { useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useFeatures } from '../../platform/features/registry.ts';
import { readLocal, writeLocal } from '../../platform/storage.ts';
import { useTheme } from '../../ui/theme/theme-context.tsx';
import { useSession } from '../session/queries.ts';
import { placesOf } from './model.ts';

const usedKey = 'used_places';
const readUsed = () => new Set((readLocal(usedKey) ?? '').split(',').filter(Boolean));

export function usePlaces() {
  const features = useFeatures();
  const session = useSession();
  const { platform } = useTheme();
  // As it was when the page was loaded: places do not move while they are used.
  const [used] = useState(readUsed);
  return useMemo(() => placesOf(features, session, platform, used), [features, session, platform, used]);
}

/** Remembers in this browser which places its person goes to. */
export function useUsedPlaces(): void {
  const { groups } = usePlaces();
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    const place = groups.flatMap(({ places }) => places).find(({ to }) => path === to || path.startsWith(`${to}/`));
    const used = readUsed();
    if (place && !used.has(place.to)) writeLocal(usedKey, [...used, place.to].join(','));
  }, [groups, path]);
}
