import '@jupyter-widgets/base/css/index.css';
import '@jupyter-widgets/controls/css/labvariables.css';
import '@jupyter-widgets/controls/css/widgets-base.css';
import './widgets.css';
import type { TopicEvent, topics } from '@atoll/contract';
import { isPlaceIn } from '@atoll/notebook';
import * as base from '@jupyter-widgets/base';
import { ManagerBase } from '@jupyter-widgets/base-manager';
import * as controls from '@jupyter-widgets/controls';
import { fieldsOf } from '../model.ts';
import type { NotebookStore } from '../store.ts';
import { clean } from './clean.ts';
import { WidgetComm } from './comm.ts';
import { OutputModel, OutputView } from './output-widget.ts';

type CommEvent = TopicEvent<(typeof topics)['notebook'], 'comm'>;
type State = Record<string, unknown>;

/** The library's own views insert HTML of code unchanged. This one inserts only sanitised HTML. */
class SafeHtmlView extends controls.StringView {
  override render() {
    super.render();
    this.content = document.createElement('div');
    this.content.className = 'widget-html-content';
    this.el.classList.add('widget-html');
    this.el.append(this.content);
    this.update();
  }

  override update() {
    this.content.innerHTML = clean(String(this.model.get('value') ?? ''));
    return super.update();
  }
}

/** Replaces the library's view, which inserts names from the kernel into the page as HTML. */
class ErrorView extends base.DOMWidgetView {
  override render() {
    this.el.textContent = `The widget cannot be displayed: ${this.model.get('msg') ?? 'unknown reason'}`;
  }
}

const modules: Record<string, Record<string, unknown>> = {
  '@jupyter-widgets/base': { ...base, ErrorWidgetView: ErrorView },
  '@jupyter-widgets/controls': { ...controls, HTMLView: SafeHtmlView, HTMLMathView: SafeHtmlView },
  '@jupyter-widgets/output': { OutputModel, OutputView },
};

const those = 'only widgets of ipywidgets itself are supported';
const foreign = (name: string, module: string): string =>
  `The widget ${name} of ${module} cannot be displayed: ${those}.`;
const bytesOf = (base64: string) => new DataView(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)).buffer);
const isSavedBuffer = (state: object, { path, encoding, data }: State): boolean =>
  isPlaceIn(state, path) && (encoding === 'base64' || encoding === 'hex') && typeof data === 'string';
const savedType = 'application/vnd.jupyter.widget-state+json';

/** The widgets of one notebook: their state is in the kernel, and changes are sent there. */
export class WidgetManager extends ManagerBase {
  private readonly store: NotebookStore;
  private readonly comms = new Map<string, WidgetComm>();
  private loading: Promise<void> | null = null;
  /** Reasons why some widgets cannot be shown. */
  private readonly unknown = new Map<string, string>();

  constructor(store: NotebookStore) {
    super();
    this.store = store;
  }

  /** Draws a widget into an element; returns a function to remove it. */
  async draw(modelId: string, element: HTMLElement): Promise<() => void> {
    if (!this.has_model(modelId)) await this.load();
    const unknown = this.unknown.get(modelId);
    if (unknown) throw new Error(unknown);
    if (!this.has_model(modelId)) throw new Error('The kernel of this widget has stopped. Run the cell again.');
    const view = await this.create_view((await this.get_model(modelId)) as base.DOMWidgetModel);
    base.JupyterLuminoWidget.attach(view.luminoWidget, element);
    return () => view.remove();
  }

  /** Loads the widgets that were created before this page was opened. */
  private load(): Promise<void> {
    // A page that was just opened shows its cells before it is connected.
    this.loading ??= this.store
      .ready()
      .then((topic) => topic.send('get_widgets', {}))
      .then(({ widgets }) => {
        for (const [id, { state, buffers }] of Object.entries(widgets)) {
          if (this.has_model(id)) continue;
          const paths = buffers.map(({ path }) => path);
          void this.make(
            id,
            state,
            paths,
            buffers.map(({ data }) => bytesOf(data)),
          );
        }
        return this.takeSaved();
      })
      .finally(() => {
        this.loading = null;
      });
    return this.loading;
  }

  /** Loads widgets that the kernel does not have from the file, as they were saved. */
  private async takeSaved(): Promise<void> {
    const { state, ...saved } = fieldsOf(fieldsOf(this.store.getHead().metadata.widgets)[savedType]);
    const known: Record<string, object> = {};
    for (const [id, each] of Object.entries(fieldsOf(state))) {
      const { model_module: module, model_name: name, state: values, buffers = [] } = fieldsOf(each);
      if (this.has_model(id) || this.unknown.has(id) || typeof values !== 'object' || values === null) continue;
      if (!Array.isArray(buffers) || !buffers.every((part) => isSavedBuffer(values, fieldsOf(part)))) continue;
      // The manager changes the state it gets, so it gets a copy and the file stays as it is.
      if (modules[String(module)]?.[String(name)]) known[id] = structuredClone(each) as object;
      else this.unknown.set(id, foreign(String(name), String(module)));
    }
    if (Object.keys(known).length === 0) return;
    await this.set_state({ ...saved, state: known } as never).catch((error: unknown) =>
      console.warn('Could not create the saved widgets', error),
    );
  }

  private async make(id: string, state: State, paths: (string | number)[][], buffers: DataView[]): Promise<unknown> {
    const [module, name] = [String(state._model_module), String(state._model_name)];
    if (!modules[module]?.[name]) {
      this.unknown.set(id, foreign(name, module));
      return;
    }
    if (!paths.every((path) => isPlaceIn(state, path))) return;
    base.put_buffers(state as never, paths, buffers);
    const comm = new WidgetComm(id, this.store);
    this.comms.set(id, comm);
    const options = {
      model_name: String(state._model_name),
      model_module: String(state._model_module),
      model_module_version: String(state._model_module_version),
      comm,
      model_id: id,
    };
    return this.new_model(options, state).catch((error: unknown) => console.warn('Could not create a widget', error));
  }

  hear({ type, comm_id: id, target_name, data, buffers }: CommEvent): void {
    const bytes = buffers.map(bytesOf);
    const paths = data.buffer_paths ?? [];
    if (!Array.isArray(paths) || !paths.every((path) => isPlaceIn(data.state, path))) return;
    if (type === 'comm_open') {
      if (target_name === 'jupyter.widget' && !this.has_model(id))
        void this.make(id, (data.state ?? {}) as State, paths, bytes);
      return;
    }
    const comm = this.comms.get(id);
    if (type === 'comm_msg') comm?.hear(data, bytes);
    else comm?.end();
  }

  override inline_sanitize(source: string): string {
    return clean(source);
  }

  protected override async loadViewClass(className: string, moduleName: string): Promise<never> {
    const found = modules[moduleName]?.[className];
    if (found) return found as never;
    return class extends base.DOMWidgetView {
      override render() {
        this.el.textContent = foreign(className, moduleName);
      }
    } as never;
  }

  protected override async loadClass(className: string, moduleName: string): Promise<never> {
    const found = modules[moduleName]?.[className];
    if (!found) throw new Error(`The widget ${className} of ${moduleName} cannot be displayed: ${those}.`);
    return found as never;
  }

  protected override async _create_comm(target: string, id = crypto.randomUUID(), data: object = {}) {
    const comm = new WidgetComm(id, this.store, target);
    this.comms.set(id, comm);
    comm.open(data as never);
    return comm as never;
  }

  protected override async _get_comm_info(): Promise<object> {
    return {};
  }
}
