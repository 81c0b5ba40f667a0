import { expect, test } from 'vitest';
import { isPlaceIn, type Widget, widgetsIn, withWidgets } from './widgets.ts';

const type = 'application/vnd.jupyter.widget-state+json';
const widget = (name: string, over: object = {}, buffers: Widget['buffers'] = []): Widget => ({
  state: {
    _model_module: '@jupyter-widgets/controls',
    _model_module_version: '2.0.0',
    _model_name: name,
    ...over,
  },
  buffers,
});
const stateIn = (metadata: Record<string, unknown>) =>
  (metadata.widgets as Record<string, { state: Record<string, { state: { value?: unknown } }> }>)[type]?.state ?? {};

test('saves a widget with all its parts, as Jupyter does, and leaves out models that are not shown', () => {
  const inKernel = {
    layout: widget('LayoutModel'),
    slider: widget('IntSliderModel', { value: 3, layout: 'IPY_MODEL_layout' }),
    box: widget('HBoxModel', { children: ['IPY_MODEL_slider', 'IPY_MODEL_box', 'IPY_MODEL_gone'] }),
    other: widget('IntSliderModel'),
  };
  const metadata = withWidgets({ kernelspec: { name: 'python3' } }, inKernel, ['box']);
  expect(Object.keys(stateIn(metadata))).toEqual(['box', 'layout', 'slider']);
  expect(metadata).toMatchObject({
    kernelspec: { name: 'python3' },
    widgets: {
      [type]: {
        version_major: 2,
        version_minor: 0,
        state: {
          slider: {
            model_module: '@jupyter-widgets/controls',
            model_module_version: '2.0.0',
            model_name: 'IntSliderModel',
            state: { value: 3 },
          },
        },
      },
    },
  });
});

test('keeps widgets that the kernel no longer has, and changes nothing for widgets it never had', () => {
  const first = withWidgets({}, { old: widget('A', { value: 1 }), hidden: widget('A') }, ['old', 'hidden']);
  expect(withWidgets(first, {}, ['old'])).toBe(first);
  expect(withWidgets(first, { another: widget('A') }, ['old'])).toBe(first);
  const second = withWidgets(first, { new: widget('A', { value: 2 }) }, ['old', 'new']);
  expect(Object.keys(stateIn(second))).toEqual(['new', 'old']);
  expect(stateIn(second).old?.state.value).toBe(1);
});

test('saves at most as much as can be sent: the last widgets, each with all its parts', () => {
  const value = 'x'.repeat(100_000);
  const inKernel = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      [`w${index}`, widget('A', { style: `IPY_MODEL_s${index}` })],
      [`s${index}`, widget('B', { value })],
    ]).flat(),
  );
  const shown = Array.from({ length: 30 }, (_, index) => `w${index}`);
  const saved = Object.keys(stateIn(withWidgets({}, inKernel, shown)));
  expect(saved.filter((id) => id.startsWith('w'))).toHaveLength(10);
  expect(saved).toContain('w29');
  for (const id of saved) expect(saved).toContain(id.replace('w', 's'));
});

test('finds the shown widgets in the outputs', () => {
  const data = { 'application/vnd.jupyter.widget-view+json': { model_id: 'a' }, 'text/plain': 'IntSlider()' };
  expect(
    widgetsIn([
      { output_type: 'stream', name: 'stdout', text: '' },
      { output_type: 'display_data', data, metadata: {} },
    ]),
  ).toEqual(['a']);
});

test('saves pictures beside the state', () => {
  const buffers: Widget['buffers'] = [{ path: ['value'], encoding: 'base64', data: 'AAAA' }];
  const saved = stateIn(withWidgets({}, { a: widget('ImageModel', {}, buffers), b: widget('A') }, ['a', 'b']));
  expect(saved.a).toMatchObject({ model_name: 'ImageModel', buffers });
  expect(saved.b).not.toHaveProperty('buffers');
});

test('accepts only paths of buffers within the state', () => {
  const state = { value: '', list: [null, { deep: 1 }] };
  for (const path of [['value'], ['new'], ['list', 0], ['list', 1, 'deep']]) expect(isPlaceIn(state, path)).toBe(true);
  const hostile = [
    ['__proto__', 'x'],
    ['list', '__proto__'],
    ['hasOwnProperty', 'call'],
    ['value', 'trim', 'call'],
    ['none', 'x'],
  ];
  for (const path of [...hostile, [], ['value', 0, 1], 'value', [{}], null]) expect(isPlaceIn(state, path)).toBe(false);
  expect(isPlaceIn(undefined, ['value'])).toBe(false);
});
