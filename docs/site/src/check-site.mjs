// Follows each link of the built site, and refuses what leads nowhere or is loaded from another host:
//   node src/check-site.mjs target/site /
import fs from 'node:fs';
import path from 'node:path';

const [folder, base] = process.argv.slice(2);
const loaded = /<(script|img|iframe|source|link)\b([^>]*)>/g;
const linked = /<a\b[^>]*?\shref=(?:"([^"]*)"|([^\s>"]+))/g;
const named = /\s(?:id|name)=(?:"([^"]+)"|([^\s>"]+))/g;
const address = /\s(?:src|href)=(?:"([^"]*)"|([^\s>"]+))/g;
const foreign = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

function files(at) {
  return fs.readdirSync(at, {withFileTypes: true}).flatMap((each) => {
    const name = path.join(at, each.name);
    return each.isDirectory() ? files(name) : [name];
  });
}

function decode(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#x27;', "'").replaceAll('&quot;', '"');
}

/** Returns the value of the attribute that each match has found. */
function all(text, pattern) {
  return [...text.matchAll(pattern)].map((match) => decode(match[1] ?? match[2]));
}

/** Returns what a browser loads with a page. Links to the page's own address load nothing. */
function resources(text) {
  return [...text.matchAll(loaded)]
    .filter(([, tag, attributes]) => tag !== 'link' || !/rel="?(?:canonical|alternate)/.test(attributes))
    .flatMap(([, , attributes]) => all(attributes, address));
}

const pages = new Map();

function page(file) {
  if (!pages.has(file)) {
    const text = fs.readFileSync(file, 'utf8');
    pages.set(file, {
      loaded: resources(text),
      linked: all(text, linked),
      names: new Set(all(text, named)),
    });
  }
  return pages.get(file);
}

/** Returns what is wrong with a link; nothing if it leads somewhere. */
function trouble(from, url) {
  const [file, fragment] = url.split('#');
  const name = decodeURIComponent(file.split('?')[0]);
  let target = from;
  if (name.startsWith('/')) {
    if (!name.startsWith(base)) {
      return 'is outside of the site';
    }
    target = path.join(folder, name.slice(base.length));
  } else if (name) {
    target = path.join(path.dirname(from), name);
  }
  if (fs.existsSync(target) && fs.statSync(target).isDirectory()) {
    target = path.join(target, 'index.html');
  }
  if (!fs.existsSync(target)) {
    return 'leads to no file';
  }
  if (fragment && target.endsWith('.html') && !page(target).names.has(decodeURIComponent(fragment))) {
    return 'leads to no anchor';
  }
  return undefined;
}

const problems = [];
let links = 0;
const html = files(folder).filter((file) => file.endsWith('.html'));
for (const file of html) {
  const say = (url, what) => problems.push(`${path.relative(folder, file)}: ${url} ${what}`);
  for (const url of page(file).loaded) {
    if (foreign.test(url) && !url.startsWith('data:')) {
      say(url, 'is loaded from another host');
    }
  }
  for (const url of [...page(file).linked, ...page(file).loaded]) {
    if (!foreign.test(url)) {
      links++;
      const what = trouble(file, url);
      if (what) {
        say(url, what);
      }
    }
  }
}
for (const file of files(folder).filter((each) => each.endsWith('.css'))) {
  for (const [, url] of fs.readFileSync(file, 'utf8').matchAll(/(?:url\(|@import\s+)["']?((?:https?:)?\/\/[^"')]+)/g)) {
    problems.push(`${path.relative(folder, file)}: ${url} is loaded from another host`);
  }
}
if (problems.length > 0) {
  console.error([...new Set(problems)].join('\n'));
  console.error(`${problems.length} of ${links} links on ${html.length} pages are wrong`);
  process.exit(1);
}
console.log(`${links} links on ${html.length} pages lead somewhere`);
