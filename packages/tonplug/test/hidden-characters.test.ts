import { request } from 'node:http'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { startTonplug, tonplug } from './run-command.js'

const HIDDEN = '\u202E\u2066\u200F\u009B\u2028\u{E0041}'
const REFERENCE = `order-1${HIDDEN}`
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

async function post(url: string, body: string): Promise<void> {
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } })
  sent.end(body)
  await once(sent, 'response')
}

describe('the output of tonplug', () => {
  it('escapes hidden characters of a delivery', async () => {
    const command = startTonplug(['listen', '--port', '0', '--count', '2'])
    const start = await command.nextLine()
    const [, url = ''] = /at (\S+),/.exec(start) ?? []
    await post(url, JSON.stringify({ reference: REFERENCE }))
    const lines = [start]
    while (!lines.at(-1)?.includes('order-1')) lines.push(await command.nextLine())
    expect(lines.join('')).not.toMatch(HIDDEN_CHARACTERS)
    await post(url, REFERENCE)
    for (let line = ''; !line.includes('order-1'); line = lines.at(-1) ?? '') {
      lines.push(await command.nextLine())
    }
    expect(lines.join('')).not.toMatch(HIDDEN_CHARACTERS)
    expect(await command.end()).toBe(0)
  })

  it('escapes hidden characters of a delivery in JSON, and keeps its value', async () => {
    const command = startTonplug(['listen', '--port', '0', '--count', '1', '--json'])
    const { url } = JSON.parse(await command.nextLine()) as { url: string }
    await post(url, REFERENCE)
    const line = await command.nextLine()
    expect(line).not.toMatch(HIDDEN_CHARACTERS)
    expect(JSON.parse(line)).toMatchObject({ body: REFERENCE })
  })

  it.each([[[]], [['--json']]])(
    'escapes hidden characters of arguments in errors %j',
    async (json) => {
      for (const args of [[`inbox${HIDDEN}`], ['scan', '--since', HIDDEN], [`--${HIDDEN}`]]) {
        const { stdout, stderr, code } = await tonplug([...args, ...json])
        expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(HIDDEN_CHARACTERS)
        expect(code).toBe(2)
      }
    },
  )
})
