import { describe, expect, it } from 'vitest'
import { GetMethodError } from '../../../src/toncenter/endpoint/get-method.js'
import { InvalidParamsError } from '../../../src/toncenter/errors/api.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import type { StackArgument, StackItem } from '../../../src/toncenter/endpoint/stack.js'
import { startMockApi } from '@tonplug/test-support/mock-api'

const ADDRESS = `0:${'ab'.repeat(32)}`
const BOC = 'te6cckEBAQEAAgAAAEysuc0='
const call = { address: ADDRESS, method: 'get_data' }

async function start(result: string) {
  const { baseUrl, requests } = await startMockApi(() => `{"ok":true,"result":${result}}`)
  return { requests, v2: createV2Client({ baseUrl, rps: Infinity, retry: { maxAttempts: 1 } }) }
}

const answered = (exitCode: number, stack = '[]'): string =>
  `{"@type":"smc.runResult","gas_used":549,"exit_code":${exitCode},"stack":${stack}}`

describe.each(['runGetMethod', 'runGetMethodStd'] as const)('%s', (method) => {
  it.each([0, 1])('succeeds with exit code %i', async (exitCode) => {
    const { v2 } = await start(answered(exitCode))
    const result = await v2[method]({ ...call, stack: [] })
    expect(result).toMatchObject({ exit_code: exitCode, gas_used: 549, stack: [] })
  })

  it.each([-14, -13, 2, 11, 100])('is a GetMethodError with exit code %i', async (exitCode) => {
    const { requests, v2 } = await start(answered(exitCode))
    const error: unknown = await v2[method]({ ...call, stack: [] }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(GetMethodError)
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_GET_METHOD',
      endpoint: method,
      exitCode,
      retryable: false,
      details: { exitCode, gasUsed: 549, stack: [] },
    })
    expect(String(error)).toContain(`${method}: the get-method ended with exit code ${exitCode}`)
    expect(requests).toHaveLength(1)
  })

  it.each([
    ['no stack', '{"gas_used":549,"exit_code":11}'],
    ['null for a stack', '{"gas_used":549,"exit_code":11,"stack":null}'],
    ['a stack of junk', '{"gas_used":549,"exit_code":"11","stack":[["num","x"],7]}'],
  ])('is a GetMethodError with %s', async (_, result) => {
    const { v2 } = await start(result)
    await expect(v2[method]({ ...call, stack: [] })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_GET_METHOD',
      details: { exitCode: 11, gasUsed: 549, stack: [] },
    })
  })

  it('is a GetMethodError without gas', async () => {
    const { v2 } = await start('{"exit_code":-13}')
    await expect(v2[method]({ ...call, stack: [] })).rejects.toMatchObject({
      details: { exitCode: -13, gasUsed: 0, stack: [] },
    })
  })

  it('needs a stack when it succeeds', async () => {
    const { v2 } = await start('{"gas_used":549,"exit_code":0}')
    await expect(v2[method]({ ...call, stack: [] })).rejects.toThrow('result.stack of the response')
  })

  it.each([
    ['int', { type: 'int', value: 5n }, 'stack[0].type', 'did you mean number?'],
    ['num', { type: 'num', value: '5' }, 'stack[0].type', 'did you mean number?'],
    ['tvm.Cell', { type: 'tvm.Cell', boc: BOC }, 'stack[0].type', 'did you mean cell?'],
    ['slise', { type: 'slise', boc: BOC }, 'stack[0].type', 'did you mean slice?'],
    ['a pair', ['num', '5'], 'stack[0]', "an object, for example { type: 'number', value: 1n }"],
  ])('suggests a correction for %s', async (_, argument, place, hint) => {
    const { v2 } = await start(answered(0))
    const stack = [argument] as unknown as StackArgument[]
    const refused = v2[method]({ ...call, stack })
    await expect(refused).rejects.toThrow(place)
    await expect(refused).rejects.toThrow(hint)
  })

  it('sends nothing with an invalid argument', async () => {
    const { requests, v2 } = await start(answered(0))
    const stack = [
      { type: 'tuple', items: [{ type: 'builder', boc: BOC }] },
    ] as unknown as StackArgument[]
    await expect(v2[method]({ ...call, stack })).rejects.toThrow(InvalidParamsError)
    await expect(v2[method]({ ...call, stack })).rejects.toThrow(
      'stack[0].items[0].type must be number, cell, slice, tuple, list or null',
    )
    expect(requests).toHaveLength(0)
  })

  it('sends arguments up to the allowed depth', async () => {
    const { requests, v2 } = await start(answered(0))
    let argument: StackArgument = { type: 'number', value: -(2n ** 256n) }
    for (let level = 0; level < 499; level++) argument = { type: 'tuple', items: [argument] }
    await v2[method]({ ...call, stack: [argument] })
    expect(requests[0]?.text).toContain(`"number":"${-(2n ** 256n)}"`)
    const deeper: StackArgument = { type: 'list', items: [argument] }
    await expect(v2[method]({ ...call, stack: [deeper] })).rejects.toThrow('at most 500 levels')
  })

  it('reads a response that is nested deeper than the call stack', async () => {
    const depth = 10_000
    const number = '{"@type":"tvm.stackEntryNumber","number":{"number":"12345678901234567890"}}'
    const typed =
      '{"@type":"tvm.stackEntryTuple","tuple":{"elements":['.repeat(depth) +
      number +
      ']}}'.repeat(depth)
    const { v2 } = await start(
      answered(0, method === 'runGetMethod' ? `[["tuple",{"elements":[${typed}]}]]` : `[${typed}]`),
    )
    const { stack } = await v2[method]({ ...call, stack: [] })
    let [item]: StackItem[] = stack
    while (item?.type === 'tuple') [item] = item.items
    expect(item).toEqual({ type: 'number', value: 12345678901234567890n })
  })
})

describe('runGetMethod', () => {
  it('names the malformed entry of a response', async () => {
    const { v2 } = await start(answered(0, '[["num","0x1"],["tuple",{"elements":[{}]}]]'))
    await expect(v2.runGetMethod({ ...call, stack: [] })).rejects.toThrow(
      'result.stack[1][1].elements[0] of the response is not an object with @type',
    )
  })
})
