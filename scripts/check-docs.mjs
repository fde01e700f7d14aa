// Type-checks every ```ts block of the documentation (```ts no-check is skipped) and looks up every
// relative link. The blocks are compiled inside docs/, whose dev dependencies they may import.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from './files.mjs'
import { slugOf } from './slug.mjs'

const outFolder = 'docs/.check'
const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['docs', 'packages', 'examples'].flatMap((folder) => filesBelow(folder, '.md')),
].filter((file) => !file.endsWith('CHANGELOG.md'))

const brokenLinks = documents.flatMap(findBrokenLinks)
for (const { file, target } of brokenLinks) console.error(`${file}: broken link ${target}`)
if (brokenLinks.length > 0) process.exit(1)

rmSync(outFolder, { recursive: true, force: true })
mkdirSync(outFolder)
const sampleCount = documents.reduce((count, file) => count + writeSamples(file), 0)
if (sampleCount > 0) compileSamples()
console.log(`${documents.length} documents: links found, ${sampleCount} code samples type-check`)

/** Writes each block at its line of the document, so that compiler messages show the right line. */
function writeSamples(file) {
  const text = readFileSync(file, 'utf8')
  const samples = [
    ...text.matchAll(/^ *```ts\b(?<flags>[^\n]*)\n(?<code>[\s\S]*?)^ *```/gm),
  ].filter(({ groups }) => !groups.flags.includes('no-check'))
  for (const { index, groups } of samples) {
    const line = text.slice(0, index).split('\n').length
    const name = `${file.replaceAll(/[/\\]/g, '_')}.${line}.ts`
    writeFileSync(join(outFolder, name), `${'\n'.repeat(line)}${groups.code}\nexport {}\n`)
  }
  return samples.length
}

function compileSamples() {
  const config = {
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      composite: false,
      noEmit: true,
      // As in a project with NestJS.
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      erasableSyntaxOnly: false,
    },
    include: ['*.ts'],
  }
  writeFileSync(join(outFolder, 'tsconfig.json'), JSON.stringify(config))
  try {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', outFolder], {
      stdio: 'inherit',
    })
  } catch {
    process.exit(1)
  }
}

function findBrokenLinks(file) {
  const links = withoutCode(readFileSync(file, 'utf8')).matchAll(
    /\]\((?<target>[^)\s]+)[^)]*\)|\b(?:src|href)="(?<attribute>[^"]+)"/g,
  )
  return [...links]
    .map(({ groups }) => groups.target ?? groups.attribute)
    .filter((target) => !/^[a-z]+:/i.test(target) && !resolves(file, target))
    .map((target) => ({ file, target }))
}

function resolves(file, target) {
  const [path, anchor] = target.split('#')
  const linked = path === '' ? file : join(dirname(file), path)
  if (!existsSync(linked)) return false
  return !anchor || !linked.endsWith('.md') || anchorsOf(linked).includes(anchor)
}

function anchorsOf(file) {
  const seen = new Map()
  return [...withoutFences(readFileSync(file, 'utf8')).matchAll(/^#+ +(.+)$/gm)].map(
    ([, title]) => {
      const slug = slugOf(title)
      const earlier = seen.get(slug) ?? 0
      seen.set(slug, earlier + 1)
      return earlier === 0 ? slug : `${slug}-${earlier}`
    },
  )
}

function withoutFences(text) {
  return text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
}

function withoutCode(text) {
  return withoutFences(text).replaceAll(/`[^`\n]*`/g, '')
}
