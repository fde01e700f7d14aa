// Writes the page of one entry of a package, as Markdown, not yet formatted.
import { existsSync } from 'node:fs'
import { renderDoc } from './render-doc.mjs'

const NOTICE =
  '<!-- Made by scripts/generate-reference.mjs from the declarations of the packages. -->'

const SECTIONS = [
  { title: 'Functions', has: ({ kind }) => kind === 'function' },
  { title: 'Classes', has: ({ kind, name }) => kind === 'class' && !name.endsWith('Error') },
  { title: 'Errors', has: ({ kind, name }) => kind === 'class' && name.endsWith('Error') },
  { title: 'Constants', has: ({ kind }) => kind === 'constant' },
  { title: 'Types', has: ({ kind }) => kind === 'type' },
]

/** A longer declaration is a table of endpoints, which has pages of its own. */
const LONGEST_DECLARATION = 200

/** From the folder of the pages to the root of the repository. */
const ROOT = '../../..'

/** The file name of an entry's page: `@tonplug/core/contract` is `core-contract.md`. */
export function entryFile({ name }) {
  return `${name.replace(/^@tonplug\//, '').replaceAll('/', '-')}.md`
}

export function entryPage({ name, folder, exports, additions }) {
  return [
    NOTICE,
    `# ${name}`,
    introduction(name, folder, exports),
    ...SECTIONS.flatMap(({ title, has }) => section(title, exports.filter(has))),
    ...additions.flatMap(({ doc, text, file }) => [
      '## Additions',
      renderDoc(doc),
      code(text),
      sourceLine(file),
    ]),
  ].join('\n\n')
}

function introduction(name, folder, exports) {
  const what =
    exports.length === 0
      ? `\`import '${name}'\` exports nothing, and adds to types.`
      : `What \`'${name}'\` exports.`
  return `${what} The guides say how the parts work together; [the package](${ROOT}/${folder}) lists what matters most.`
}

function section(title, exports) {
  if (exports.length === 0) return []
  return [`## ${title}`, ...exports.flatMap(exportSection)]
}

function exportSection({ name, doc, texts, file }) {
  const page = ['v2', 'v3'].find((api) => existsSync(`docs/reference/${api}/${name}.md`))
  const text = texts.join('\n')
  const isLong = text.split('\n').length > LONGEST_DECLARATION
  const declaration =
    page === undefined ? code(text) : `Its fields: [${name}](../${page}/${name}.md).`
  return [`### ${name}`, renderDoc(doc), ...(isLong ? [] : [declaration]), sourceLine(file)]
}

/** Not compiled: a declaration alone lacks its imports. */
function code(text) {
  return `\`\`\`ts no-check\n${text}\n\`\`\``
}

function sourceLine(file) {
  return `[${file}](${ROOT}/${file})`
}
