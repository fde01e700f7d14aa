import { describe, expect, it } from 'vitest'
import { tonplug } from './run-command.js'

const HIDDEN = '\u202E\u2066\u200F\u009B\u2028\u{E0041}'
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

describe('the output of tonplug', () => {
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
