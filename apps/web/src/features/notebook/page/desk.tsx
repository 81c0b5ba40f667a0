import type { ProjectFile } from '@atoll/contract/files/entity';
import { Drawer } from '@mantine/core';
import { type ReactNode, Suspense, use, useEffect, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import type { InnerPanelEntry } from '../../../platform/features/panel.ts';
import { PanelHostContext, type Side, sides } from '../../../platform/features/panel-host.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { useLobby } from '../../collaboration/lobby-context.tsx';
import type { OutputsPlace } from '../../outputs/outputs-context.tsx';
import { useNotebook, useNotebookMode, useSignal } from '../notebook-context.tsx';
import { sideOfPanel } from '../panels/panel-sides.ts';
import type { FixedKeys } from './help-sheet.tsx';
import classes from './notebook.module.css';
import { NotebookSkeleton } from './notebook-skeleton.tsx';
import { useInnerPanels } from './use-inner-panels.ts';

const WidgetOutput = lazyPart(() => import('../widgets/widget-output.tsx'), 'WidgetOutput');
const PastView = lazyPart(() => import('../versions/past-view.tsx'), 'PastView');
const EmbedDialog = lazyPart(() => import('../../embeds/embed-dialog.tsx'), 'EmbedDialog');
const HelpSheet = lazyPart(() => import('./help-sheet.tsx'), 'HelpSheet');

/** Shows the outputs of the last successful run where the person chose that, else the current ones. */
export function PastOr({ file, children }: { file: ProjectFile; children: ReactNode }) {
  const { ui } = useNotebook();
  const isPast = useSignal(ui, 'past', ui.getPast);
  if (!isPast) return children;
  return (
    <div className={classes.notebook} data-notebook>
      <Suspense fallback={<NotebookSkeleton />}>
        <PastView file={file} />
      </Suspense>
    </div>
  );
}

/** In a panel its list scrolls, and not the whole panel. */
const column = { display: 'flex', flexDirection: 'column' } as const;

/** The open panels of the document: in the page's panels, or in sheets over the page where it is narrow. */
export function OpenPanels() {
  const { ui } = useNotebook();
  const panels = useInnerPanels();
  const left = useSignal(ui, 'panel', () => ui.getPanel('left'));
  const right = useSignal(ui, 'panel', () => ui.getPanel('right'));
  const host = use(PanelHostContext);
  const isNarrow = useIsNarrow();
  const tabs = panels.filter(({ id, hasButton }) => hasButton || id === 'comments' || id === left || id === right);
  const tabIds = tabs.map(({ id }) => id).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the entries are constants; their ids say which there are.
  useEffect(() => {
    if (isNarrow) return;
    const onSide = (side: Side) => tabs.filter(({ id }) => sideOfPanel(id) === side);
    host?.setDocumentPanels({
      tabs: { left: onSide('left'), right: onSide('right') },
      shown: { left, right },
      show: (id) => ui.showPanel(id),
      close: (side) => ui.closePanel(side),
    });
    return () => host?.setDocumentPanels(null);
  }, [host?.setDocumentPanels, ui, tabIds, left, right, isNarrow]);

  return sides.map((side) => {
    const panel = panels.find(({ id }) => id === ui.getPanel(side));
    return panel && <OpenPanel key={side} panel={panel} slot={host?.slots[side] ?? null} />;
  });
}

function OpenPanel({ panel, slot }: { panel: InnerPanelEntry; slot: HTMLElement | null }) {
  const isNarrow = useIsNarrow();
  const content = (
    <Suspense>
      <panel.component />
    </Suspense>
  );
  return isNarrow ? <PanelSheet panel={panel}>{content}</PanelSheet> : slot && createPortal(content, slot);
}

function PanelSheet({ panel, children }: { panel: InnerPanelEntry; children: ReactNode }) {
  const { ui } = useNotebook();
  return (
    <Drawer
      opened
      onClose={() => ui.closePanel(sideOfPanel(panel.id))}
      position="bottom"
      size={panel.isLow ? '45%' : '70%'}
      withOverlay={!panel.isLow}
      lockScroll={!panel.isLow}
      styles={{
        content: { ...column, borderTop: '1px solid var(--line)' },
        body: { ...column, flex: 1, minHeight: 0 },
      }}
      withCloseButton={false}
      padding={0}
    >
      {children}
    </Drawer>
  );
}

/** `keys`: those of a view that has its own. */
export const DeskDialogs = ({ keys }: { keys?: readonly FixedKeys[] }) => (
  <>
    <Help keys={keys} />
    <Embedding />
  </>
);

function Embedding() {
  const { ui, projectId, fileId, name } = useNotebook();
  const what = useSignal(ui, 'embed', ui.getEmbedding);
  return (
    <Suspense>
      {what && (
        <EmbedDialog
          projectId={projectId}
          fileId={fileId}
          name={name}
          cellId={what.cellId}
          onClose={() => ui.showEmbed(null)}
        />
      )}
    </Suspense>
  );
}

function Help({ keys }: { keys?: readonly FixedKeys[] | undefined }) {
  const { ui } = useNotebook();
  const isShown = useSignal(ui, 'help', ui.getHelp);
  return <Suspense>{isShown && <HelpSheet fixed={keys} onClose={() => ui.showHelp(false)} />}</Suspense>;
}

/** The requests that outputs may make to this notebook. */
export function useOutputsPlace(): OutputsPlace {
  const { store, ui } = useNotebook();
  const mode = useNotebookMode();
  return useMemo(
    () => ({
      loadFrame:
        mode === 'view' ? undefined : (frame_id, query) => store.must().send('get_frame_page', { frame_id, ...query }),
      drawWidget: (modelId) => (
        <Suspense>
          <WidgetOutput store={store} modelId={modelId} />
        </Suspense>
      ),
      goToCell: (count, line) => {
        const id = store.getOrder().find((each) => store.getShown(each).execution_count === count);
        if (!id) return store.options.notify('The cell was run again or deleted since then.');
        const start = offsetOfLine(store.sourceOf(id), line ?? 1);
        ui.focus(id, mode === 'edit' ? 'edit' : 'command', { cursor: { anchor: start, head: start } });
        ui.reveal(id, 'center');
      },
    }),
    [store, ui, mode],
  );
}

const offsetOfLine = (text: string, line: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0);

/** Sends the cell in which this person is to the others. */
export function useWhereabouts(): void {
  const { ui } = useNotebook();
  const lobby = useLobby();
  const place = useSignal(ui, 'active', () => `${ui.getActive() ?? ''} ${ui.getMode()}`);
  useEffect(() => {
    const [id, mode] = place.split(' ');
    lobby?.enter(id || null, mode === 'edit');
  }, [lobby, place]);
  useEffect(() => () => lobby?.enter(null, false), [lobby]);
}
