import type { CellOutput } from '@atoll/contract';
import { type Fields, fieldsOf } from './fields.ts';

const stateType = 'application/vnd.jupyter.widget-state+json';
const viewType = 'application/vnd.jupyter.widget-view+json';
/** The limit of the saved state, because all of it is sent whenever the notebook is opened. */
const mostSaved = 1024 ** 2;

/** The current state of a widget. Buffers such as pictures are beside the state, each with its path and its bytes. */
export interface Widget {
  state: Fields;
  buffers: { path: (string | number)[]; encoding: 'base64'; data: string }[];
}

export const isBufferPath = (path: unknown): path is (string | number)[] =>
  Array.isArray(path) && path.length > 0 && path.every((part) => Number.isInteger(part) || typeof part === 'string');

/** Code may send any path: one that leaves the state would let the page write into prototypes. */
export function isPlaceIn(state: unknown, path: unknown): boolean {
  if (!isBufferPath(path)) return false;
  let at = state;
  for (const [index, part] of path.entries()) {
    if (typeof at !== 'object' || at === null || part === '__proto__') return false;
    if (index === path.length - 1) return true;
    if (!Object.hasOwn(at, part)) return false;
    at = (at as Record<string | number, unknown>)[part];
  }
  return false;
}

/** Returns the ids of shown widgets. */
export const widgetsIn = (outputs: CellOutput[]): string[] =>
  outputs.flatMap((output) => {
    const { model_id: id } = 'data' in output ? fieldsOf(output.data[viewType]) : {};
    return typeof id === 'string' ? id : [];
  });

/**
 * Returns a notebook's metadata with its shown widgets, as Jupyter saves them: the current state of those in the kernel,
 * and the saved state of the others. Null for `shown` means all of them. Nothing changes where the kernel has none of them.
 */
export function withWidgets(metadata: Fields, inKernel: Record<string, Widget>, shown: string[] | null): Fields {
  const wanted = shown ?? Object.keys(inKernel);
  if (!wanted.some((id) => inKernel[id])) return metadata;
  const before = fieldsOf(fieldsOf(fieldsOf(metadata.widgets)[stateType]).state);
  const savedOf = (id: string): Fields | null => {
    const widget = inKernel[id];
    return widget ? saved(widget) : id in before ? fieldsOf(before[id]) : null;
  };
  const kept = new Map<string, Fields>();
  let left = mostSaved;
  // The last shown widget is the newest. A widget that does not fit with all its parts is left out.
  for (const id of [...wanted, ...(shown ? [] : Object.keys(before))].toReversed()) {
    const whole = partsOf(id, savedOf).filter(([part]) => !kept.has(part));
    const size = JSON.stringify(whole).length;
    if (size > left) continue;
    left -= size;
    for (const [part, each] of whole) kept.set(part, each);
  }
  const state = Object.fromEntries([...kept].sort(([one], [other]) => (one < other ? -1 : 1)));
  const widgets = { ...fieldsOf(metadata.widgets), [stateType]: { state, version_major: 2, version_minor: 0 } };
  return { ...metadata, widgets };
}

export interface SavedWidget {
  model_id: string;
  /** The saved models of the widget and all its parts, as in Jupyter. */
  state: Record<string, Fields>;
}

/** The saved state of a widget; null where the file has none. */
export function savedWidget(metadata: Fields, id: unknown): SavedWidget | null {
  if (typeof id !== 'string') return null;
  const all = fieldsOf(fieldsOf(fieldsOf(metadata.widgets)[stateType]).state);
  const parts = partsOf(id, (part) => (Object.hasOwn(all, part) ? fieldsOf(all[part]) : null));
  return parts.length > 0 ? { model_id: id, state: Object.fromEntries(parts) } : null;
}

/** The widget of an output; null for any other output. */
export const widgetOf = (output: CellOutput, metadata: Fields): SavedWidget | null =>
  'data' in output && viewType in output.data ? savedWidget(metadata, fieldsOf(output.data[viewType]).model_id) : null;

/** An output that includes its widget, for a page without the rest of the notebook. */
export const withSavedWidget = (output: CellOutput, metadata: Fields): CellOutput => {
  const widget = widgetOf(output, metadata);
  return widget && 'data' in output ? { ...output, data: { ...output.data, [stateType]: widget } } : output;
};

const saved = ({ state, buffers }: Widget): Fields => ({
  model_module: state._model_module,
  model_module_version: state._model_module_version,
  model_name: state._model_name,
  state,
  ...(buffers.length > 0 ? { buffers } : {}),
});

/** A widget with its parts: layout, style, the contents of a box. */
function partsOf(id: string, savedOf: (id: string) => Fields | null): [string, Fields][] {
  const found = new Map<string, Fields>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const widget = found.has(next) ? null : savedOf(next);
    if (!widget) continue;
    found.set(next, widget);
    for (const [, part = ''] of JSON.stringify(widget).matchAll(/"IPY_MODEL_([^"]+)"/g)) waiting.push(part);
  }
  return [...found];
}
