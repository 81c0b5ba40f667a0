/**
 * The packages of a Python for everyone: the one list, for the product and for its tests. They are installed one after
 * another. Without the first there is no kernel; another one may be missing.
 */
export const packagesForEverybody = [
  'ipykernel',
  'ipywidgets',
  'numpy',
  'pandas',
  'matplotlib',
  'plotly',
  // Plotly needs it to show anything in a kernel.
  'nbformat',
  'pyarrow',
  'openpyxl',
  'duckdb',
  'altair',
  'seaborn',
  'scipy',
  'scikit-learn',
];

/** Import names that differ from the package's name. */
const modules: Record<string, string> = { 'scikit-learn': 'sklearn' };

export const moduleOf = (name: string): string => modules[name] ?? name;
