import { Button } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import {
  type DocumentPanels,
  type PanelHost,
  PanelHostContext,
  type Side,
} from '../../../platform/features/panel-host.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { LobbyProvider } from '../../collaboration/lobby-context.tsx';
import { closeLocks } from '../../collaboration/use-file-lock.ts';
import { TextSkeleton } from '../../files/lazy-editor.tsx';
import { useFileLive, useProjectLive } from '../../files/live.ts';
import { allRuns, parsePageSearch, shownFile } from '../../files/model.ts';
import { PageNotice } from '../../files/page-notice.tsx';
import { treeQuery } from '../../files/queries.ts';
import { KeptWithoutAccess } from '../../notebook/kept-without-access.tsx';
import { RunControls } from '../../runs/run-controls.tsx';
import { ProjectAbout } from '../about/project-about.tsx';
import { projectQuery } from '../queries.ts';
import { AccessLost } from './access-lost.tsx';
import { BottomPanel } from './bottom-panel.tsx';
import { FilePane, useViews } from './file-pane.tsx';
import { PanelOfSide } from './panel-of-side.tsx';
import { ProjectHeader } from './project-header.tsx';
import classes from './project-page.module.css';
import { useTabs } from './tabs.ts';
import { TabsBar } from './tabs-bar.tsx';
import { useSidePanels } from './use-side-panels.ts';

const ProjectNotices = lazyPart(() => import('../offers/project-notices.tsx'), 'ProjectNotices');
const RunsPanel = lazyPart(() => import('../../runs/runs-panel.tsx'), 'RunsPanel');

/** One project: one panel with tabs at each side, the open files in the middle. */
export function ProjectPage({ projectId }: { projectId: string }) {
  const { data: project, error } = useSuspenseQuery(projectQuery(projectId));
  const canRead = project.permissions.includes('view_source');
  const canEdit = project.permissions.includes('edit') && !project.deleted_at;
  const tree = useQuery({ ...treeQuery(projectId), enabled: canRead });
  const search = parsePageSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();

  const all = tree.data?.files ?? [];
  const file = shownFile(all, search.file, project);
  const { tabs, close } = useTabs(projectId, file?.id);
  useProjectLive(project);
  useFileLive(projectId, file?.id);
  useEffect(() => () => closeLocks(projectId), [projectId]);
  const [documentPanels, setDocumentPanels] = useState<DocumentPanels | null>(null);
  const [slots, setSlots] = useState<PanelHost['slots']>({ left: null, right: null });
  const host = useMemo<PanelHost>(() => ({ slots, setDocumentPanels }), [slots]);
  const panels = useSidePanels(project, file, isNarrow, documentPanels);
  const show = (id: string | undefined, view?: string) => {
    if (isNarrow) for (const panel of panels) if (panel.place === 'left') panel.close();
    // On a phone the runs lie over the file.
    void navigate({ to: '.', search: { file: id, view, run: isNarrow ? undefined : search.run, panel: search.panel } });
  };
  const showRun = (run: string | undefined) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, run }) });
  const { views, view } = useViews(file, search.view);
  const beside = (side: Side) => (
    <PanelOfSide
      side={side}
      panels={panels.filter(({ place }) => place === side)}
      documentPanels={documentPanels}
      onSlot={setSlots}
      content={{ project, file, canEdit, isNarrow, onOpen: (id) => show(id) }}
    />
  );

  const closeTab = (id: string) => {
    close(id);
    closeLocks(projectId, id);
    if (id !== file?.id) return;
    const at = tabs.indexOf(id);
    show(tabs[at + 1] ?? tabs[at - 1]);
  };

  if (error instanceof ApiError && (error.status === 404 || error.status === 403))
    return <AccessLost project={project} />;
  return (
    <LobbyProvider projectId={projectId} fileId={file?.id}>
      <PanelHostContext value={host}>
        {project.visibility === 'private' && <meta name="robots" content="noindex" />}
        <div className={classes.page}>
          <ProjectHeader
            project={project}
            file={file}
            views={views}
            view={view}
            onView={(next) => show(file?.id, next)}
            panels={panels}
            files={all}
            onOpen={(id) => show(id)}
          />
          {(project.offer || project.is_awaiting_review) && (
            <Suspense>
              <ProjectNotices project={project} />
            </Suspense>
          )}
          <div className={classes.body}>
            {beside('left')}
            <div className={classes.middle}>
              <TabsBar files={all} tabs={tabs} shownId={file?.id} onShow={show} onClose={closeTab}>
                <RunControls
                  project={project}
                  file={file}
                  isPanelShown={search.run !== undefined}
                  onPanel={() => showRun(search.run === undefined ? allRuns : undefined)}
                  onStarted={showRun}
                />
              </TabsBar>
              {!canRead ? (
                <div className={classes.unread}>
                  <ProjectAbout project={project} />
                  <KeptWithoutAccess projectId={projectId} />
                </div>
              ) : tree.error ? (
                <PageNotice
                  title="Could not load the files"
                  action={<Button onClick={() => tree.refetch()}>Try again</Button>}
                >
                  {messageOf(tree.error)}
                </PageNotice>
              ) : !tree.data ? (
                <TextSkeleton />
              ) : file ? (
                <FilePane
                  key={file.id}
                  file={file}
                  views={views}
                  view={view}
                  canEdit={canEdit}
                  onView={(next) => show(file.id, next)}
                />
              ) : search.file ? (
                <PageNotice
                  title="File not found"
                  action={<Button onClick={() => show(undefined)}>Open main file</Button>}
                >
                  The file was deleted or belongs to another project.
                </PageNotice>
              ) : (
                <PageNotice title={canEdit ? 'No files yet' : 'This project is empty'}>
                  {canEdit
                    ? 'Create a file in the Files panel, or drop files there.'
                    : 'The owner has not added any files.'}
                </PageNotice>
              )}
              {search.run && project.permissions.includes('view_history') && (
                <BottomPanel label="Runs" onClose={() => showRun(undefined)} isSheet={isNarrow}>
                  <Suspense fallback={<TextSkeleton />}>
                    <RunsPanel
                      project={project}
                      files={all}
                      runId={search.run === allRuns ? null : search.run}
                      onRun={(id) => showRun(id ?? allRuns)}
                      onOpenFile={(id) => show(id)}
                      onClose={isNarrow ? undefined : () => showRun(undefined)}
                    />
                  </Suspense>
                </BottomPanel>
              )}
            </div>
            {beside('right')}
          </div>
        </div>
      </PanelHostContext>
    </LobbyProvider>
  );
}
