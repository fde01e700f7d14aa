// Checks that relative links of Markdown files, and their anchors, exist.
export default {
  plugins: [['remark-validate-links', { repository: 'tonplug/tonplug' }]],
}
