import { authHeaders } from '../../platform/credentials.ts';
import { apiBase, send } from '../../platform/http.ts';
import type { OpenNotebook } from './notebook-context.tsx';

const exportPath = ({ projectId, fileId }: OpenNotebook) => `/v1/projects/${projectId}/files/${fileId}/export`;

/** Downloads the notebook as it is on the screen, in another format. */
export async function downloadAs(notebook: OpenNotebook, type: string, frame_id?: string): Promise<void> {
  await storeTyped(notebook);
  await download(exportPath(notebook), { type, ...(frame_id === undefined ? {} : { frame_id }) });
}

/** The same, as a blob to be shown. */
export async function exportedBlob(notebook: OpenNotebook, type: string, frame_id: string): Promise<Blob> {
  await storeTyped(notebook);
  return (await ask(exportPath(notebook), { type, frame_id })).blob();
}

/** Waits until the text that was typed last is stored. */
async function storeTyped({ store }: OpenNotebook): Promise<void> {
  store.flush();
  for (let tries = 0; tries < 30 && !store.getSaving().isDone; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Downloads the outputs of a cell as a file. */
export const downloadOutput = ({ projectId, fileId }: OpenNotebook, cell_id: string, type: string): Promise<void> =>
  download(`/v1/projects/${projectId}/files/${fileId}/export_cell`, { cell_id, type });

interface Asked {
  type: string;
  cell_id?: string;
  frame_id?: string;
}

const ask = (path: string, body: Asked): Promise<Response> =>
  send(apiBase() + path, {
    method: 'POST',
    headers: { ...authHeaders(), 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  });

async function download(path: string, body: Asked): Promise<void> {
  const answer = await ask(path, body);
  const named = /filename\*=UTF-8''([^;]+)/i.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = named ? decodeURIComponent(named) : `notebook.${body.type}`;
  link.click();
  URL.revokeObjectURL(link.href);
}
