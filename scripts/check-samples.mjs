// Type-checks every ```ts block of the documentation, except ```ts no-check. In generated pages of packages only blocks
// that begin with imports are complete. The blocks are compiled inside docs/, whose dependencies they may import.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from './files.mjs'

const OUT = 'docs/.check/samples'
const GENERATED = 'docs/reference/api/'
const COMPILER_OPTIONS = {
  composite: false,
  noEmit: true,
  // For samples with NestJS.
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  erasableSyntaxOnly: false,
}

rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['docs', 'packages', 'examples'].flatMap((folder) => filesBelow(folder, '.md')),
].filter((file) => !file.endsWith('CHANGELOG.md'))
const count = documents.reduce((sum, file) => sum + writeSamples(file), 0)
const config = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: COMPILER_OPTIONS,
  include: ['*.ts'],
}
writeFileSync(join(OUT, 'tsconfig.json'), JSON.stringify(config))
try {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', OUT], {
    stdio: 'inherit',
  })
  console.log(`${count} code samples type-check`)
} catch {
  process.exitCode = 1
}

/** Writes each block at its line of the document, so that compiler messages show the right line. */
function writeSamples(file) {
  const text = readFileSync(file, 'utf8')
  const samples = [
    ...text.matchAll(/^ *```ts\b(?<flags>[^\n]*)\n(?<code>[\s\S]*?)^ *```/gm),
  ].filter(
    ({ groups: { flags, code } }) =>
      !flags.includes('no-check') && (!file.startsWith(GENERATED) || code.startsWith('import ')),
  )
  for (const { index, groups } of samples) {
    const line = text.slice(0, index).split('\n').length
    const name = `${file.replaceAll('/', '_')}.${line}.ts`
    writeFileSync(join(OUT, name), `${'\n'.repeat(line)}${groups.code}\nexport {}\n`)
  }
  return samples.length
}
