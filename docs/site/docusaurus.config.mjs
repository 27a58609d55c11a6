import {themes} from 'prism-react-renderer';
import repositoryLinks from './src/repository-links.mjs';

const base = process.env.SITE_BASE ?? '/';
const repository = 'https://github.com/weir-io/weir';

// Pages are read where they stand. What they link to elsewhere in the repository is linked there.
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'docs/*.md',
  'docs/design/*.md',
  'docs/site/target/http-api.md',
];

/** Makes comments and numbers of a theme easy to read: its own are too faint on its background. */
function recoloured(theme, comment, number) {
  const styles = [
    {types: ['comment'], style: {color: comment}},
    {types: ['number'], style: {color: number}},
  ];
  return {...theme, styles: [...theme.styles, ...styles]};
}

export default {
  title: 'Weir',
  tagline: 'Rate limiting for HTTP endpoints on the JVM',
  url: process.env.SITE_URL ?? 'https://weir.io',
  baseUrl: base,
  trailingSlash: true,
  favicon: 'weir.svg',
  staticDirectories: ['static', 'target/static'],

  onBrokenLinks: 'throw',
  onBrokenAnchors: 'throw',
  onDuplicateRoutes: 'throw',
  markdown: {
    format: 'detect',
    hooks: {onBrokenMarkdownLinks: 'throw', onBrokenMarkdownImages: 'throw'},
  },
  future: {v4: true, faster: true},

  plugins: [
    [
      '@docusaurus/plugin-content-docs',
      {
        path: '../..',
        include: pages,
        exclude: [],
        routeBasePath: '/',
        sidebarPath: './sidebars.mjs',
        sidebarItemsGenerator: () => [],
        numberPrefixParser: false,
        breadcrumbs: false,
        beforeDefaultRemarkPlugins: [[repositoryLinks, {repository}]],
      },
    ],
  ],
  themes: [
    ['@docusaurus/theme-classic', {customCss: './src/weir.css'}],
    [
      '@easyops-cn/docusaurus-search-local',
      {
        hashed: true,
        indexBlog: false,
        indexPages: true,
        docsRouteBasePath: '/',
        docsDir: '../..',
        highlightSearchTermsOnTargetPage: true,
        explicitSearchResultPath: true,
      },
    ],
  ],
  themeConfig: {
    colorMode: {respectPrefersColorScheme: true},
    docs: {sidebar: {hideable: true}},
    tableOfContents: {minHeadingLevel: 2, maxHeadingLevel: 3},
    navbar: {
      title: 'Weir',
      logo: {alt: '', src: 'weir.svg'},
      items: [
        {to: '/', label: 'Docs', position: 'left', activeBaseRegex: `^${base}(?!http-api/)`},
        {to: '/http-api/', label: 'HTTP API', position: 'left'},
        {href: 'pathname:///javadoc/index.html', label: 'Javadoc', position: 'left', target: '_self'},
        {href: repository, label: 'Source', position: 'right'},
      ],
    },
    footer: {copyright: 'Weir. Apache License 2.0.'},
    prism: {
      theme: recoloured(themes.github, '#5d6570', '#0b6f6a'),
      darkTheme: recoloured(themes.oneDark, '#9aa5b8', '#d19a66'),
      additionalLanguages: ['java', 'properties', 'bash', 'json', 'yaml', 'sql', 'lua', 'nginx', 'protobuf', 'groovy'],
    },
  },
};
