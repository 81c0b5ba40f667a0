import { useMemo } from 'react';
import { useFeatures } from '../../platform/features/registry.ts';
import { useSession } from '../session/queries.ts';
import { placesOf } from './model.ts';

export function usePlaces() {
  const features = useFeatures();
  const session = useSession();
  return useMemo(() => placesOf(features, session), [features, session]);
}
