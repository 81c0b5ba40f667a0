/** Pieces to begin with; each is a cell that runs. */
export const snippets: { label: string; code: string }[] = [
  { label: 'Read a CSV file', code: "import pandas as pd\n\ndf = pd.read_csv('data.csv')\ndf.head()" },
  { label: 'Describe a DataFrame', code: 'df.describe(include="all")' },
  {
    label: 'Line chart',
    code: 'import matplotlib.pyplot as plt\n\nfig, ax = plt.subplots(figsize=(8, 4))\nax.plot([1, 2, 3, 4], [1, 4, 2, 3])\nax.set(xlabel="x", ylabel="y")\nplt.show()',
  },
  {
    label: 'Group and sum',
    code: 'df.groupby("category", as_index=False)["amount"].sum().sort_values("amount", ascending=False)',
  },
  { label: 'Write a CSV file', code: "df.to_csv('result.csv', index=False)" },
  { label: 'Time code', code: '%%time\nsum(range(1_000_000))' },
];
