import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { belongsTo, type SidePanelEntry } from '../../../platform/features/panel.ts';
import type { DocumentPanels } from '../../../platform/features/panel-host.ts';
import { useDocumentKind } from '../../../platform/features/registry.ts';
import { parsePageSearch } from '../../files/model.ts';
import { useEnabledParts } from '../../session/enabled-features.ts';

export interface ShownPanel extends SidePanelEntry {
  /** Open, and not covered by a panel of the document. */
  isShown: boolean;
  open(): void;
  toggle(): void;
  close(): void;
}

/** What can lie beside this file for this person, and what does. */
export function useSidePanels(
  project: ProjectDetail,
  file: ProjectFile | undefined,
  isNarrow: boolean,
  documentPanels: DocumentPanels | null,
): ShownPanel[] {
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
    const { id, place, isInAddress, isOpenAtFirst } = entry;
    const covering = documentPanels?.shown[place] != null;
    const isOpen = isInAddress ? inAddress === id : (chosen[id] ?? (isOpenAtFirst === true && !isNarrow));
    const isShown = isOpen && !covering;
    const close = () => {
      if (!isInAddress) setChosen((before) => ({ ...before, [id]: false }));
      else void navigate({ to: '.', search: (before: object) => ({ ...before, panel: undefined }) });
    };
    const open = () => {
      documentPanels?.close(place);
      // One at each side.
      const others = entries.filter((other) => other.place === place && other.id !== id);
      const closed = Object.fromEntries(others.map((other) => [other.id, false]));
      setChosen((before) => ({ ...before, ...closed, ...(!isInAddress && { [id]: true }) }));
      const panel = isInAddress ? id : others.some((other) => other.id === inAddress) ? undefined : inAddress;
      if (panel !== inAddress) void navigate({ to: '.', search: (before: object) => ({ ...before, panel }) });
    };
    return { ...entry, isShown, open, toggle: isShown ? close : open, close };
  });
  useHotkeys(
    panels.flatMap(({ keys, toggle }): HotkeyItem[] => (keys ? [[keys, toggle]] : [])),
    [],
  );
  return panels;
}
