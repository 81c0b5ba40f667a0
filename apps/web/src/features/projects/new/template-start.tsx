import { Loader, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import problem from '../../../ui/problem.module.css';
import { RetryButton } from '../../../ui/problem.tsx';
import { useCreateProject } from '../mutations.ts';
import { CreateProblem } from './create-problem.tsx';
import classes from './template-start.module.css';

/** Outside the component, because a page that mounts twice must still make one project. */
const underWay = new Set<string>();
const ignore = () => {};

/** An address that opens a new project from the template of this name. */
export function TemplateStart({ template, title }: { template: string; title: string }) {
  const create = useCreateProject();
  const start = () => {
    if (underWay.has(template)) return;
    underWay.add(template);
    create
      .mutateAsync({ template, name: title, replace: true })
      .catch(ignore)
      .finally(() => underWay.delete(template));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per visit.
  useEffect(start, []);

  return (
    <div className={problem.problem}>
      <Title order={1}>{title}</Title>
      {create.error ? (
        <div>
          <CreateProblem error={create.error} />
          <RetryButton onClick={start} />
        </div>
      ) : (
        <Text c="dimmed" role="status" className={classes.status}>
          <Loader size={16} aria-hidden /> Creating project…
        </Text>
      )}
    </div>
  );
}
