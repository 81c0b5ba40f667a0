import { createFileRoute } from '@tanstack/react-router';
import { EmbedOff, RunEmbedPage } from '../../features/embeds/components/run-embed-page.tsx';
import { loadEmbed } from '../../features/embeds/queries.ts';

export const Route = createFileRoute('/_shell/run/$embedId')({
  staticData: { title: 'Run a copy' },
  loader: ({ context: { queryClient }, params }) => loadEmbed(queryClient, params.embedId),
  notFoundComponent: EmbedOff,
  component: () => <RunEmbedPage embedId={Route.useParams().embedId} />,
});
