/**
 * What a Python for everybody has: the one list, for the product and for its tests. Installed one after another; without
 * the first there is no kernel, without another one it merely lacks that.
 */
export const packagesForEverybody = [
  'ipykernel',
  'ipywidgets',
  'numpy',
  'pandas',
  'matplotlib',
  'plotly',
  // Plotly shows nothing in a kernel without it.
  'nbformat',
  'pyarrow',
  'openpyxl',
  'duckdb',
  'altair',
  'seaborn',
  'scipy',
  'scikit-learn',
];

/** What code imports, where that is not the package's name. */
const modules: Record<string, string> = { 'scikit-learn': 'sklearn' };

export const moduleOf = (name: string): string => modules[name] ?? name;
