import { type Fields, fieldsOf } from '../fields.ts';
import type { SavedWidget } from '../widgets.ts';
import { escaped } from './escaped.ts';

/** A widget can stand in many others, so the number of drawn widgets is limited. */
const most = 300;

interface Drawing {
  /** Sanitises people's HTML. */
  clean(html: string): string;
  /** Renders the outputs that code has shown in an Output widget. */
  outputs(outputs: unknown): string;
}

/** The saved state of a widget as HTML without scripts; empty for a widget without a readable form. */
export function widgetAsText({ model_id, state }: SavedWidget, { clean, outputs }: Drawing): string {
  let left = most;
  const draw = (reference: unknown, depth: number): string => {
    const id = String(reference).replace(/^IPY_MODEL_/, '');
    if (left-- <= 0 || depth > 20 || !Object.hasOwn(state, id)) return '';
    const model = fieldsOf(state[id]);
    const fields = fieldsOf(model.state);
    const name = String(model.model_name ?? '').replace(/Model$/, '');
    if (Array.isArray(fields.children)) {
      const titles = Array.isArray(fields.titles) ? fields.titles : [];
      const parts = fields.children.map((child, index) => {
        const title = titles[index] ? `<p><strong>${escaped(String(titles[index]))}</strong></p>` : '';
        return title + draw(child, depth + 1);
      });
      return name === 'HBox' ? `<div>${parts.join(' ')}</div>` : parts.map((part) => `<div>${part}</div>`).join('');
    }
    if (name === 'Output') return outputs(fields.outputs);
    if (name === 'Image') return picture(model);
    return control(name, fields, clean);
  };
  return draw(model_id, 0);
}

function picture(model: Fields): string {
  const buffers = Array.isArray(model.buffers) ? model.buffers.map(fieldsOf) : [];
  const { data } = buffers.find(({ path, encoding }) => String(path) === 'value' && encoding === 'base64') ?? {};
  const format = String(fieldsOf(model.state).format ?? 'png');
  if (typeof data !== 'string' || !/^(png|jpeg|jpg|gif|webp)$/.test(format)) return '';
  return `<img alt="" src="data:image/${format === 'jpg' ? 'jpeg' : format};base64,${escaped(data)}">`;
}

function control(name: string, fields: Fields, clean: Drawing['clean']): string {
  const { value, min = 0, max } = fields;
  const words = clean(String(fields.description ?? ''));
  const label = words && `${words} `;
  if (/^HTML(Math)?$/.test(name)) return label + clean(String(value ?? ''));
  if (name === 'Label') return label + escaped(String(value ?? ''));
  if (/Progress$/.test(name)) {
    const [done, all] = [Number(value) - Number(min), Number(max) - Number(min)];
    return `${label}<progress value="${done || 0}" max="${all > 0 ? all : 1}"></progress>`;
  }
  if (name === 'Button') return words && `<kbd>${words}</kbd>`;
  if (typeof value === 'boolean') return `${value ? '☑' : '☐'} ${words}`;
  const options = fields._options_labels;
  if (Array.isArray(options)) {
    const chosen = [fields.index ?? []].flat().map((index) => options[Number(index)] ?? '');
    return label + escaped(chosen.join(', '));
  }
  if (Array.isArray(value)) return label + escaped(value.join(' – '));
  return typeof value === 'string' || typeof value === 'number' ? label + escaped(String(value)) : '';
}
