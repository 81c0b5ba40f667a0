import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/_shell/teams')({ staticData: { title: 'Teams' } });
