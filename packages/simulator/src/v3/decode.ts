import { Cell } from '@ton/core'
import { HttpError } from '../server/http-error.js'
import { decodeBody, nameOfOpcode } from './bodies.js'
import type { Json } from './json.js'
import { readOpcode } from './parameters.js'
import type { RequestHandler, V3Request } from './request.js'

const MOST_QUESTIONS = 1000

/** The endpoint that decodes opcodes and bodies. */
export const decodeHandlers = {
  '/decode'(request) {
    const [opcodes, bodies] = [textsOf(request, 'opcodes'), textsOf(request, 'bodies')]
    if (opcodes.length + bodies.length === 0) {
      throw new HttpError(422, 'at least one of opcodes, bodies should be specified')
    }
    if (Math.max(opcodes.length, bodies.length) > MOST_QUESTIONS) {
      throw new HttpError(422, `at most ${MOST_QUESTIONS} opcodes and bodies are decoded at once`)
    }
    return {
      opcodes: opcodes.map((text) => nameOfOpcode(readOpcode(text)) ?? `unknown opcode ${text}`),
      bodies: bodies.map(decode),
    }
  },
} satisfies Record<string, RequestHandler>

function textsOf({ method, query, body }: V3Request, name: string): string[] {
  if (method !== 'POST') return query.getAll(name)
  const texts: unknown = body[name] ?? []
  if (!Array.isArray(texts))
    throw new HttpError(422, `failed to parse request: ${name} is not an array`)
  return texts.map(String)
}

function decode(text: string): Json {
  try {
    return decodeBody(Cell.fromBase64(text)) ?? { error: 'unknown body' }
  } catch {
    return { error: 'unknown body: not a bag of cells' }
  }
}
