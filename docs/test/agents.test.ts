import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const WRITE = `import { llmsIndex } from './docs/.vitepress/llms.mjs'; process.stdout.write(llmsIndex())`
const CODE = /^```ts\n([\s\S]*?)^```$/gm
const codeOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(CODE)].map(([, code = '']) => code)

it('lists every start page and guide in llms.txt', async () => {
  const index = execFileSync('node', ['--input-type=module', '--eval', WRITE], { encoding: 'utf8' })
  await expect(index).toMatchFileSnapshot('../../llms.txt')
})

it('has only code in SKILL.md that the tests of the quick starts run', () => {
  const pages = ['first-payment', 'first-payment-nestjs', 'gateway'].map(
    (name) => `docs/start/${name}.md`,
  )
  const tested = pages.flatMap((page) => codeOf(page))
  const snippets = codeOf('SKILL.md')
  expect(snippets).toHaveLength(4)
  expect(snippets.filter((code) => !tested.includes(code))).toEqual([])
})
