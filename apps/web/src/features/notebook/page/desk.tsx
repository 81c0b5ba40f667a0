import type { ProjectFile } from '@atoll/contract/files/entity';
import { Drawer } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useMemo } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { useLobby } from '../../collaboration/lobby-context.tsx';
import type { OutputsPlace } from '../../outputs/outputs-context.tsx';
import { useNotebook, useNotebookMode, useSignal } from '../notebook-context.tsx';
import type { FixedKeys } from './help-sheet.tsx';
import classes from './notebook.module.css';
import { NotebookSkeleton } from './notebook-skeleton.tsx';
import { useInnerPanels } from './use-inner-panels.ts';

const WidgetOutput = lazyPart(() => import('../widgets/widget-output.tsx'), 'WidgetOutput');
const PastView = lazyPart(() => import('../versions/past-view.tsx'), 'PastView');
const EmbedDialog = lazyPart(() => import('../../embeds/embed-dialog.tsx'), 'EmbedDialog');
const HelpSheet = lazyPart(() => import('./help-sheet.tsx'), 'HelpSheet');

/** What the last run that succeeded left, where somebody asked for it; else what is there now. */
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

/** What scrolls in a panel is its list, and not all of it. */
const column = { display: 'flex', flexDirection: 'column' } as const;

/** The panel that is open beside the document. */
export function Beside() {
  const { ui } = useNotebook();
  const shown = useSignal(ui, 'panel', ui.getPanel);
  const panel = useInnerPanels().find(({ id }) => id === shown);
  const isNarrow = useIsNarrow();
  if (!panel) return null;
  const content = (
    <Suspense>
      <panel.component />
    </Suspense>
  );
  if (isNarrow) {
    return (
      <Drawer
        opened
        onClose={() => ui.showPanel(null)}
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
        {content}
      </Drawer>
    );
  }
  return (
    <aside className={classes.panel} aria-label={panel.id} data-wide={panel.isWide || undefined}>
      {content}
    </aside>
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

/** What outputs may ask of this notebook. */
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

/** Tells the others which cell I am in. */
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
