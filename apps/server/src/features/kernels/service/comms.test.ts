import type { KernelMessage } from '@atoll/kernels/client';
import { expect, test } from 'vitest';
import { type KeptWidget, takeInComm } from './comms.ts';

const message = (type: string, content: object, buffers: Uint8Array[] = []): KernelMessage => ({
  channel: 'iopub',
  type,
  content: content as KernelMessage['content'],
  metadata: {},
  buffers,
  executionId: null,
});

test('what is typed is kept for who comes later, but for what is secret', () => {
  const widgets = new Map<string, KeptWidget>();
  for (const [id, _model_name] of Object.entries({ a: 'TextModel', b: 'PasswordModel' })) {
    const state = { _model_name, value: 'first' };
    takeInComm(widgets, message('comm_open', { comm_id: id, target_name: 'jupyter.widget', data: { state } }));
    const data = { method: 'echo_update', state: { value: 'typed' } };
    takeInComm(widgets, message('comm_msg', { comm_id: id, data }));
  }
  expect(widgets.get('a')?.state).toMatchObject({ value: 'typed' });
  expect(widgets.get('b')?.state).toMatchObject({ _model_name: 'PasswordModel', value: '' });
});

test('pictures are kept with their place, the last of each, and no place that is none', () => {
  const widgets = new Map<string, KeptWidget>();
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const open = (id: string, buffer_paths: unknown, buffers: Uint8Array[]) =>
    takeInComm(
      widgets,
      message(
        'comm_open',
        { comm_id: id, target_name: 'jupyter.widget', data: { state: { n: 1 }, buffer_paths } },
        buffers,
      ),
    );
  open('a', [['value'], ['more', 0]], [bytes('one'), bytes('two')]);
  const data = { method: 'update', state: {}, buffer_paths: [['value']] };
  takeInComm(widgets, message('comm_msg', { comm_id: 'a', data }, [bytes('three')]));
  expect(widgets.get('a')).toMatchObject({ state: { n: 1 } });
  expect(widgets.get('a')?.buffers).toEqual([
    { path: ['more', 0], encoding: 'base64', data: 'dHdv' },
    { path: ['value'], encoding: 'base64', data: 'dGhyZWU=' },
  ]);
  for (const [index, hostile] of [[['__proto__', 'x']], 'value', [7], [[{}]], [[]], null].entries()) {
    open(`hostile ${index}`, hostile, [bytes('x')]);
    expect(widgets.get(`hostile ${index}`)?.buffers).toEqual([]);
  }
});

test('no more is kept than a server can hold', () => {
  const widgets = new Map<string, KeptWidget>();
  for (let index = 0; index < 30; index++) {
    const data = { state: {}, buffer_paths: [['value']] };
    const content = { comm_id: String(index), target_name: 'jupyter.widget', data };
    takeInComm(widgets, message('comm_open', content, [new Uint8Array(index === 0 ? 4_000_000 : 3_000_000)]));
  }
  expect(widgets.has('0')).toBe(false);
  expect(widgets.size).toBe(16);
});
