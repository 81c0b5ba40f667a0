import Plotly from 'plotly.js-dist-min';
import { drawForPrint, element, given, type Still } from './given.ts';

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const { look } = given;

/** The workspace's colours instead of the library's own; what the code has chosen stays. */
function themed(layout: Fields) {
  const template = fieldsOf(layout.template);
  const usual = fieldsOf(template.layout);
  const axis = (name: string) => ({
    ...fieldsOf(usual[name]),
    gridcolor: look.border,
    linecolor: look.border,
    zerolinecolor: look.border,
  });
  return {
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
}

async function draw(spec: unknown, config: Fields) {
  const figure = fieldsOf(spec);
  const layout = themed(fieldsOf(figure.layout));
  await Plotly.newPlot(
    element,
    (Array.isArray(figure.data) ? figure.data : []) as never,
    layout as never,
    { displaylogo: false, ...fieldsOf(figure.config), ...config } as never,
  );
  return layout;
}

async function still(spec: unknown): Promise<Still> {
  const { height, ...layout } = await draw(spec, { staticPlot: true });
  const width = 'width' in layout && typeof layout.width === 'number' ? layout.width : element.clientWidth;
  const url = await Plotly.toImage(element as never, { format: 'svg', width, height });
  Plotly.purge(element);
  return { picture: decodeURIComponent(url.slice(url.indexOf(',') + 1)), width, height };
}

if (given.isPrinted) drawForPrint(still);
else void draw(given.spec, { responsive: true });
