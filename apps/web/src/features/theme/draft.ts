import type { Theme, ThemePicture } from '@atoll/contract/theme/entity';
import { useState } from 'react';
import { toUpdate } from './model.ts';

/** A picture chosen but not saved: null takes the present one away. */
export type Chosen = { uploadId: string; preview: string } | null;

export interface Draft {
  theme: Theme;
  set(change: Partial<Theme>): void;
  chosen: Partial<Record<ThemePicture, Chosen>>;
  choose(picture: ThemePicture, choice: Chosen): void;
  isDirty: boolean;
  discard(): void;
  errorAt(path: string): string | undefined;
  setErrors(fields: Record<string, string[]>): void;
}

/** What an admin is trying out; nobody else sees it before it is saved. */
export function useDraft(saved: Theme): Draft {
  const [changes, setChanges] = useState<Partial<Theme>>({});
  const [chosen, setChosen] = useState<Draft['chosen']>({});
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  const shown = Object.fromEntries(Object.entries(chosen).map(([name, choice]) => [name, choice?.preview ?? null]));
  const theme: Theme = { ...saved, ...changes, ...shown };
  return {
    theme,
    set: (change) => setChanges((current) => ({ ...current, ...change })),
    chosen,
    choose: (picture, choice) => setChosen((current) => ({ ...current, [picture]: choice })),
    isDirty: Object.keys(chosen).length > 0 || Object.keys(toUpdate(saved, theme)).length > 0,
    discard: () => {
      setChanges({});
      setChosen({});
      setErrors({});
    },
    errorAt: (path) => errors[`update.${path}`]?.join(' ') ?? errors[path]?.join(' '),
    setErrors,
  };
}
