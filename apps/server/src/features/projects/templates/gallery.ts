import type { Template } from '@atoll/contract';
import { notebook } from './main-files.ts';

/** What ships with the product to start from; each is an ordinary project once made. */
interface GalleryTemplate extends Template {
  files: Record<string, string>;
}

const readings = ['day,station,temperature,rain']
  .concat(
    Array.from({ length: 60 }, (_, index) => {
      const day = new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 2))).toISOString().slice(0, 10);
      const station = index % 2 ? 'harbour' : 'hill';
      const temperature = (6 + 5 * Math.sin(index / 6) - (index % 2 ? 0 : 2)).toFixed(1);
      return `${day},${station},${temperature},${(index * 7) % 5 === 0 ? (index % 9) + 0.4 : 0}`;
    }),
  )
  .join('\n');

export const gallery: GalleryTemplate[] = [
  {
    name: 'vlsm',
    title: 'Subnet planner',
    description: 'Divide a network into subnets of different sizes and see what is left.',
    kind: 'notebook',
    language: 'python',
    tags: ['network', 'planning'],
    files: {
      'main.ipynb': notebook([
        {
          type: 'markdown',
          source:
            '# Subnet planner\n\nVariable-length subnet masks: each part of a network gets a subnet just large enough. Change the network and the needs below, then run all cells.\n',
        },
        {
          type: 'code',
          source:
            "import ipaddress\n\nnetwork = ipaddress.ip_network('10.20.0.0/22')\nneeds = {'office': 200, 'laboratory': 90, 'guests': 60, 'printers': 12, 'uplink': 2}\n",
        },
        {
          type: 'code',
          source:
            "def plan(network, needs):\n    free = [network]\n    rows = []\n    for name, hosts in sorted(needs.items(), key=lambda item: -item[1]):\n        prefix = 32 - (hosts + 2 - 1).bit_length()\n        block = next((each for each in free if each.prefixlen <= prefix), None)\n        if block is None:\n            raise ValueError(f'No room for {name} ({hosts} hosts)')\n        free.remove(block)\n        subnet, *rest = block.subnets(new_prefix=prefix)\n        free = sorted(free + list(ipaddress.collapse_addresses(rest)), key=lambda each: -each.prefixlen)\n        rows.append((name, hosts, subnet, subnet.num_addresses - 2))\n    return rows, free\n\nrows, free = plan(network, needs)\nfor name, hosts, subnet, room in rows:\n    print(f'{name:12} {hosts:5} hosts  {str(subnet):18} room for {room}')\n",
        },
        { type: 'code', source: "print('Left over:', ', '.join(map(str, free)) or 'nothing')\n" },
      ]),
    },
  },
  {
    name: 'explore-csv',
    title: 'Explore a table',
    description: 'Load a CSV file, look at it and summarise it, with the standard library only.',
    kind: 'notebook',
    language: 'python',
    tags: ['data', 'getting started'],
    files: {
      'main.ipynb': notebook([
        {
          type: 'markdown',
          source:
            '# Explore a table\n\nThe file `data/readings.csv` has readings of two weather stations. Put your own file beside it and change its name below.\n',
        },
        {
          type: 'code',
          source:
            "import csv\n\nwith open('data/readings.csv') as file:\n    rows = list(csv.DictReader(file))\nlen(rows), rows[0]\n",
        },
        {
          type: 'code',
          source:
            "from statistics import mean\n\nstations = {}\nfor row in rows:\n    stations.setdefault(row['station'], []).append(float(row['temperature']))\n\nfor station, values in stations.items():\n    print(f'{station:8} from {min(values):5.1f} to {max(values):5.1f}, on average {mean(values):5.1f}')\n",
        },
      ]),
      'data/readings.csv': `${readings}\n`,
    },
  },
  {
    name: 'report',
    title: 'Written report',
    description: 'A notebook laid out as a report: question, data, finding, what to do.',
    kind: 'notebook',
    language: 'python',
    tags: ['report'],
    files: {
      'main.ipynb': notebook([
        {
          type: 'markdown',
          source: '# Title of the report\n\n*Who it is for, and the one sentence they should remember.*\n',
        },
        { type: 'markdown', source: '## Question\n\nWhat do we want to know, and what hangs on it?\n' },
        { type: 'code', source: '# Data: where it comes from and what it looks like\n' },
        { type: 'markdown', source: '## Finding\n\nWhat the data says, and how sure we are.\n' },
        { type: 'markdown', source: '## What to do\n\n1. …\n' },
      ]),
      'README.md': '# About this project\n\nThe report is in `main.ipynb`.\n',
    },
  },
];

export const findTemplate = (name: string): GalleryTemplate | undefined =>
  gallery.find((template) => template.name === name);
