autocmd BufNewFile,BufRead *.psl setfiletype psl
