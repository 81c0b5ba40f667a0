import { IconX } from '@tabler/icons-react';
import { type Dispatch, type SetStateAction, Suspense, useCallback } from 'react';
import type { PanelProps } from '../../../platform/features/panel.ts';
import type { DocumentPanels, PanelHost, PanelTab, Side } from '../../../platform/features/panel-host.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { TextSkeleton } from '../../files/lazy-editor.tsx';
import { SidePanel } from '../side-panel.tsx';
import classes from './project-page.module.css';
import type { ShownPanel } from './use-side-panels.ts';

interface PanelOfSideProps {
  side: Side;
  panels: ShownPanel[];
  documentPanels: DocumentPanels | null;
  onSlot: Dispatch<SetStateAction<PanelHost['slots']>>;
  content: Omit<PanelProps, 'onClose'>;
}

/** The one panel of this side: what the page and the open document have for it, as tabs. */
export function PanelOfSide({ side, panels, documentPanels, onSlot, content }: PanelOfSideProps) {
  const setSlot = useCallback(
    (slot: HTMLElement | null) => onSlot((before) => ({ ...before, [side]: slot })),
    [onSlot, side],
  );
  if (content.isNarrow)
    return panels.map((panel) => (
      <SidePanel key={panel.id} label={panel.label} side={side} opened={panel.isShown} onClose={panel.close} isSheet>
        <Content panel={panel} content={content} />
      </SidePanel>
    ));
  const shown = panels.find(({ isShown }) => isShown);
  const ofDocument = documentPanels?.tabs[side] ?? [];
  const documentTab = ofDocument.find(({ id }) => id === documentPanels?.shown[side]);
  const isTwice = ({ id }: PanelTab) => ofDocument.some((tab) => tab.id === id);
  const label = (panel: ShownPanel) => (isTwice(panel) ? `Project ${panel.label.toLowerCase()}` : panel.label);
  const tabs: Tab[] = [
    ...panels.map((panel) => ({ ...panel, label: label(panel), isShown: panel === shown, open: panel.open })),
    ...ofDocument.map((tab) => ({ ...tab, isShown: tab === documentTab, open: () => documentPanels?.show(tab.id) })),
  ];
  const title = documentTab?.label ?? (shown ? label(shown) : '');
  const close = () => {
    documentPanels?.close(side);
    for (const panel of panels) if (panel.isShown) panel.close();
  };
  return (
    <SidePanel
      label={title}
      side={side}
      opened={documentTab !== undefined || shown !== undefined}
      onClose={close}
      isSheet={false}
    >
      {(tabs.length > 1 || side === 'right') && <TabStrip title={title} tabs={tabs} onClose={close} />}
      {documentTab ? (
        <div ref={setSlot} className={classes.slot} data-document-panel />
      ) : (
        shown && <Content panel={shown} content={content} />
      )}
    </SidePanel>
  );
}

function Content({ panel, content }: { panel: ShownPanel; content: PanelOfSideProps['content'] }) {
  return (
    <Suspense fallback={<TextSkeleton />}>
      <panel.component {...content} onClose={panel.close} />
    </Suspense>
  );
}

interface Tab extends PanelTab {
  isShown: boolean;
  open(): void;
}

function TabStrip({ title, tabs, onClose }: { title: string; tabs: Tab[]; onClose(): void }) {
  return (
    <div className={classes.strip}>
      <div role="tablist" aria-label="Panels" className={classes.tabs}>
        {tabs.map(({ label, icon: Icon, isShown, open }) => (
          // The page and the document can have panels with the same id.
          <IconButton
            key={label}
            label={label}
            role="tab"
            aria-selected={isShown}
            className={classes.tab}
            variant={isShown ? 'light' : undefined}
            size={28}
            onClick={open}
          >
            <Icon size={16} stroke={1.6} />
          </IconButton>
        ))}
      </div>
      <IconButton label={`Close ${title}`} size={24} onClick={onClose}>
        <IconX size={15} />
      </IconButton>
    </div>
  );
}
