import { belongsTo, type InnerPanelEntry } from '../../../platform/features/panel.ts';
import { useDocumentKind } from '../../../platform/features/registry.ts';
import { useEnabledParts } from '../../session/enabled-features.ts';
import { useNotebook, useNotebookMode } from '../notebook-context.tsx';

/** The panels that can be open beside the cells, for this person. */
export function useInnerPanels(): InnerPanelEntry[] {
  const { name } = useNotebook();
  const kind = useDocumentKind(name);
  const mode = useNotebookMode();
  return useEnabledParts()
    .flatMap(({ loaded }) => loaded.panels ?? [])
    .filter((panel) => panel.place === 'inside')
    .filter(
      (panel) =>
        belongsTo(panel, kind?.id) &&
        (mode !== 'view' || !panel.isForRunning) &&
        (mode === 'edit' || !panel.isForEditing),
    );
}
