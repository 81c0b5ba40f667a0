import type { KernelMessage } from '@atoll/kernels/client';
import { expect, test } from 'vitest';
import { WidgetOutputs } from './widget-outputs.ts';

const message = (type: string, content: object, executionId: string | null = null): KernelMessage => ({
  channel: 'iopub',
  type,
  content: content as KernelMessage['content'],
  metadata: {},
  buffers: [],
  executionId,
});
const print = (text: string, executionId: string | null = null) =>
  message('stream', { name: 'stdout', text }, executionId);

test('output goes to the widget that captures it, whichever code caused it', () => {
  const all = new WidgetOutputs();
  const widgets = new Map<string, { state: Record<string, unknown> }>([
    ['slider', { state: { _model_name: 'IntSliderModel', msg_id: 'x' } }],
    ['out', { state: { _model_name: 'OutputModel', msg_id: '', outputs: [] } }],
  ]);
  const change = (state: object) => widgets.set('out', { state: { ...widgets.get('out')?.state, ...state } });
  const mask = (text: string) => text.replaceAll('secret', '•••');
  const take = (said: KernelMessage) => {
    const told = all.take(widgets, said, mask)?.content.data as { state: Record<string, unknown> } | undefined;
    if (told) change(told.state);
    return told?.state.outputs;
  };
  const listens = (msg_id: string) => change({ msg_id });
  expect(take(print('nobody'))).toBeUndefined();
  listens('execution:e1');
  expect(take(print('moved'))).toBeUndefined();
  expect(take(print('in a secret cell', 'e1'))).toEqual([
    { output_type: 'stream', name: 'stdout', text: 'in a ••• cell' },
  ]);
  // A user moved a slider, and no cell runs.
  listens('comm-1');
  expect(take(print('of a cell', 'e2'))).toBeUndefined();
  expect(take(message('clear_output', { wait: true }))).toHaveLength(1);
  expect(take(print('again'))).toEqual([{ output_type: 'stream', name: 'stdout', text: 'again' }]);
  // The code clears the outputs itself.
  change({ outputs: [] });
  expect(take(print('anew'))).toEqual([{ output_type: 'stream', name: 'stdout', text: 'anew' }]);
});
