import fs from 'node:fs';
import {fileURLToPath} from 'node:url';

const root = new URL('../..', import.meta.url);
const groups = JSON.parse(fs.readFileSync(new URL('pages.json', import.meta.url), 'utf8'));

/** Returns the identifiers of all pages below docs/. */
function pages(folder) {
  return fs.readdirSync(new URL(folder, root), {withFileTypes: true}).flatMap((each) => {
    const name = folder + each.name;
    if (each.isDirectory() && each.name !== 'site') {
      return pages(`${name}/`);
    }
    return name.endsWith('.md') ? [name.replace(/\.md$/, '')] : [];
  });
}

const placed = groups.flatMap((group) => group.pages);
const missing = pages('docs/').filter((page) => !placed.includes(page));
if (missing.length > 0) {
  throw new Error(`docs/site/pages.json has no place for ${missing.join(', ')}: add each page to a group`);
}

function exists(page) {
  return fs.existsSync(fileURLToPath(new URL(`${page}.md`, root)));
}

/** The name of the project says little in a list of its pages. */
function item(page) {
  return page === 'README' ? {type: 'doc', id: page, label: 'Overview'} : page;
}

export default {
  pages: groups.map((group, index) => ({
    type: 'category',
    label: group.label,
    collapsed: index > 1,
    items: group.pages.filter(exists).map(item),
  })),
};
