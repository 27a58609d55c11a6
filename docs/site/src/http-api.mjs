// Writes the page of the HTTP API from an OpenAPI document:
//   node src/http-api.mjs target/static/openapi.json target/http-api.md
import fs from 'node:fs';

const [source, page] = process.argv.slice(2);
const api = JSON.parse(fs.readFileSync(source, 'utf8'));

/** Returns text for a cell of a table. */
function cell(text) {
  return String(text ?? '').replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

/** Resolves a reference within the document. */
function resolve(node) {
  if (!node?.$ref) {
    return node;
  }
  return node.$ref.slice(2).split('/').reduce((at, name) => at[name], api);
}

/** Describes the type of a schema, with links to the documents below. */
function type(schema) {
  if (!schema) {
    return 'any';
  }
  if (schema.$ref) {
    const name = schema.$ref.split('/').pop();
    return `[${name}](#${name.toLowerCase()})`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    return choices.map(type).join(' or ');
  }
  if (schema.enum) {
    return schema.enum.map((value) => `\`${value}\``).join(', ');
  }
  if (schema.type === 'array') {
    return `list of ${type(schema.items)}`;
  }
  if (schema.additionalProperties) {
    return `map of ${type(schema.additionalProperties)}`;
  }
  const name = [schema.type ?? 'any'].flat().join(' or ');
  return schema.format ? `${name} (${schema.format})` : name;
}

function parameters(operation) {
  if (!operation.parameters?.length) {
    return [];
  }
  const rows = operation.parameters.map(resolve).map((each) => {
    const required = each.required ? ', required' : '';
    return `| \`${each.name}\` | ${each.in}${required} | ${type(each.schema)} | ${cell(each.description)} |`;
  });
  return ['| parameter | in | type | meaning |', '| --- | --- | --- | --- |', ...rows, ''];
}

function body(content) {
  return Object.entries(content ?? {})
    .map(([media, {schema}]) => `${type(schema)} as \`${media}\``)
    .join(', or ');
}

function responses(operation) {
  const problems = [];
  const lines = [];
  for (const [status, reference] of Object.entries(operation.responses)) {
    const response = resolve(reference);
    if (reference.$ref?.endsWith('/Problem')) {
      problems.push(status);
    } else {
      const what = body(response.content);
      lines.push(`- **${status}**: ${what || 'no body'}`);
    }
  }
  if (problems.length > 0) {
    lines.push(`- **${problems.join(', ')}**: [Problem](#problem) as \`application/problem+json\``);
  }
  return [...lines, ''];
}

function operation(method, path, each) {
  const request = body(each.requestBody && resolve(each.requestBody).content);
  return [
    `### \`${method.toUpperCase()} ${path}\``,
    '',
    `${cell(each.summary)}.`,
    '',
    cell(each.description),
    '',
    ...parameters(each),
    ...(request ? [`Body: ${request}`, ''] : []),
    ...responses(each),
  ];
}

function schema(name, each) {
  const rows = Object.entries(each.properties ?? {}).map(([property, of]) => {
    const optional = each.required?.includes(property) ? '' : ', optional';
    return `| \`${property}\` | ${type(of)}${optional} | ${cell(of.description)} |`;
  });
  const table = rows.length > 0 ? ['| member | type | meaning |', '| --- | --- | --- |', ...rows] : [`${type(each)}`];
  return [`### ${name}`, '', cell(each.description), '', ...table, ''];
}

/** Names the group of a path by what it is about. */
function group(path) {
  const parts = path.split('/').filter((part) => part && !part.startsWith('{'));
  const name = parts[1] === 'admin' ? (parts[3] ?? parts[2]) : parts[1] === 'ratelimit' ? 'decisions' : (parts[1] ?? '');
  const words = name.replace('.json', '').replaceAll('-', ' ');
  return {openapi: 'OpenAPI', user: 'Users'}[words] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const groups = new Map();
for (const [path, methods] of Object.entries(api.paths)) {
  const lines = groups.get(group(path)) ?? [];
  for (const [method, each] of Object.entries(methods)) {
    lines.push(...operation(method, path, each));
  }
  groups.set(group(path), lines);
}
const ordered = [...groups.keys()].sort((a, b) => (b === 'Decisions') - (a === 'Decisions') || a.localeCompare(b));

fs.writeFileSync(
  page,
  [
    '---',
    'slug: /http-api/',
    'title: HTTP API',
    'toc_max_heading_level: 2',
    '---',
    '',
    '# HTTP API',
    '',
    'All endpoints of [the server](../../service.md). An application that mounts `weir-control` has most of them too.',
    'Each request has a token: `Authorization: Bearer weir_…`.',
    'The same as an OpenAPI document: [openapi.json](pathname:///openapi.json).',
    '',
    ...ordered.flatMap((name) => [`## ${name}`, '', ...groups.get(name)]),
    '## Documents',
    '',
    ...Object.entries(api.components.schemas).flatMap(([name, each]) => schema(name, each)),
  ].join('\n'),
);
