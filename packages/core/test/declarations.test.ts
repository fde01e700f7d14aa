import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

it('declares nothing that TypeScript 5.6 cannot read: there, byte arrays have no type parameter', async () => {
  const dist = join(PACKAGE, 'dist/esm')
  const paths = await readdir(dist, { recursive: true })
  const declarations = paths.filter((path) => path.endsWith('.d.ts'))
  const generic: string[] = []
  for (const path of declarations) {
    if (/Array<ArrayBuffer|Buffer</.test(await readFile(join(dist, path), 'utf8')))
      generic.push(path)
  }
  expect(declarations.length).toBeGreaterThan(50)
  expect(generic).toEqual([])
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
