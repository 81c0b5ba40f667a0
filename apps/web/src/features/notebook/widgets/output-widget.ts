import * as base from '@jupyter-widgets/base';

/** An element in which a widget shows outputs; the page draws them like the outputs of cells. */
export interface OutputPlace {
  element: HTMLElement;
  model: base.DOMWidgetModel;
}

/** All such elements of the page; each notebook uses those inside of its own element. */
const places = new Set<OutputPlace>();
const listeners = new Set<() => void>();
let all: OutputPlace[] = [];

export const outputPlaces = (): OutputPlace[] => all;
export function onOutputPlaces(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  all = [...places];
  for (const listener of listeners) listener();
}

export class OutputModel extends base.DOMWidgetModel {
  override defaults() {
    return {
      ...super.defaults(),
      _model_name: 'OutputModel',
      _model_module: '@jupyter-widgets/output',
      _view_name: 'OutputView',
      _view_module: '@jupyter-widgets/output',
      msg_id: '',
      outputs: [],
    };
  }
}

export class OutputView extends base.DOMWidgetView {
  private place: OutputPlace | null = null;

  override render(): void {
    super.render();
    this.place = { element: this.el, model: this.model };
    places.add(this.place);
    // Before that, the element is not attached to the page.
    void this.displayed.then(changed);
    this.listenTo(this.model, 'change:outputs', changed);
  }

  override remove(): this {
    if (this.place && places.delete(this.place)) changed();
    super.remove();
    return this;
  }
}
