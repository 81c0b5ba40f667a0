import type { KernelMessage } from '@atoll/kernels/client';
import { expect, test } from 'vitest';
import { takeInComm } from './comms.ts';

const message = (type: string, content: object): KernelMessage => ({
  channel: 'iopub',
  type,
  content: content as KernelMessage['content'],
  metadata: {},
  buffers: [],
  executionId: null,
});

test('what is typed is kept for who comes later, but for what is secret', () => {
  const widgets = new Map<string, Record<string, unknown>>();
  for (const [id, _model_name] of Object.entries({ a: 'TextModel', b: 'PasswordModel' })) {
    const state = { _model_name, value: 'first' };
    takeInComm(widgets, message('comm_open', { comm_id: id, target_name: 'jupyter.widget', data: { state } }));
    const data = { method: 'echo_update', state: { value: 'typed' } };
    takeInComm(widgets, message('comm_msg', { comm_id: id, data }));
  }
  expect(widgets.get('a')).toMatchObject({ value: 'typed' });
  expect(widgets.get('b')).toMatchObject({ _model_name: 'PasswordModel', value: '' });
});
