import type { NotebookStore } from '../store.ts';

interface Callbacks {
  iopub?: { status?(message: object): void };
}
type Hearing = (message: object) => void;
type Bytes = ArrayBuffer | ArrayBufferView;

/** A connection of one widget to the kernel. */
export class WidgetComm {
  readonly comm_id: string;
  readonly target_name: string;
  private readonly store: NotebookStore;
  private onMessage: Hearing = () => {};
  private onEnd: Hearing = () => {};

  constructor(id: string, store: NotebookStore, target = 'jupyter.widget') {
    this.comm_id = id;
    this.target_name = target;
    this.store = store;
  }

  open(data: object, callbacks?: Callbacks, _metadata?: object, buffers?: Bytes[]): string {
    return this.say('comm_open', data, callbacks, buffers);
  }

  send(data: object, callbacks?: Callbacks, _metadata?: object, buffers?: Bytes[]): string {
    return this.say('comm_msg', data, callbacks, buffers);
  }

  close(data: object = {}, callbacks?: Callbacks, _metadata?: object, buffers?: Bytes[]): string {
    return this.say('comm_close', data, callbacks, buffers);
  }

  on_msg(hear: Hearing): void {
    this.onMessage = hear;
  }

  on_close(hear: Hearing): void {
    this.onEnd = hear;
  }

  hear(data: object, buffers: DataView[]): void {
    this.onMessage({ content: { comm_id: this.comm_id, data }, buffers, parent_header: {} });
  }

  end(): void {
    this.onEnd({ content: { comm_id: this.comm_id, data: {} } });
  }

  private say(
    type: 'comm_open' | 'comm_msg' | 'comm_close',
    data: object,
    callbacks?: Callbacks,
    buffers: Bytes[] = [],
  ) {
    const id = crypto.randomUUID();
    // A widget sends its next message only after the kernel has received this one.
    const heard = () =>
      callbacks?.iopub?.status?.({ content: { execution_state: 'idle' }, parent_header: { msg_id: id } });
    Promise.resolve()
      .then(() =>
        this.store.must().send('comm_message', {
          comm_id: this.comm_id,
          type,
          ...(type === 'comm_open' ? { target_name: this.target_name } : {}),
          data: data as Record<string, unknown>,
          buffers: buffers.map(base64),
        }),
      )
      .then(heard, heard);
    return id;
  }
}

function base64(bytes: Bytes): string {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  let text = '';
  for (const each of view) text += String.fromCharCode(each);
  return btoa(text);
}
