import { Cell, type TupleItem } from '@ton/core'
import { base64Boc } from '../shared/encodings.js'

/** A stack entry of an unsupported type. The server responds with status 542. */
export class UnsupportedEntryError extends Error {
  override readonly name = 'UnsupportedEntryError'
}

type Json = Readonly<Record<string, unknown>>

/** Reads the arguments of `runGetMethod`: pairs, or the typed objects of `runGetMethodStd`. */
export function readStack(stack: unknown): TupleItem[] {
  return (stack as readonly unknown[]).map((entry) =>
    Array.isArray(entry) ? readPair(String(entry[0]), entry[1]) : readTyped(entry as Json),
  )
}

/** Writes the stack of `runGetMethod`: pairs at the top level, typed objects inside, slices as cells. */
export function writeStack(stack: readonly TupleItem[]): unknown[] {
  return stack.map((item) => {
    switch (item.type) {
      case 'int':
        return ['num', hexNumber(item.value)]
      case 'cell':
      case 'slice':
        return ['cell', { bytes: base64Boc(item.cell), object: writeObject(item.cell) }]
      case 'null':
      case 'tuple': {
        const list = readList(item)
        return list === undefined
          ? ['tuple', { '@type': 'tvm.tuple', elements: elementsOf(item).map(writeTyped) }]
          : ['list', { '@type': 'tvm.list', elements: list.map(writeTyped) }]
      }
      default:
        return ['unsupported', '']
    }
  })
}

/** Writes the stack of `runGetMethodStd`. */
export function writeTyped(item: TupleItem): unknown {
  switch (item.type) {
    case 'int':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: item.value.toString() },
      }
    case 'cell':
      return {
        '@type': 'tvm.stackEntryCell',
        cell: { '@type': 'tvm.cell', bytes: base64Boc(item.cell) },
      }
    case 'slice':
      return {
        '@type': 'tvm.stackEntrySlice',
        slice: { '@type': 'tvm.slice', bytes: base64Boc(item.cell) },
      }
    case 'null':
    case 'tuple': {
      const list = readList(item)
      if (list !== undefined) {
        const elements = list.map(writeTyped)
        return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements } }
      }
      const elements = elementsOf(item).map(writeTyped)
      return { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements } }
    }
    default:
      return { '@type': 'tvm.stackEntryUnsupported' }
  }
}

/** Reads a list: null, or a pair of an element and a list. The server writes every such tuple as a list. */
export function readList(item: TupleItem): TupleItem[] | undefined {
  const elements: TupleItem[] = []
  let rest = item
  while (rest.type === 'tuple') {
    const [head, tail] = rest.items
    if (rest.items.length !== 2 || head === undefined || tail === undefined) return undefined
    elements.push(head)
    rest = tail
  }
  return rest.type === 'null' ? elements : undefined
}

function elementsOf(item: TupleItem): readonly TupleItem[] {
  return item.type === 'tuple' ? item.items : []
}

function hexNumber(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`
}

/** Returns the parsed object that the server adds to the bytes of a cell. */
function writeObject(cell: Cell): unknown {
  const slice = cell.beginParse(true)
  const bits = slice.remainingBits
  const data = Buffer.alloc(Math.ceil(bits / 8))
  for (let bit = 0; bit < bits; bit++) {
    if (slice.loadBit()) data[bit >> 3] = (data[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  }
  return {
    data: { b64: data.toString('base64'), len: bits },
    refs: cell.refs.map(writeObject),
    special: cell.isExotic,
  }
}

function readPair(type: string, value: unknown): TupleItem {
  switch (type) {
    case 'num':
    case 'int':
    case 'number':
    case 'integer':
      return { type: 'int', value: readNumber(value) }
    case 'tvm.Cell':
      return { type: 'cell', cell: Cell.fromBase64(String(value)) }
    case 'tvm.Slice':
      return { type: 'slice', cell: Cell.fromBase64(String(value)) }
    case 'cell':
    case 'slice':
      return { type, cell: Cell.fromBase64(String((value as Json)['bytes'])) }
    case 'tuple':
    case 'tvm.Tuple':
      return { type: 'tuple', items: readElements(value) }
    case 'list':
    case 'tvm.List':
      return makeList(readElements(value))
    default:
      throw new UnsupportedEntryError(`unsupported stack entry type ${type}`)
  }
}

function readTyped(entry: Json): TupleItem {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return { type: 'int', value: readNumber((entry['number'] as Json)['number']) }
    case 'tvm.stackEntryCell':
      return { type: 'cell', cell: Cell.fromBase64(String((entry['cell'] as Json)['bytes'])) }
    case 'tvm.stackEntrySlice':
      return { type: 'slice', cell: Cell.fromBase64(String((entry['slice'] as Json)['bytes'])) }
    case 'tvm.stackEntryTuple':
      return { type: 'tuple', items: readElements(entry['tuple']) }
    case 'tvm.stackEntryList':
      return makeList(readElements(entry['list']))
    default:
      throw new UnsupportedEntryError(`unsupported stack entry type ${String(entry['@type'])}`)
  }
}

function readElements(value: unknown): TupleItem[] {
  return ((value as Json)['elements'] as readonly Json[]).map(readTyped)
}

function makeList(elements: readonly TupleItem[]): TupleItem {
  return elements.reduceRight<TupleItem>(
    (rest, element) => ({ type: 'tuple', items: [element, rest] }),
    { type: 'null' },
  )
}

function readNumber(value: unknown): bigint {
  const text = String(value)
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
}
