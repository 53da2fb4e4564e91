;;; Writes how psl-mode shows a program without a server, as JSON to $OUT.  -*- lexical-binding: t -*-
;; For each line: the indent, the indent of the mode, and the face of each character; and the entries of imenu.

(require 'imenu)
(find-file (car command-line-args-left))
(setq command-line-args-left nil)
(font-lock-ensure)

(let (lines)
  (save-excursion
    (goto-char (point-min))
    (while (not (eobp))
      (let ((text (buffer-substring-no-properties (point) (line-end-position))))
        (push (list (cons 'text text)
                    (cons 'indent (current-indentation))
                    (cons 'expected (psl--indentation))
                    (cons 'faces
                          (vconcat (mapcar (lambda (at) (format "%s" (get-text-property at 'face)))
                                           (number-sequence (point) (1- (line-end-position)))))))
              lines))
      (forward-line)))
  (let ((imenu (mapcar #'car (imenu--make-index-alist))) (mode (symbol-name major-mode)))
    (with-temp-file (getenv "OUT")
      (insert (json-serialize (list (cons 'mode mode)
                                    (cons 'lines (vconcat (nreverse lines)))
                                    (cons 'imenu (vconcat imenu))))))))
