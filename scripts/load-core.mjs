// Loads modules of packages/core/src that the package does not export.
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const SOURCE = join(import.meta.dirname, '../packages/core/src')

/** @returns the modules of `files`, paths below packages/core/src. They share what they import with each other only. */
export async function loadCore(...files) {
  const sources = files.map((file) => join(SOURCE, file))
  const lines = sources.map(
    (source, index) => `export * as m${index} from ${JSON.stringify(source)}`,
  )
  const build = await rolldown({
    input: 'entry',
    external: /^node:/,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : undefined),
        load: (id) => (id === 'entry' ? lines.join('\n') : undefined),
      },
    ],
  })
  const { output } = await build.generate({ codeSplitting: false })
  await build.close()
  const modules = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
  return files.map((_, index) => modules[`m${index}`])
}
