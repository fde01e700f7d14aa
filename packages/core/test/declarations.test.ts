import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

const DIST = join(PACKAGE, 'dist/cjs')

async function publishedDeclarations(): Promise<Map<string, string>> {
  const paths = (await readdir(DIST)).filter((path) => path.endsWith('.d.ts'))
  const texts = await Promise.all(paths.map(async (path) => readFile(join(DIST, path), 'utf8')))
  return new Map(paths.map((path, index) => [path, texts[index] ?? '']))
}

it('declares nothing that TypeScript 5.6 cannot read: there, byte arrays have no type parameter', async () => {
  const declarations = await publishedDeclarations()
  const generic = [...declarations].filter(([, text]) => /Array<ArrayBuffer|Buffer</.test(text))
  expect([...declarations.keys()]).toContain('index.d.ts')
  expect(generic.map(([path]) => path)).toEqual([])
})

it('publishes the docs of every function', async () => {
  const text = [...(await publishedDeclarations()).values()].join('\n')
  const lineBefore = new Map<string, string>()
  for (const [, line = '', name = ''] of text.matchAll(/(.*)\nexport declare function (\w+)/g)) {
    // Further overloads have no docs of their own.
    if (!lineBefore.has(name)) lineBefore.set(name, line)
  }
  expect(lineBefore.size).toBeGreaterThan(30)
  expect([...lineBefore].filter(([, line]) => !line.endsWith('*/'))).toEqual([])
})

it('publishes one set of declarations for both formats', async () => {
  for (const entry of [
    'index',
    'toncenter',
    'proof',
    'liteserver',
    'telegram',
    'checkout',
    'contract',
    'opentelemetry',
    'bridge',
    'internal',
    'redis',
  ]) {
    const text = await readFile(join(PACKAGE, `dist/esm/${entry}.d.ts`), 'utf8')
    expect(text).toBe(`export * from '../cjs/${entry}.js'\n`)
  }
})

const OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  declaration: true,
  outDir: 'out',
  skipLibCheck: true,
  preserveSymlinks: true,
  types: [],
  lib: ['es2022', 'dom'],
}

it.each(['inferred-payments.ts', 'inferred-types.ts'])(
  'exports every type that the declarations of a caller must name: %s',
  async (source) => {
    const folder = await mkdtemp(join(tmpdir(), 'tonplug-declarations-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'node_modules/@tonplug'), { recursive: true })
    await symlink(PACKAGE, join(folder, 'node_modules/@tonplug/core'))
    await cp(join(PACKAGE, 'test/fixtures', source), join(folder, source))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    const settings = { compilerOptions: OPTIONS, files: [source] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const compiled = await promisify(execFile)(process.execPath, [TSC, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(compiled.stdout).toBe('')
  },
)
