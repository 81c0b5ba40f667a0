import { useMemo } from 'react';
import { useFeatures } from '../../platform/features/registry.ts';
import { useTheme } from '../../ui/theme/theme-context.tsx';
import { useSession } from '../session/queries.ts';
import { placesOf } from './model.ts';

export function usePlaces() {
  const features = useFeatures();
  const session = useSession();
  const { platform } = useTheme();
  return useMemo(() => placesOf(features, session, platform), [features, session, platform]);
}
