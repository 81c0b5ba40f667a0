import type { KernelMessage } from '@atoll/kernels/client';
import { isBufferPath, type Widget } from '@atoll/notebook';

/** The limit of widgets kept. */
const widgetsLimit = 2_000;
const stateLimit = 1024 ** 2;
/** The limit for all pictures of a kernel, because a client that joins later gets them in one answer. */
const picturesLimit = 6 * 1024 ** 2;

/** A moving slider sends many updates a second; updates of one widget merge, because only the last values matter. */
export function addComm(comms: KernelMessage[], message: KernelMessage): void {
  const stateOf = ({ type, content, buffers }: KernelMessage) => {
    const { method, state } = (content.data ?? {}) as { method?: string; state?: Record<string, unknown> };
    return type === 'comm_msg' && method === 'update' && buffers.length === 0 ? (state ?? {}) : null;
  };
  const last = comms.at(-1);
  const [before, after] = [last ? stateOf(last) : null, stateOf(message)];
  if (last && before && after && last.content.comm_id === message.content.comm_id) {
    const data = { ...(message.content.data as object), state: { ...before, ...after } };
    comms[comms.length - 1] = { ...message, content: { ...message.content, data } as KernelMessage['content'] };
  } else comms.push(message);
}

const mostAtOnce = 4 * 1024 ** 2;

/** The message for all clients: without its pictures where they are too large for a broadcast. */
export function publishable(message: KernelMessage): KernelMessage {
  const bytes = message.buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);
  if (bytes <= mostAtOnce) return message;
  const data = { ...(message.content.data as object), buffer_paths: [] };
  return { ...message, content: { ...message.content, data } as KernelMessage['content'], buffers: [] };
}

/** Keeps each widget's current state, because a client that joins later does not need its history. */
export function takeInComm(widgets: Map<string, Widget>, { type, content, buffers }: KernelMessage): void {
  const { comm_id: id, data, target_name: target } = content as Record<string, unknown>;
  if (typeof id !== 'string') return;
  if (type === 'comm_close') return void widgets.delete(id);
  const { state, method, buffer_paths: paths } = (data ?? {}) as Partial<CommData>;
  const isOpening = type === 'comm_open' && target === 'jupyter.widget' && widgets.size < widgetsLimit;
  // An echo repeats a change that a page has made.
  const before = isOpening ? none : method === 'update' || method === 'echo_update' ? widgets.get(id) : undefined;
  if (!before) return;
  if (JSON.stringify(state ?? {}).length > stateLimit) return;
  const brought = buffers.flatMap((bytes, index) => {
    const path = Array.isArray(paths) ? paths[index] : null;
    return isBufferPath(path) ? { path, encoding: 'base64' as const, data: Buffer.from(bytes).toString('base64') } : [];
  });
  const changed = new Set<unknown>([...Object.keys(state ?? {}), ...brought.map(({ path }) => path[0])]);
  // Insert the newest at the end, because the end loses its pictures last.
  widgets.delete(id);
  widgets.set(id, {
    state: withoutSecret({ ...before.state, ...state }),
    buffers: [...before.buffers.filter(({ path }) => !changed.has(path[0])), ...brought],
  });
  if (brought.length > 0) dropOldPictures(widgets);
}

function dropOldPictures(widgets: Map<string, Widget>): void {
  let left = picturesLimit;
  for (const [id, { state, buffers }] of [...widgets].toReversed()) {
    left -= buffers.reduce((sum, { data }) => sum + data.length, 0);
    if (left < 0 && buffers.length > 0) widgets.set(id, { state, buffers: [] });
  }
}

const none: Widget = { state: {}, buffers: [] };
interface CommData {
  state: Record<string, unknown>;
  method: string;
  buffer_paths: unknown;
}

/** Removes text typed into a password field: only the kernel gets it, not files and clients that join later. */
const withoutSecret = (state: Record<string, unknown>) =>
  state._model_name === 'PasswordModel' ? { ...state, value: '' } : state;
