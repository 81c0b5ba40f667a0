import type { KernelMessage } from '@atoll/kernels/client';
import { isBufferPath, type Widget } from '@atoll/notebook';

/** How much is kept of widgets. */
const widgetsLimit = 2_000;
const stateLimit = 1024 ** 2;
/** Of all pictures of a kernel: they go to whoever comes later in one answer. */
const picturesLimit = 6 * 1024 ** 2;

/** A slider that is moved says so many times a second; the last of what it says about the same is enough. */
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

/** What can be told to everybody: a widget without its pictures, where they are too large for that. */
export function publishable(message: KernelMessage): KernelMessage {
  const bytes = message.buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);
  if (bytes <= mostAtOnce) return message;
  const data = { ...(message.content.data as object), buffer_paths: [] };
  return { ...message, content: { ...message.content, data } as KernelMessage['content'], buffers: [] };
}

/** Whoever comes later needs a widget as it is now, not all that was said to it. */
export function takeInComm(widgets: Map<string, Widget>, { type, content, buffers }: KernelMessage): void {
  const { comm_id: id, data, target_name: target } = content as Record<string, unknown>;
  if (typeof id !== 'string') return;
  if (type === 'comm_close') return void widgets.delete(id);
  const { state, method, buffer_paths: paths } = (data ?? {}) as Partial<CommData>;
  const isOpening = type === 'comm_open' && target === 'jupyter.widget' && widgets.size < widgetsLimit;
  // What a page has moved the kernel only says back.
  const before = isOpening ? none : method === 'update' || method === 'echo_update' ? widgets.get(id) : undefined;
  if (!before) return;
  if (JSON.stringify(state ?? {}).length > stateLimit) return;
  const brought = buffers.flatMap((bytes, index) => {
    const path = Array.isArray(paths) ? paths[index] : null;
    return isBufferPath(path) ? { path, encoding: 'base64' as const, data: Buffer.from(bytes).toString('base64') } : [];
  });
  const changed = new Set<unknown>([...Object.keys(state ?? {}), ...brought.map(({ path }) => path[0])]);
  // The newest at the end: it is the last to lose its pictures.
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

/** What is typed into a field for secrets is for the kernel alone, not for files and whoever comes later. */
const withoutSecret = (state: Record<string, unknown>) =>
  state._model_name === 'PasswordModel' ? { ...state, value: '' } : state;
