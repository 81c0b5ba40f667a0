import { executionOf, type KernelMessage } from '@atoll/kernels/client';
import { type Collected, collect, type Mask, type Widget } from '@atoll/notebook';

type Widgets = ReadonlyMap<string, Pick<Widget, 'state'>>;

const mostShown = 1024 ** 2;

/**
 * While an Output widget captures output, the output belongs to the widget: not to the cell, and also when no cell runs.
 */
export class WidgetOutputs {
  readonly #collected = new Map<string, Collected>();
  readonly #published = new Map<string, unknown>();

  /** Returns the message for the widget, or null for output that belongs elsewhere. */
  take(widgets: Widgets, message: KernelMessage, mask: Mask): KernelMessage | null {
    const id = this.#listening(widgets, message);
    if (id === null) return null;
    const { outputs: now } = widgets.get(id)?.state ?? {};
    // The code has set the outputs itself.
    if (now !== this.#published.get(id)) this.#collected.set(id, collectedOf(now));
    const collected = this.#collected.get(id) ?? collectedOf([]);
    if (JSON.stringify(collected.outputs).length < mostShown) collect(collected, message, mask);
    this.#collected.set(id, collected);
    const outputs = collected.outputs.map(({ output }) => ({ ...output }));
    this.#published.set(id, outputs);
    const data = { method: 'update', state: { outputs } } as unknown as KernelMessage['content'];
    return { ...message, type: 'comm_msg', content: { comm_id: id, data }, metadata: {}, buffers: [] };
  }

  #listening(widgets: Widgets, { type, executionId }: KernelMessage): string | null {
    if (!shown.has(type)) return null;
    for (const [id, { state }] of widgets) {
      const { _model_name: model, msg_id } = state;
      if (model === 'OutputModel' && typeof msg_id === 'string' && msg_id && executionOf({ msg_id }) === executionId)
        return id;
    }
    return null;
  }
}

const shown = new Set(['stream', 'display_data', 'execute_result', 'error', 'update_display_data', 'clear_output']);

const collectedOf = (outputs: unknown): Collected => ({
  outputs: (Array.isArray(outputs) ? outputs : []).map((output) => ({ output, displayId: null })),
  clearsWithNext: false,
});
