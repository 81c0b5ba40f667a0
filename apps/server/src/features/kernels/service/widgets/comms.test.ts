import type { KernelMessage } from '@atoll/kernels/client';
import type { Widget } from '@atoll/notebook';
import { expect, test } from 'vitest';
import { publishable, takeInComm } from './comms.ts';

const message = (type: string, content: object, buffers: Uint8Array[] = []): KernelMessage => ({
  channel: 'iopub',
  type,
  content: content as KernelMessage['content'],
  metadata: {},
  buffers,
  executionId: null,
});

test('keeps typed text for later clients, except secrets', () => {
  const widgets = new Map<string, Widget>();
  for (const [id, _model_name] of Object.entries({ a: 'TextModel', b: 'PasswordModel' })) {
    const state = { _model_name, value: 'first' };
    takeInComm(widgets, message('comm_open', { comm_id: id, target_name: 'jupyter.widget', data: { state } }));
    const data = { method: 'echo_update', state: { value: 'typed' } };
    takeInComm(widgets, message('comm_msg', { comm_id: id, data }));
  }
  expect(widgets.get('a')?.state).toMatchObject({ value: 'typed' });
  expect(widgets.get('b')?.state).toMatchObject({ _model_name: 'PasswordModel', value: '' });
});

test('keeps pictures by place, the last of each, and rejects invalid places', () => {
  const widgets = new Map<string, Widget>();
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
  for (const [index, hostile] of ['value', [7], [[{}]], [[]], null].entries()) {
    open(`hostile ${index}`, hostile, [bytes('x')]);
    expect(widgets.get(`hostile ${index}`)?.buffers).toEqual([]);
  }
});

test('keeps the newest pictures and all widgets; publishes a message without pictures when they are too large', () => {
  const widgets = new Map<string, Widget>();
  const picture = (id: string, size: number) =>
    message(
      'comm_open',
      { comm_id: id, target_name: 'jupyter.widget', data: { state: { id }, buffer_paths: [['value']] } },
      [new Uint8Array(size)],
    );
  for (const id of ['a', 'b', 'c', 'd']) takeInComm(widgets, picture(id, 1_400_000));
  // A message to the widget makes it the newest again.
  const data = { method: 'update', state: { n: 1 }, buffer_paths: [] };
  takeInComm(widgets, message('comm_msg', { comm_id: 'b', data }));
  takeInComm(widgets, picture('e', 1_400_000));
  const having = () => [...widgets].flatMap(([id, { buffers }]) => (buffers.length > 0 ? id : []));
  expect(having()).toEqual(['d', 'b', 'e']);
  expect(widgets.get('a')?.state).toEqual({ id: 'a' });
  expect(publishable(picture('f', 1_000))).toEqual(picture('f', 1_000));
  expect(publishable(picture('f', 5_000_000))).toMatchObject({ buffers: [], content: { data: { buffer_paths: [] } } });
});
