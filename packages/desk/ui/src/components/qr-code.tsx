import encodeQR from 'qr'

/** White modules around the code, without which some cameras do not find it. */
const QUIET = 4

/** A QR code in black on white, in light and dark mode. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })
  const size = rows.length
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={name}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
