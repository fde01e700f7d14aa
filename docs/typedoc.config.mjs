// Generates docs/reference/api: a folder for each entry of each package, a page for each export.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Converter } from 'typedoc'

const ROOT = join(import.meta.dirname, '..')
const PACKAGES = join(ROOT, 'packages')

/** Entry files by the names that they are imported by: `@tonplug/core/contract`. */
const entries = new Map(
  readdirSync(PACKAGES).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8'))
    return Object.entries(manifest.exports ?? {})
      .filter(([, target]) => target.import !== undefined)
      .map(([path, target]) => {
        const source = target.import.default.replace('./dist/esm/', 'src/').replace(/\.js$/, '.ts')
        return [join(PACKAGES, folder, source), join(manifest.name, path)]
      })
  }),
)

/** Names modules as they are imported. */
function importNames({ converter }) {
  converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
    const [source] = reflection.sources ?? []
    const name = entries.get(source?.fullFileName)
    if (reflection.parent?.isProject() && name !== undefined) reflection.name = name
  })
}

export default {
  plugin: ['typedoc-plugin-markdown', importNames],
  entryPoints: [...entries.keys()],
  tsconfig: 'tsconfig.typedoc.json',
  skipErrorChecking: true,
  basePath: ROOT,
  displayBasePath: ROOT,
  disableGit: true,
  gitRevision: 'main',
  sourceLinkTemplate: 'https://github.com/tonplug/tonplug/blob/{gitRevision}/{path}#L{line}',
  excludeExternals: true,
  excludePrivate: true,
  out: 'reference/api',
  router: 'member',
  readme: 'none',
  entryFileName: 'README',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  validation: { notExported: false },
}
