import { readFileSync } from 'node:fs'

/** The flags that select lines of a template, and the values of its `{{placeholders}}`. */
export interface TemplateInput {
  flags: readonly string[]
  values?: Readonly<Record<string, string>>
}

/**
 * Renders a file of `templates/`. A line that starts with `%flag ` is kept when the flag is set, one with `%!flag ` when it is
 * not, and one with `%one,other ` when both are.
 */
export function renderTemplate(name: string, { flags, values = {} }: TemplateInput): string {
  const url = new URL(`../../templates/${name}.template`, import.meta.url)
  const lines = readFileSync(url, 'utf8').split('\n')
  const isSet = (flag: string): boolean =>
    flag.startsWith('!') ? !flags.includes(flag.slice(1)) : flags.includes(flag)
  const kept = lines.flatMap((line) => {
    const [, condition, text = ''] = /^%(\S+) ?(.*)$/.exec(line) ?? []
    if (condition === undefined) return [line]
    return condition.split(',').every(isSet) ? [text] : []
  })
  return kept.join('\n').replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '')
}

/** Converts the imports and exported functions of a rendered template to CommonJS. */
export function toCommonJs(source: string): string {
  const exported = [...source.matchAll(/^export function (\w+)/gm)].map(([, name]) => name)
  const required = source
    .replaceAll(
      /^import \{([^}]*)\} from ('[^']+')$/gm,
      (_, names: string, from: string) => `const {${names}} = require(${from})`,
    )
    .replaceAll(/^export function/gm, 'function')
  if (exported.length === 0) return required
  return `${required.trimEnd()}\n\nmodule.exports = { ${exported.join(', ')} }\n`
}
