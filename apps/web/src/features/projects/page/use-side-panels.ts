import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { belongsTo, type SidePanelEntry } from '../../../platform/features/panel.ts';
import { useDocumentKind } from '../../../platform/features/registry.ts';
import { parsePageSearch } from '../../files/model.ts';
import { useEnabledParts } from '../../session/enabled-features.ts';

export interface ShownPanel extends SidePanelEntry {
  isShown: boolean;
  toggle(): void;
  close(): void;
}

/** What can lie beside this file for this person, and what does. */
export function useSidePanels(project: ProjectDetail, file: ProjectFile | undefined, isNarrow: boolean): ShownPanel[] {
  const navigate = useNavigate();
  const { panel: inAddress } = parsePageSearch(useSearch({ strict: false }));
  const [chosen, setChosen] = useState<Record<string, boolean>>({});
  const kind = useDocumentKind(file?.name);
  const entries = useEnabledParts()
    .flatMap(({ loaded }) => loaded.panels ?? [])
    .filter((panel) => panel.place !== 'inside')
    .filter((panel) => belongsTo(panel, kind?.id) && (file || !panel.isAboutFile))
    .filter(({ permission }) => !permission || project.permissions.includes(permission));
  const panels = entries.map((entry): ShownPanel => {
    const { id, isInAddress, isOpenAtFirst } = entry;
    const isShown = isInAddress ? inAddress === id : (chosen[id] ?? (isOpenAtFirst === true && !isNarrow));
    const show = (next: boolean) => {
      if (!isInAddress) setChosen((before) => ({ ...before, [id]: next }));
      else void navigate({ to: '.', search: (before: object) => ({ ...before, panel: next ? id : undefined }) });
    };
    return { ...entry, isShown, toggle: () => show(!isShown), close: () => show(false) };
  });
  useHotkeys(
    panels.flatMap(({ keys, toggle }): HotkeyItem[] => (keys ? [[keys, toggle]] : [])),
    [],
  );
  return panels;
}
