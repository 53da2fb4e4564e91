// Colors blocks of PSL. As in grammars/colors.toml, a written register and the cell N have colors that nothing else has.
hljs.registerLanguage("psl", () => {
  const string = { className: "string", begin: /(["'])(?:\\.|(?!\1)[^\\\n])*\1/ };
  return {
    keywords: {
      keyword:
        "registers constants system watch causal_attn true false reverse " +
        "where where_lm where_rm and not in repeat until NO_CHANGE",
    },
    contains: [
      { className: "meta", begin: /(\/\/|#)@/, end: /$/, contains: [string] },
      { className: "comment", begin: /\/\/|#/, end: /$/ },
      string,
      { className: "variable", begin: /\b[A-Za-z_]\w*(?=\s*\[\s*N\s*\]\s*=(?!=))/ },
      { begin: /\b[A-Za-z_]\w*(?=\s*\[\s*[nN]\s*\])/ },
      { className: "title", begin: /\bN(?=\s*\])/ },
      { className: "built_in", begin: /@\s*pos_(in|de)crement\b/ },
      { className: "number", begin: /-?\b\d+(\.\d+)?\b/ },
    ],
  };
});

// The script of mdBook has already gone through the blocks, without this language.
for (const block of document.querySelectorAll("code.language-psl")) {
  hljs.highlightBlock(block);
}
