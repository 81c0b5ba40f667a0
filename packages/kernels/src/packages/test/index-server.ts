import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runQuietly } from '../../python/run.ts';

export interface TestPackage {
  name: string;
  version: string;
  /** The source of its one module, which has the package's name. */
  source: string;
  needs?: string[];
  /** The size of an extra file beside the module. */
  extraBytes?: number;
  /** Only as a source that would have to be built. */
  isSource?: boolean;
}

const maker = `
import json, os, sys, zipfile
folder, packages = sys.argv[1], json.loads(sys.argv[2])
for each in packages:
    name, version = each["name"], each["version"]
    if each.get("isSource"):
        open(os.path.join(folder, f"{name}-{version}.tar.gz"), "wb").write(b"not looked at")
        continue
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {need}\\n" for need in each.get("needs", []))
    with zipfile.ZipFile(os.path.join(folder, f"{name}-{version}-py3-none-any.whl"), "w") as wheel:
        wheel.writestr(f"{name}.py", each["source"])
        if each.get("extraBytes"):
            wheel.writestr(f"{name}_data.bin", os.urandom(each["extraBytes"]))
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n{needs}")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
`;

/** A package index with these packages, which records the requests. */
export async function startIndex(packages: TestPackage[]) {
  const folder = await mkdtemp(join(tmpdir(), 'index-'));
  const { code, output } = await runQuietly('/usr/bin/python3', ['-c', maker, folder, JSON.stringify(packages)]);
  if (code !== 0) throw new Error(output);
  const asked: string[] = [];
  const fileOf = ({ name, version, isSource }: TestPackage) =>
    `${name}-${version}${isSource ? '.tar.gz' : '-py3-none-any.whl'}`;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const name = /^\/simple\/([^/]+)\/$/.exec(path)?.[1]?.replaceAll('-', '_');
    const found = packages.filter((each) => each.name === name);
    if (name && found.length > 0) {
      const links = await Promise.all(
        found.map(async (each) => {
          const hash = createHash('sha256')
            .update(await readFile(join(folder, fileOf(each))))
            .digest('hex');
          return `<a href="/files/${fileOf(each)}#sha256=${hash}">${fileOf(each)}</a>`;
        }),
      );
      response.setHeader('content-type', 'text/html').end(`<!DOCTYPE html><body>${links.join('\n')}</body>`);
      return;
    }
    const file = packages.map(fileOf).find((each) => path === `/files/${each}`);
    if (file) response.end(await readFile(join(folder, file)));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`,
    filesUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`,
    folder,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
