import Plotly from 'plotly.js-dist-min';
import { given } from './given.ts';

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const { spec, look, element } = given();
const figure = fieldsOf(spec);
const layout = fieldsOf(figure.layout);
const template = fieldsOf(layout.template);
const usual = fieldsOf(template.layout);
const axis = (name: string) => ({
  ...fieldsOf(usual[name]),
  gridcolor: look.border,
  linecolor: look.border,
  zerolinecolor: look.border,
});

/** The workspace's colours instead of the library's own; what the code has chosen stays. */
const themed = {
  ...layout,
  template: {
    ...template,
    layout: {
      ...usual,
      paper_bgcolor: look.surface,
      plot_bgcolor: look.surface,
      font: { ...fieldsOf(usual.font), color: look.text },
      xaxis: axis('xaxis'),
      yaxis: axis('yaxis'),
    },
  },
  autosize: layout.width === undefined,
  height: typeof layout.height === 'number' ? Math.min(layout.height, 2_000) : 420,
};
void Plotly.newPlot(
  element,
  (Array.isArray(figure.data) ? figure.data : []) as never,
  themed as never,
  { displaylogo: false, ...fieldsOf(figure.config), responsive: true } as never,
);
