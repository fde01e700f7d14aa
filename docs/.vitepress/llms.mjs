// Writes the files for coding agents: llms.txt lists the pages, llms-full.txt contains them.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY, ROOT } from './pages.mjs'
import { GROUPS, item } from './sidebar.mjs'

const SUMMARY = `# tonplug

> TypeScript toolkit that takes TON payments in a Node server (Express, Fastify, NestJS, Hono and other Fetch servers). It creates invoices, finds payments on the chain, receives gateway webhooks, completes each order once, and retries handlers.

Start with SKILL.md in the repository: it has complete, tested code and the rules to follow.`

/**
 * Returns llms.txt: a summary, and a link with a description for each page.
 * @public for docs/test/agents.test.ts
 */
export function llmsIndex() {
  const groups = GROUPS.map(({ text, names }) => {
    const lines = names.map((name) => lineOf(`docs/${name}.md`))
    return `## ${text}\n\n${lines.join('\n')}`
  })
  const reference = ['docs/reference/README.md', 'docs/reference/command-line.md'].map((file) =>
    lineOf(file),
  )
  return [SUMMARY, ...groups, `## Reference\n\n${reference.join('\n')}`].join('\n\n') + '\n'
}

/** Writes llms.txt, llms-full.txt and SKILL.md into the built site. */
export function writeLlmsFiles(folder) {
  const names = GROUPS.flatMap((group) => group.names)
  const pages = names.map((name) => readFileSync(join(ROOT, `docs/${name}.md`), 'utf8'))
  writeFileSync(join(folder, 'llms.txt'), llmsIndex())
  writeFileSync(join(folder, 'llms-full.txt'), [SUMMARY, ...pages].join('\n\n'))
  copyFileSync(join(ROOT, 'SKILL.md'), join(folder, 'SKILL.md'))
}

function lineOf(file) {
  return `- [${item(file).text}](${REPOSITORY}/blob/main/${file}): ${descriptionOf(file)}`
}

/** Returns the first sentence of a page, without links. */
function descriptionOf(file) {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const [, paragraph = ''] = /^# .+\n\n([^\n]+)/m.exec(text) ?? []
  const plain = paragraph.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain
}
