import type { KernelMessage } from '@atoll/kernels/client';

/** How much is kept of widgets. */
const widgetsLimit = 2_000;
const stateLimit = 1024 ** 2;

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

/** Whoever comes later needs a widget as it is now, not all that was said to it. */
export function takeInComm(widgets: Map<string, Record<string, unknown>>, { type, content }: KernelMessage): void {
  const { comm_id: id, data, target_name: target } = content as Record<string, unknown>;
  if (typeof id !== 'string') return;
  if (type === 'comm_close') return void widgets.delete(id);
  const { state, method } = (data ?? {}) as { state?: Record<string, unknown>; method?: string };
  if (JSON.stringify(state ?? {}).length > stateLimit) return;
  if (type === 'comm_open' && target === 'jupyter.widget' && widgets.size < widgetsLimit)
    widgets.set(id, kept({ ...state }));
  // What a page has moved the kernel only says back.
  else if ((method === 'update' || method === 'echo_update') && widgets.has(id))
    widgets.set(id, kept({ ...widgets.get(id), ...state }));
}

/** What is typed into a field for secrets is for the kernel alone, not for files and whoever comes later. */
const kept = (state: Record<string, unknown>) =>
  state._model_name === 'PasswordModel' ? { ...state, value: '' } : state;
