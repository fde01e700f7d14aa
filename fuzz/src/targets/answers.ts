import assert from 'node:assert/strict'
import { TonplugError } from '../../../packages/core/src/shared/tonplug-error.js'
import { parseJson } from '../../../packages/core/src/toncenter/transport/lossless-json.js'
import type {
  Classified,
  HttpResponse,
} from '../../../packages/core/src/toncenter/transport/request.js'
import { readResult as readV2Result } from '../../../packages/core/src/toncenter/v2/response.js'
import { v2Decoders } from '../../../packages/core/src/toncenter/v2/generated/decoders.js'
import { v2Endpoints } from '../../../packages/core/src/toncenter/v2/endpoints/table.js'
import { readResult as readV3Result } from '../../../packages/core/src/toncenter/v3/response.js'
import { v3Decoders } from '../../../packages/core/src/toncenter/v3/generated/decoders.js'
import { v3Endpoints } from '../../../packages/core/src/toncenter/v3/endpoints/table.js'
import { join, JSON_WORDS, nest, type Target, textOf, wrap } from '../target.js'

const STATUSES = [200, 200, 200, 404, 409, 422, 429, 500, 503, 542, 401, 403, 201, 304]
const FACTS = { endpoint: 'fuzz', attempts: 1 }
const MOST_CHARACTERS = 4000

/** Classifies a response in the same way as the client of an endpoint. */
type Read = (answer: HttpResponse) => Classified

const reads: readonly Read[] = [
  ...Object.values(v2Endpoints).flatMap((endpoint): Read[] => {
    // Every endpoint has a decoder.
    const decoder = v2Decoders[endpoint.name as keyof typeof v2Decoders]
    return [false, true].map(
      (isJsonRpc) => (answer) => readV2Result(answer, { endpoint, isJsonRpc, decoder }),
    )
  }),
  ...Object.values(v3Endpoints).map((endpoint): Read => {
    // Every endpoint has a decoder.
    const decoder = v3Decoders[endpoint.name as keyof typeof v3Decoders]
    return (answer) => readV3Result(answer, { endpoint, decoder, params: {} })
  }),
]

/** The first byte selects the status, the second the endpoint; the rest is the body. */
export const answersTarget: Target = {
  name: 'answers',
  words: [
    '{"ok":true,"result":',
    '{"ok":false,"error":"',
    '"@extra":"',
    '"code":',
    '{"detail":[{"loc":[',
    '"msg":',
    '{"error":"',
    '"toString":1',
    '"valueOf":1',
    '{"toString":1,"valueOf":1}',

    'rate limit exceed',
    'LITE_SERVER_NOTREADY',
    'exitcode=-13',
    'cannot apply external message',
    'exit code 11',
    'API key',
    'not found',
    'lt not in db',
    '"__proto__":',
    '"length":5',

    ...JSON_WORDS,
    'true',
    '1e999',
    '99999999999999999999',
    '\ufeff',
  ],
  grow: {
    'details of a refusal': (bytes) =>
      wrap('\x05\0{"ok":false,"detail":[', '{"loc":["a",1],"msg":"b"},', '1]}', bytes),
    'a nested place': (bytes) =>
      join('\x05\0{"ok":false,"detail":[{"loc":', nest('[', '1', ']', bytes), ',"msg":1}]}'),
    'a nested problem': (bytes) =>
      join('\x05\0{"ok":false,"detail":[{"loc":[],"msg":', nest('[', '1', ']', bytes), '}]}'),
    'a nested result': (bytes) =>
      join('\0\0{"ok":true,"result":', nest('{"a":', '1', '}', bytes), '}'),
    'words of a refusal': (bytes) =>
      wrap('\x07\0{"ok":false,"error":"', 'external message was exitcode: - ', '"}', bytes),
    blanks: (bytes) => wrap('\x04\0', ' \n', '<html>', bytes),
    'a long number': (bytes) => wrap('\0\0{"ok":true,"result":{"balance":"', '9', '"}}', bytes),
  },
  check(input) {
    const [first = 0, second = 0] = input
    const answer = answerOf(STATUSES[first % STATUSES.length] ?? 200, textOf(input.subarray(2)))
    const read = reads[second % reads.length] ?? assert.fail('there are endpoints')
    const classified = read(answer)
    if (classified.kind === 'ok') return
    const error = classified.error(FACTS)
    assert.ok(error instanceof TonplugError, 'the error is not documented')
    assert.ok(error.message.length < MOST_CHARACTERS, 'the message is long')
    assert.ok(JSON.stringify(error).length < 4 * MOST_CHARACTERS, 'the error is long as JSON')
  },
}

function answerOf(status: number, text: string): HttpResponse {
  return { status, text, json: tryParse(text), headers: new Headers(), retryAfterMs: undefined }
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
