import type { LineEdit } from './file-change.js'

const EXPRESS_APP =
  /^(\s*)(?:export\s+)?(?:const|let|var)\s+(\w+)(?:\s*:\s*[\w.]+)?\s*=\s*express\(\)/

/** Returns true for a line that creates an Express app. */
export function createsExpressApp(line: string): boolean {
  return EXPRESS_APP.test(line)
}

/**
 * Mounts the routes right after the app was created, before any parser reads bodies.
 * @param imported the import of the generated module, without the name
 */
export function editExpressServer(
  lines: readonly string[],
  { specifier, isModule }: { specifier: string; isModule: boolean },
): LineEdit[] {
  const created = lines.findIndex(createsExpressApp)
  const [, indent = '', app = 'app'] = EXPRESS_APP.exec(lines[created] ?? '') ?? []
  const imported = isModule
    ? `import { startPayments } from '${specifier}'`
    : `const { startPayments } = require('${specifier}')`
  return [
    // Further modules may be required after the app is created.
    { index: afterImports(lines.slice(0, created), isModule), added: endLine(imported, lines) },
    {
      index: created + 1,
      added: endLine(`${indent}${app}.use('/payments', startPayments().routes)`, lines),
    },
  ]
}

/** Adds the module to the imports of the app's module; `undefined` when its `@Module` is not recognized. */
export function editNestModule(
  lines: readonly string[],
  specifier: string,
): LineEdit[] | undefined {
  const decorator = lines.findIndex((line) => line.startsWith('@Module({'))
  if (decorator === -1) return undefined
  const edit = importModule(lines, decorator)
  if (edit === undefined) return undefined
  const imported = `import { TonPaymentsModule } from '${specifier}'`
  return [{ index: afterImports(lines, true), added: endLine(imported, lines) }, edit]
}

function importModule(lines: readonly string[], decorator: number): LineEdit | undefined {
  const end = lines.findIndex((line, index) => index >= decorator && line.startsWith('})'))
  if (end <= decorator) return undefined
  const index = lines.findIndex(
    (line, place) => place > decorator && place < end && /^\s+imports: \[/.test(line),
  )
  if (index === -1) return { index: decorator + 1, added: '  imports: [TonPaymentsModule],' }
  const line = lines[index] ?? ''
  if (line.trimEnd().endsWith('[')) return { index: index + 1, added: '    TonPaymentsModule,' }
  const rest = line.slice(line.indexOf('[') + 1)
  const added = `  imports: [TonPaymentsModule${rest.startsWith(']') ? '' : ', '}${rest}`
  return { index, removed: line, added }
}

/** Returns the index after the last import or `require` at the top of a file. */
function afterImports(lines: readonly string[], isModule: boolean): number {
  const end = isModule
    ? /(?:^import\s.*|^\}\s*)from\s+['"][^'"]+['"];?\s*$|^import\s+['"]/
    : /^(?:const|let|var)\s.*=\s*require\(|^\}\s*=\s*require\(/
  return lines.findLastIndex((line) => end.test(line)) + 1
}

/** Ends a line as the other lines of its file end. */
function endLine(text: string, lines: readonly string[]): string {
  const withSemicolon = lines.filter((line) => line.trimEnd().endsWith(';')).length
  const withReturn = lines.some((line) => line.endsWith('\r'))
  return `${text}${withSemicolon > 0 ? ';' : ''}${withReturn ? '\r' : ''}`
}
