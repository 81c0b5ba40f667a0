import '@mantine/core/styles/Progress.layer.css';
import type { ParameterValues, StrategyTestDetail } from '@atoll/contract/strategies/entity';
import { Alert, Button, Code, Group, Progress, Skeleton, Text, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../../platform/api-error.ts';
import { api, client } from '../../../../platform/client.ts';
import { RetryButton } from '../../../../ui/problem.tsx';
import { toastError } from '../../../../ui/toast.ts';
import { combinationsOf, doneOf, minuteWords, stateWords, testTitle } from '../../model.ts';
import { testQuery } from '../../queries.ts';
import classes from '../strategies.module.css';
import { SweepResult, WalkForwardResult } from './sweep-result.tsx';
import { TestResult } from './test-result.tsx';

function progressWords({ kind, plan }: StrategyTestDetail, progress: number): string {
  if (kind !== 'sweep' || !plan) return `${Math.round(progress * 100)} %`;
  const count = combinationsOf(plan);
  return `${doneOf(progress, count)} of ${count}`;
}

interface TestDetailProps {
  strategyId: string;
  testId: string;
  progress: number | null;
  canRun: boolean;
  onClose(): void;
  onParameters(values: ParameterValues): void;
}

export function TestDetail({ strategyId, testId, progress, canRun, onClose, onParameters }: TestDetailProps) {
  const queryClient = useQueryClient();
  const { data: test, error, refetch } = useQuery(testQuery(strategyId, testId));
  const [isCodeShown, setIsCodeShown] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: api.strategies.key() });
  const cancel = useMutation({
    mutationFn: () => client.strategies.cancelTest({ id: strategyId, testId }),
    onSuccess: refresh,
    onError: (problem) => toastError(problem),
  });
  const remove = useMutation({
    mutationFn: () => client.strategies.deleteTest({ id: strategyId, testId }),
    onSuccess: async () => {
      onClose();
      await refresh();
    },
    onError: (problem) => toastError(problem),
  });
  const rename = useMutation({
    mutationFn: (name: string) => client.strategies.nameTest({ id: strategyId, testId, name: name.trim() || null }),
    onSuccess: refresh,
    onError: (problem) => toastError(problem),
  });
  if (error && !test)
    return (
      <div className={classes.empty} role="alert">
        <Text c="dimmed">{messageOf(error)}</Text>
        <Group>
          <Button variant="default" onClick={onClose}>
            All backtests
          </Button>
          <RetryButton onClick={() => refetch()} />
        </Group>
      </div>
    );
  if (!test) return <Skeleton height={400} />;
  const isGoing = test.state === 'queued' || test.state === 'running';
  return (
    <>
      <Group justify="space-between" mb="md">
        <Group gap="xs">
          <Button variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} />} onClick={onClose}>
            All backtests
          </Button>
          {canRun ? (
            <TextInput
              size="xs"
              aria-label="Name of the backtest"
              defaultValue={test.name ?? ''}
              key={test.name}
              placeholder={testTitle({ ...test, name: null })}
              onBlur={(event) =>
                event.currentTarget.value !== (test.name ?? '') && rename.mutate(event.currentTarget.value)
              }
              onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
            />
          ) : (
            <strong>{testTitle(test)}</strong>
          )}
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="subtle" onClick={() => setIsCodeShown(!isCodeShown)} aria-expanded={isCodeShown}>
            {isCodeShown ? 'Hide code' : 'Code it ran'}
          </Button>
          {test.kind === 'backtest' && (
            <Button size="xs" variant="default" onClick={() => onParameters(test.parameters)}>
              Use its parameters
            </Button>
          )}
          {canRun &&
            (isGoing ? (
              <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
                Cancel
              </Button>
            ) : (
              <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
                Delete
              </Button>
            ))}
        </Group>
      </Group>
      {isCodeShown && (
        <Code block mb="md" mah={360} style={{ overflow: 'auto' }}>
          {test.code}
        </Code>
      )}
      {isGoing && (
        <div role="status">
          <Text size="sm" mb="xs">
            {progress === null ? stateWords[test.state] : progressWords(test, progress)}
          </Text>
          <Progress value={progress === null ? 100 : progress * 100} animated={progress === null} />
        </div>
      )}
      {test.state === 'canceled' && <Alert>This one was canceled.</Alert>}
      {test.state === 'failed' && (
        <Alert color="danger" title="It failed" mb="md">
          {test.problem?.line !== undefined && test.problem?.line !== null && `Line ${test.problem.line}: `}
          {test.problem?.message ?? test.reason}
          {test.problem?.at && ` (at the bar of ${minuteWords(test.problem.at)})`}
        </Alert>
      )}
      <TestResult strategyId={strategyId} test={test} progress={progress} canRun={canRun} />
      <SweepResult test={test} onChoose={onParameters} />
      <WalkForwardResult test={test} />
    </>
  );
}
