import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'

const SERVER = `
  import { createPayments, memoryOrderRepository } from '@tonplug/core'
  import { tonplugDesk } from '@tonplug/desk'
  console.log(typeof tonplugDesk)
  try {
    const payments = createPayments({ orders: memoryOrderRepository() })
    tonplugDesk({ payments, authorize: () => false })
  } catch (error) {
    console.log(error.code, error.message)
  }
  process.exit()
`

/** Bundles a server with everything into one file, and returns what it prints. */
async function runBundled(format: 'es' | 'cjs', hasImportMeta: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-desk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const input = 'server.mjs'
  const build = await rolldown({
    input,
    platform: 'node',
    plugins: [
      {
        name: 'server',
        resolveId: (id) => (id === input ? join(import.meta.dirname, input) : null),
        load: (id) => (id.endsWith(input) ? SERVER : null),
      },
    ],
    // Bundlers replace `import.meta` by an empty object in CommonJS.
    transform: hasImportMeta ? {} : { define: { 'import.meta.dirname': 'undefined' } },
  })
  const { output } = await build.generate({ format, codeSplitting: false })
  await build.close()
  // Where the desk would have its pages, the app has its own.
  await mkdir(join(folder, 'dist'))
  await mkdir(join(folder, 'ui'))
  await writeFile(join(folder, 'ui/index.html'), '<!doctype html><title>Shop</title>')
  const file = join(folder, 'dist', format === 'es' ? 'server.mjs' : 'server.cjs')
  await writeFile(file, output[0].code)
  return (await promisify(execFile)(process.execPath, [file])).stdout
}

it.each([
  ['ES modules', 'es', true],
  ['CommonJS', 'cjs', true],
  ['CommonJS without import.meta', 'cjs', false],
] as const)(
  'loads when bundled as %s, and states that it must not be bundled',
  async (_, format, has) => {
    const [loaded, refused] = (await runBundled(format, has)).split('\n')
    expect(loaded).toBe('function')
    expect(refused).toMatch(/^ERR_TONPLUG_CONFIGURATION pages: .* do not bundle it/)
  },
)
