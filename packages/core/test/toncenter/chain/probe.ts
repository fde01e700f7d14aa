import { Cell } from '@ton/core'

/** `contracts/probe.fc`, compiled, in base64. A test compiles it again and compares. */
export const compiledProbe = {
  hash: 'ec9f26c6d83c2b471e48b4826b1d1e3bfe1f07d3fc41466ffca39c1414ade8da',
  boc: 'te6cckECFQEAARwAART/APSkE/S88sgLAQIBYgIEAfjQMtDTA/pA+kAx+gAx9AQx+gAxAnGwAvoAMFshxwCxkTDg0x8wIMAC8tDHIMADl+1EyMzJ7VTewAGOQfgoghASNFZ4cCBzyMsBJM8WywHLYcsfyXD7AIIQmrze8HCBAQF5cXPIywFQBs8WFcsBFMsIE8sIEsthyx/JcPsAAwAC3gIBIAUOAgEgBg0CAVgHCgIB5wgJAAWhmyIAB6NGAKoCASALDAA3rbG2uLk5kbeBN4E3gSmIt4EpCDeBOLk3gQgRwAAFrDNAABG5tHf4T/hf9wgCASAPFAIBIBATAgEgERIACbJyfIBgAAuzlnywwmAABbfkEAAhugrHFyc3R1bwFvA28CbW8DgmPTLA',
}

/** The code of the contract with which tests look into the virtual machine. */
export function probeCode(): Cell {
  return Cell.fromBase64(compiledProbe.boc)
}
