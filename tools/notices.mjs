/** Owns the notices of the packages whose code is inside the bundles: their licences ask to travel with it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Name, version and licence text of every package that one of `inputs` (paths below `root`) comes from. */
export async function thirdPartyNotices(root, inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replaceAll('\\', '/'))?.[0];
    if (folder) folders.add(folder);
  }
  const notices = [];
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const licenceFile = (await readdir(join(root, folder))).find((file) => /^(licen[cs]e|copying)(\.|-|$)/i.test(file));
    const text = licenceFile ? await readFile(join(root, folder, licenceFile), 'utf8') : `Licensed under ${license}.`;
    notices.push(`${name} ${version} (${license})\n\n${text.replaceAll('\r\n', '\n').trim()}\n`);
  }
  return `The files beside this one contain code of these packages.\n\n${notices.join(`\n${'-'.repeat(72)}\n\n`)}`;
}
