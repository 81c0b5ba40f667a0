import * as base from '@jupyter-widgets/base';
import baseStyle from '@jupyter-widgets/base/css/index.css?inline';
import { ManagerBase } from '@jupyter-widgets/base-manager';
import * as controls from '@jupyter-widgets/controls';
import variables from '@jupyter-widgets/controls/css/labvariables.css?inline';
import controlsStyle from '@jupyter-widgets/controls/css/widgets-base.css?inline';
import { element, given } from './given.ts';

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** What code has shown in it. The frame reaches nothing, so it may be as it is. */
class OutputView extends base.DOMWidgetView {
  override render() {
    super.render();
    const outputs: unknown = this.model.get('outputs');
    for (const output of Array.isArray(outputs) ? outputs : []) this.el.append(shown(fieldsOf(output)));
  }
}

class OutputModel extends base.DOMWidgetModel {
  override defaults() {
    const [module, view] = ['@jupyter-widgets/output', 'OutputView'];
    return { ...super.defaults(), _model_module: module, _view_module: module, _view_name: view, outputs: [] };
  }
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('') : String(value ?? ''));

function shown(output: Fields): Element {
  const data = fieldsOf(output.data);
  const type = ['image/png', 'image/jpeg', 'image/gif'].find((each) => each in data);
  if (type) return Object.assign(new Image(), { src: `data:${type};base64,${textOf(data[type])}` });
  if ('text/html' in data)
    return Object.assign(document.createElement('div'), { innerHTML: textOf(data['text/html']) });
  const text = output.traceback ?? output.text ?? data['text/plain'];
  return Object.assign(document.createElement('pre'), { textContent: textOf(text) });
}

const modules: Record<string, Record<string, unknown>> = {
  '@jupyter-widgets/base': { ...base },
  '@jupyter-widgets/controls': { ...controls },
  '@jupyter-widgets/output': { OutputModel, OutputView },
};

/** Widgets as they were saved. There is no kernel behind them, which is no fault that a sign on each would tell of. */
class SavedWidgets extends ManagerBase {
  async draw(modelId: string, state: Fields, place: HTMLElement): Promise<void> {
    const known = Object.fromEntries(
      Object.entries(state).map(([id, saved]) => [id, isKnown(fieldsOf(saved)) ? saved : standIn(fieldsOf(saved))]),
    );
    await this.set_state({ version_major: 2, version_minor: 0, state: known } as never);
    const view = await this.create_view((await this.get_model(modelId)) as base.DOMWidgetModel);
    base.JupyterLuminoWidget.attach(view.luminoWidget, place);
  }

  protected override async loadClass(className: string, moduleName: string): Promise<never> {
    const found = modules[moduleName]?.[className];
    if (!found) throw new Error(`${className} of ${moduleName} is not known`);
    return found as never;
  }

  protected override async _create_comm(): Promise<never> {
    throw new Error('There is no kernel');
  }

  protected override async _get_comm_info(): Promise<object> {
    return {};
  }
}

const isKnown = ({ model_module: module, model_name: name }: Fields): boolean =>
  modules[String(module)]?.[String(name)] !== undefined;

/** One widget that is not known leaves the others around it as they are. */
const standIn = ({ model_name: name }: Fields) => ({
  model_name: 'LabelModel',
  model_module: '@jupyter-widgets/controls',
  model_module_version: '2.0.0',
  state: { value: `${String(name).replace(/Model$/, '')} works in the notebook.` },
});

const { look, spec } = given;
const style = document.createElement('style');
style.textContent = `${variables}${baseStyle}${controlsStyle}
:root{--jp-widgets-color:${look.text};--jp-widgets-label-color:${look.text};--jp-widgets-readout-color:${look.text};
--jp-widgets-input-color:${look.text};--jp-widgets-input-background-color:${look.surface};--jp-widgets-input-border-color:${look.border};
--jp-layout-color0:${look.surface};--jp-layout-color1:${look.surface};--jp-ui-font-color0:${look.text};--jp-ui-font-color1:${look.text};
--jp-layout-color2:${look.border};--jp-layout-color3:${look.border};--jp-border-color1:${look.border}}
.jupyter-widgets-disconnected::before{content:none}#chart{overflow-x:auto;padding:4px 0}`;
document.head.append(style);

const { model_id: modelId, state } = fieldsOf(spec);
new SavedWidgets().draw(String(modelId), fieldsOf(state), element).catch(() => {
  element.textContent = 'This control works in the notebook.';
});
