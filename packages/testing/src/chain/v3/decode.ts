import { Cell } from '@ton/core'
import { Refusal } from '../refusal.js'
import { decodeBody, nameOfOpcode } from './bodies.js'
import type { Json } from './json.js'
import { readOpcode } from './parameters.js'
import type { Answer, Question } from './question.js'

const MOST_QUESTIONS = 1000

/** What the index understands of opcodes and bodies. */
export const decodeAnswers = {
  '/decode'(question) {
    const [opcodes, bodies] = [textsOf(question, 'opcodes'), textsOf(question, 'bodies')]
    if (opcodes.length + bodies.length === 0) {
      throw new Refusal(422, 'at least one of opcodes, bodies should be specified')
    }
    if (Math.max(opcodes.length, bodies.length) > MOST_QUESTIONS) {
      throw new Refusal(422, `at most ${MOST_QUESTIONS} opcodes and bodies are decoded at once`)
    }
    return {
      opcodes: opcodes.map((text) => nameOfOpcode(readOpcode(text)) ?? `unknown opcode ${text}`),
      bodies: bodies.map(decode),
    }
  },
} satisfies Record<string, Answer>

function textsOf({ method, query, body }: Question, name: string): string[] {
  if (method !== 'POST') return query.getAll(name)
  const texts: unknown = body[name] ?? []
  if (!Array.isArray(texts)) throw new Refusal(422, `failed to parse request: ${name} is no array`)
  return texts.map(String)
}

function decode(text: string): Json {
  try {
    return decodeBody(Cell.fromBase64(text)) ?? { error: 'unknown body' }
  } catch {
    return { error: 'unknown body: not a bag of cells' }
  }
}
