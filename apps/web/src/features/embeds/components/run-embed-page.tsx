import { useSuspenseQuery } from '@tanstack/react-query';
import { LinkButton } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { RunCopy } from '../../publications/run-copy.tsx';
import { embedByIdQuery, useRunEmbed } from '../queries.ts';

/** Where the link in an embed leads: here the reader has a session, on the other site there is none. */
export function RunEmbedPage({ embedId }: { embedId: string }) {
  const { data: embed } = useSuspenseQuery(embedByIdQuery(embedId));
  const run = useRunEmbed(embedId);
  if (!embed.execution_enabled) return <EmbedOff />;
  return (
    <Page title={`Run ${embed.file.name}`} width="form">
      <RunCopy
        hasProjectFiles={embed.execution_copy_project_files}
        isPending={run.isPending}
        onRun={() => run.mutate()}
      />
    </Page>
  );
}

export function EmbedOff() {
  return (
    <Problem
      title="This notebook cannot be run"
      actions={
        <LinkButton to="/publications" variant="default">
          Go to publications
        </LinkButton>
      }
    >
      Its author has turned this off.
    </Problem>
  );
}
