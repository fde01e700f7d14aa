// A transaction of the test network as returned by a server, with its original cells.
const DATA =
  'te6cckECBwEAAZAAA7VwSEDUK6kynu4w5R8ceiHuyoAw27XFA7J1/x9B/4BOmRAAAUBZB1UsGO1rJItyAg/DWyJVXuPiH1gWw77ed7Hxxb7fCsnp0a/AAAFAWFXzBBZlF/IQABRgl25IAQIDAQGgBACCcsfd3TYagtTLKufAA7GWLaUgWMvh0qZ4ZTidVcReE8JR30B4CM//1G7HfcqFl0Aam+u3Ena0F0H7schSYiRPbo0CFQxgiOYloBhgl14RBQYAr0gA2AsXaUbrBcT7iJj9K5XMOR3oH3WO8HQjeKkICiFjZwEAASEDUK6kynu4w5R8ceiHuyoAw27XFA7J1/x9B/4BOmROYloABggjWgAAKAsgcJOEzKL+MkAAnEBg6YagAAAAAAAAAAASAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABbwAAAAAAAAAAAAAAAAS1FLaRJ5QuM990nhh8UYSKv4bVGu4tw/IIW8MYUE5+OBMh8Zwk='
const SOURCE = 'EQBsBYu0o3WC4n3ETH6VyuYcjvQPusd4OhG8VIQFELGzgD1y'
const ACCOUNT = 'EQAEhA1CupMp7uMOUfHHoh7sqAMNu1xQOydf8fQf-ATpkVwc'
const HASH = 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c='

/** The account of the transactions. */
export const ADDRESS = ACCOUNT

/** Returns a response of getTransactions in the format of the C++ server, with one inbound and one outbound message each. */
export function makePage(count) {
  const result = Array.from({ length: count }, (_, index) => makeTransaction(index))
  return JSON.stringify({ ok: true, result, '@extra': '1784332062:_:0.004:c' })
}

function makeTransaction(index) {
  return {
    '@type': 'ext.transaction',
    address: { '@type': 'accountAddress', account_address: ACCOUNT },
    account: '0:04840D42BA9329EEE30E51F1C7A21EECA8030DBB5C503B275FF1F41FF804E991',
    utime: 1_716_616_993 - index,
    data: DATA,
    transaction_id: {
      '@type': 'internal.transactionId',
      lt: String(22_014_131_000_001 - index * 2_000_000),
      hash: HASH,
    },
    fee: '310130',
    storage_fee: '130',
    other_fee: '310000',
    in_msg: makeMessage(index, SOURCE, ACCOUNT),
    out_msgs: [makeMessage(index + 1, ACCOUNT, SOURCE)],
  }
}

function makeMessage(index, source, destination) {
  return {
    '@type': 'ext.message',
    hash: HASH,
    source,
    destination,
    value: String(10_000_000 + index),
    extra_currencies: [],
    fwd_fee: '266669',
    ihr_fee: '0',
    created_lt: String(22_014_127_000_002 - index * 2_000_000),
    body_hash: HASH,
    msg_data: { '@type': 'msg.dataRaw', body: 'te6cckEBAQEAAgAAAEysuc0=', init_state: '' },
    message: '',
  }
}
