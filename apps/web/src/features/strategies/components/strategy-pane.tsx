import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ParameterValues, StrategyDescription, TestPlan, TestSettings } from '@atoll/contract/strategies/entity';
import type { TestKind } from '@atoll/contract/strategies/values';
import { Alert, Button, Menu, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { api, client } from '../../../platform/client.ts';
import type { DocumentViewProps } from '../../../platform/features/document-kind.ts';
import { toastError } from '../../../ui/toast.ts';
import { saveAll, useDocument } from '../../files/documents.ts';
import { codeView } from '../../files/kinds.ts';
import { treeQuery } from '../../files/queries.ts';
import { projectQuery } from '../../projects/queries.ts';
import { chosenValues, readDocument, writeDocument } from '../model.ts';
import { describeQuery, useStrategyLive } from '../queries.ts';
import { Compare } from './backtests/compare.tsx';
import { PlanDialog } from './backtests/plan-dialog.tsx';
import { SettingsForm } from './backtests/settings-form.tsx';
import { TestDetail } from './backtests/test-detail.tsx';
import { TestList } from './backtests/test-list.tsx';
import { LiveRuns } from './runs/live-runs.tsx';
import { StartRunDialog } from './runs/start-run-dialog.tsx';
import classes from './strategies.module.css';

const tabs = { code: 'Code', tests: 'Backtests', live: 'Live' } as const;
type Tab = keyof typeof tabs | 'settings';

/** A strategy: its code, what it is set to, what came of its tests, and where it runs. */
export function StrategyPane({ file, canEdit }: DocumentViewProps) {
  const { data: document } = useDocument(file);
  const { data: found } = useQuery(describeQuery(file.id));
  const [declared, setDeclared] = useState<StrategyDescription['parameters']>([]);
  // While code is written it often cannot be read: what it declared before stays in the form.
  if (found && found.problem === null && found.parameters !== declared) setDeclared(found.parameters);
  if (!document || !found) return <Skeleton height={400} m="md" />;
  const description = found.problem ? { ...found, parameters: declared } : found;
  return <Strategy key={file.id} file={file} canEdit={canEdit} description={description} document={document} />;
}

interface StrategyProps {
  file: ProjectFile;
  canEdit: boolean;
  description: StrategyDescription;
  document: { text: string; write(text: string): void; save(): Promise<void> };
}

function Strategy({ file, canEdit, description, document }: StrategyProps) {
  const kept = readDocument(document.text);
  const [given, setGiven] = useState<ParameterValues>(kept.parameters);
  const [settings, setSettings] = useState<TestSettings>(kept.settings);
  const [tab, setTab] = useState<Tab>('code');
  const [openTest, setOpenTest] = useState<string | null>(null);
  const [compared, setCompared] = useState<string[]>([]);
  const [dialog, setDialog] = useState<'sweep' | 'walk_forward' | 'run' | null>(null);
  const [progress, setProgress] = useState(new Map<string, number | null>());
  const isNarrow = useMediaQuery('(width < 900px)') ?? false;
  const queryClient = useQueryClient();
  const { data: project } = useQuery(projectQuery(file.project_id));
  const canRun = project?.permissions.includes('execute') ?? false;
  const parameters = chosenValues(description.parameters, given);
  useStrategyLive(file.id, (testId, value) => setProgress((before) => new Map(before).set(testId, value)));

  const start = useMutation({
    mutationFn: async ({ kind, plan }: { kind: TestKind; plan?: TestPlan }) => {
      const text = canEdit ? writeDocument(document.text, parameters, settings) : null;
      if (text) document.write(text);
      await saveAll(file.project_id);
      return client.strategies.startTest({
        id: file.id,
        kind,
        parameters,
        settings,
        ...(plan ? { plan } : {}),
        request_id: crypto.randomUUID(),
      });
    },
    onSuccess: (test) => {
      setDialog(null);
      setOpenTest(test.id);
      setCompared([]);
      setTab('tests');
      void queryClient.invalidateQueries({ queryKey: api.strategies.tests.key({ input: { id: file.id } }) });
    },
    onError: (error) => {
      setDialog(null);
      toastError(error);
    },
  });
  const problems = start.error instanceof ApiError ? start.error.fields : {};
  const isFormShown = !isNarrow || tab === 'settings';
  const shownTabs = isNarrow ? { ...tabs, settings: 'Settings' } : tabs;
  return (
    <div className={classes.pane}>
      <div className={classes.main} data-filled={tab !== 'settings' || undefined}>
        <div className={classes.tabs}>
          <SegmentedControl
            size="xs"
            aria-label="Part of the strategy"
            data={Object.entries(shownTabs).map(([value, label]) => ({ value, label }))}
            value={tab}
            onChange={(value) => setTab(value as Tab)}
          />
        </div>
        {tab === 'code' && <Code file={file} canEdit={canEdit} description={description} />}
        {tab === 'tests' && (
          <div className={`${classes.content} ${classes.padded}`}>
            {openTest ? (
              <TestDetail
                strategyId={file.id}
                testId={openTest}
                progress={progress.get(openTest) ?? null}
                canRun={canRun}
                onClose={() => setOpenTest(null)}
                onParameters={(values) => {
                  setGiven({ ...given, ...values });
                  if (isNarrow) setTab('settings');
                }}
              />
            ) : (
              <>
                {compared.length > 1 && <Compare strategyId={file.id} testIds={compared} />}
                <TestList
                  strategyId={file.id}
                  progress={progress}
                  compared={compared}
                  onOpen={setOpenTest}
                  onCompare={setCompared}
                />
              </>
            )}
          </div>
        )}
        {tab === 'live' && (
          <div className={`${classes.content} ${classes.padded}`}>
            <LiveRuns strategyId={file.id} canRun={canRun} onStart={() => setDialog('run')} />
          </div>
        )}
      </div>
      {isFormShown && (
        <aside className={classes.side} aria-label="Settings of the backtest">
          <div className={classes.form}>
            <SettingsForm
              projectId={file.project_id}
              description={description}
              parameters={parameters}
              settings={settings}
              problems={problems}
              onParameters={setGiven}
              onSettings={setSettings}
            />
          </div>
          <div className={classes.start}>
            <Button
              loading={start.isPending}
              disabled={!canRun || description.problem !== null}
              onClick={() => start.mutate({ kind: 'backtest' })}
            >
              Run backtest
            </Button>
            <Menu position="top-end">
              <Menu.Target>
                <Button variant="default" px="xs" aria-label="More ways to test and run" disabled={!canRun}>
                  <IconChevronDown size={16} />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item disabled={description.parameters.length === 0} onClick={() => setDialog('sweep')}>
                  Sweep over parameters…
                </Menu.Item>
                <Menu.Item disabled={description.parameters.length === 0} onClick={() => setDialog('walk_forward')}>
                  Walk-forward…
                </Menu.Item>
                <Menu.Item onClick={() => setDialog('run')}>Run live…</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </div>
        </aside>
      )}
      {(dialog === 'sweep' || dialog === 'walk_forward') && (
        <PlanDialog
          kind={dialog}
          parameters={description.parameters}
          isPending={start.isPending}
          onStart={(plan) => start.mutate({ kind: dialog, plan })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'run' && (
        <StartRunDialog
          strategyId={file.id}
          parameters={parameters}
          settings={settings}
          onStarted={() => {
            setDialog(null);
            setTab('live');
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}

function Code({ file, canEdit, description }: Pick<StrategyProps, 'file' | 'canEdit' | 'description'>) {
  const queryClient = useQueryClient();
  const { data: tree } = useQuery(treeQuery(file.project_id));
  const code = tree?.files.find(({ id }) => id === description.code_file_id);
  const version = code?.version;
  // Its parameters may have changed with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the code was saved
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: describeQuery(file.id).queryKey });
  }, [version]);
  const Editor = codeView.component;
  return (
    <div className={classes.code}>
      {description.problem && (
        <Alert color="danger" m="sm" role="alert">
          {description.problem.line !== null && `Line ${description.problem.line}`}
          {description.problem.column !== null && `, column ${description.problem.column}`}
          {description.problem.line !== null && ': '}
          {description.problem.message}
        </Alert>
      )}
      <div className={classes.content}>
        {code ? (
          <Suspense fallback={<Skeleton height={300} m="md" />}>
            <Editor file={code} canEdit={canEdit} />
          </Suspense>
        ) : (
          <div className={classes.empty}>
            <Text fw={600}>There is no code</Text>
            <Text c="dimmed">
              {file.path} names its code as a file of this project. Open it as Raw and name one, such as strategy.ts or
              strategy.py.
            </Text>
          </div>
        )}
      </div>
    </div>
  );
}
