import { useMediaQuery } from '@mantine/hooks';

/** As narrow as a phone, where dialogs take the whole screen. */
export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false }) ?? false;
