import { authHeaders } from '../../platform/credentials.ts';
import { apiBase, send } from '../../platform/http.ts';
import type { OpenNotebook } from './notebook-context.tsx';

/** The notebook as it is on the screen, as a file of another kind. */
export async function downloadAs(
  { store, projectId, fileId }: OpenNotebook,
  type: string,
  frame_id?: string,
): Promise<void> {
  store.flush();
  // What was typed last may be on its way.
  for (let tries = 0; tries < 30 && !store.getSaving().isDone; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await download(`/v1/projects/${projectId}/files/${fileId}/export`, {
    type,
    ...(frame_id === undefined ? {} : { frame_id }),
  });
}

/** What a cell shows, as a file. */
export const downloadOutput = ({ projectId, fileId }: OpenNotebook, cell_id: string, type: string): Promise<void> =>
  download(`/v1/projects/${projectId}/files/${fileId}/export_cell`, { cell_id, type });

async function download(path: string, body: { type: string; cell_id?: string; frame_id?: string }): Promise<void> {
  const answer = await send(apiBase() + path, {
    method: 'POST',
    headers: { ...authHeaders(), 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  });
  const named = /filename\*=UTF-8''([^;]+)/i.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = named ? decodeURIComponent(named) : `notebook.${body.type}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
