([
  (comment)
  (label)
] @injection.content
  (#set! injection.language "comment"))
