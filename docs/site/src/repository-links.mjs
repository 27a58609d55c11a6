import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {visit} from 'unist-util-visit';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const elsewhere = /^(?:[a-z][a-z0-9+.-]*:|\/|#)/i;

/** Returns whether a file of the repository is a page of the site. */
export function isPage(file) {
  return /^(?:[A-Z]+\.md|docs\/(?!site\/).*\.md)$/.test(file);
}

/**
 * Rewrites links that leave the site to files and folders of the repository. Images and links
 * between pages stay as they are.
 */
export default function repositoryLinks({repository}) {
  return (tree, page) => {
    visit(tree, ['link', 'definition'], (node) => {
      if (elsewhere.test(node.url)) {
        return;
      }
      const [name, fragment] = node.url.split('#');
      const target = path.resolve(path.dirname(page.path), decodeURIComponent(name));
      const file = path.relative(root, target);
      if (isPage(file)) {
        return;
      }
      if (file.startsWith('..') || !fs.existsSync(target)) {
        throw new Error(`${path.relative(root, page.path)}: the link to ${node.url} leads to no file`);
      }
      const kind = fs.statSync(target).isDirectory() ? 'tree' : 'blob';
      node.url = `${repository}/${kind}/main/${file}${fragment ? `#${fragment}` : ''}`;
    });
  };
}
